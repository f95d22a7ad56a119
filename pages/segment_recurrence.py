"""Segment recurrence: what memory keeps, and how far back a token reaches because of it."""

import streamlit as st

from xlexplain.ui import controls, frame
from xlexplain.ui.recurrence import choices, figure, measurement, sections
from xlexplain.ui.recurrence.choices import Choice

NAME = "segment_recurrence"


def first_screen() -> Choice:
    """The controls, and the stack of segments and layers."""
    L, D, row = controls.segment_and_memory()
    recurrence, segment, query = choices.choose(row, segment_length=L, memory_depth=D)
    drawing = st.container()
    choice = Choice(
        recurrence=recurrence,
        segment=segment,
        query=query,
        text=choices.choose_text(recurrence.length),
        palette=frame.palette(),
    )
    with drawing:
        figure.streaming(choice)
    return choice


frame.set_up(NAME)
frame.ask(NAME)
frame.draw(
    first_screen,
    {
        "notice": sections.titled("notice", sections.notice),
        "measured": sections.titled("measured", measurement.measurement),
        "formula": sections.titled("formula", sections.formula),
        "code": sections.titled("code", sections.code),
        "check": sections.titled("check", sections.check_yourself),
    },
)
frame.close_page(NAME)
