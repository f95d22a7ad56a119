"""The relative shift: from scores by distance to scores by key, cell by cell."""

import streamlit as st

from xlexplain.ui import controls, frame, texts
from xlexplain.ui.shift import sections
from xlexplain.ui.shift.explorer import Explored, choose_cell, explore, zero_copy
from xlexplain.ui.shift.scores import MOST_TEXT, choose_scores

NAME = "relative_shift"


def first_screen() -> Explored:
    """The controls, and the cells that move."""
    L, D, row = controls.segment_and_memory()
    figure = st.container()
    reader = texts.choose_text(most=MOST_TEXT)
    live = choose_scores(row, reader.text, segment_length=L, memory_depth=D)
    with figure:
        explored = choose_cell(live)
        explore(explored)
    return explored


frame.set_up(NAME)
frame.ask(NAME)
frame.draw(
    first_screen,
    {
        "notice": sections.notice_and_reason,
        "address": zero_copy,
        "saves": sections.what_it_saves,
        "right": sections.is_it_right,
        "pytorch": sections.in_pytorch,
    },
)
frame.close_page(NAME)
