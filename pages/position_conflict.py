"""The position conflict: what the model is told about positions, and what is true."""

from dataclasses import replace

import streamlit as st

from xlexplain.ui import controls, frame
from xlexplain.ui.position import console, maps, quiz, sections, tabs
from xlexplain.ui.position.controls import (
    choose_characters,
    choose_key,
    choose_query,
    choose_true_means,
)
from xlexplain.ui.settings import Settings

NAME = "position_conflict"


def first_screen() -> Settings:
    """The question, the controls, and the two maps that answer."""
    heading = st.container()
    L, D, row = controls.segment_and_memory()
    with row:
        query = choose_query(L)
        true_means = choose_true_means()
    tables = st.container()
    left, right = st.columns([1, 2])
    with right:
        text = choose_characters((D + 1) * L)
    settings = Settings(
        L, D, query=query, true_means=true_means, text=text, palette=frame.palette()
    )
    with left:
        settings = replace(settings, key=choose_key(settings))
    with heading:
        frame.ask(NAME, position=settings.position)
    with tables:
        maps.show_conflict(settings, with_counts=True)
    return settings


frame.set_up(NAME)
frame.draw(
    first_screen,
    {
        "notice": sections.notice_and_readings,
        "closer": tabs.closer_look,
        "book": sections.chapters,
        "quiz": quiz.check_yourself,
        "console": console.console,
    },
)
frame.close_page(NAME)
