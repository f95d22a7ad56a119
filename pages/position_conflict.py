"""The position conflict: what the model is told about positions, and what is true."""

from functools import partial

import streamlit as st

from xlexplain.maths import position_conflict
from xlexplain.ui import (
    controls,
    frame,
    position_choices,
    position_closer,
    position_console,
    position_quiz,
    position_sections,
    position_words,
)
from xlexplain.ui.position_maps import Behaviour, position_maps
from xlexplain.ui.position_view import PositionView, choose_characters, facts, follow

NAME = "position_conflict"


def first_screen() -> PositionView:
    """The question, the controls, and the two maps that answer."""
    heading = st.container()
    L, D, row = controls.segment_and_memory()
    conflict = position_conflict(segment_length=L, memory_depth=D)
    with row:
        query = position_choices.choose_query(L)
        reading = position_choices.choose_reading()
    key = position_choices.chosen_key(conflict)
    with heading:
        frame.ask(NAME, position=key % L)

    maps = st.container()
    view = PositionView(
        conflict=conflict,
        query=query,
        key=key,
        reading=reading,
        text=choose_characters(conflict),
        palette=frame.palette(),
    )
    with maps:
        position_maps(
            conflict,
            [
                position_words.told_map(conflict),
                position_words.true_map(conflict, query=query, reading=reading),
            ],
            tokens=view.tokens,
            query=query,
            chosen=key,
            sentences=position_words.sentences(
                conflict, query=query, reading=reading, tokens=view.tokens
            ),
            palette=view.palette,
            facts=facts(conflict),
            behaviour=Behaviour(selects=True),
            follow=follow(view.text),
            key="maps",
            on_choose=partial(position_choices.take_choice, "maps"),
        )
    return view


frame.set_up(NAME)
frame.draw(
    first_screen,
    {
        "notice": position_sections.notice_and_readings,
        "closer": position_closer.closer_look,
        "book": position_sections.chapters,
        "quiz": position_quiz.check_yourself,
        "console": position_console.console,
    },
)
frame.close_page(NAME)
