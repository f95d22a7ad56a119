"""Home: the one-minute version."""

from functools import partial

import streamlit as st

from xlexplain.figures.position_book import book
from xlexplain.maths import position_conflict
from xlexplain.ui import (
    controls,
    frame,
    home_sections,
    position_choices,
    position_words,
    prose,
)
from xlexplain.ui.home_sections import Chapter
from xlexplain.ui.position_maps import Follow, position_maps
from xlexplain.ui.position_view import MOST_KEYS, filled
from xlexplain.ui.texts import SAMPLES, visible

NAME = "home"


def first_screen() -> Chapter:
    """The controls, the book, and the two maps."""
    L, D, _ = controls.segment_and_memory()
    conflict = position_conflict(segment_length=L, memory_depth=D)
    query = min(position_choices.DEFAULT_POSITION, L - 1)
    key = position_choices.chosen_key(conflict, default=query)
    palette = frame.palette()
    tokens = "".join(map(visible, filled(SAMPLES["Python reference"], MOST_KEYS)))
    chapter = Chapter(conflict, query=query, key=key)

    prose.show(NAME, "book alone" if chapter.is_alone else "book", **chapter.numbers)
    st.html(book(conflict, position=chapter.position, query=query, palette=palette))
    position_maps(
        conflict,
        [
            position_words.told_map(conflict),
            position_words.true_map(conflict, query=query, reading="distance"),
        ],
        tokens=tokens[: conflict.key_count],
        query=query,
        chosen=key,
        sentences=position_words.sentences(
            conflict, query=query, reading="distance", tokens=tokens
        ),
        palette=palette,
        follow=Follow(tokens, position=position_choices.DEFAULT_POSITION),
        key="maps",
        on_choose=partial(position_choices.take_choice, "maps"),
    )
    return chapter


frame.set_up(NAME)
frame.ask(NAME)
frame.draw(first_screen, {"minute": home_sections.minute, "next": home_sections.next_pages})
frame.close_page(NAME)
