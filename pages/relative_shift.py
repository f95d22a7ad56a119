"""The relative shift: from scores by distance to scores by key, cell by cell."""

import streamlit as st

from xlexplain.ui import controls, frame, texts
from xlexplain.ui.shift import moving_cells, sections
from xlexplain.ui.shift.scores import MOST_TEXT, LiveScores, choose_scores

NAME = "relative_shift"


def first_screen() -> LiveScores:
    """The controls, and the cells that move."""
    L, D, row = controls.segment_and_memory()
    cells = st.container()
    text = texts.choose_text(most=MOST_TEXT).text
    live = choose_scores(row, text, segment_length=L, memory_depth=D)
    with cells:
        moving_cells.show(live)
    return live


frame.set_up(NAME)
frame.ask(NAME)
frame.draw(
    first_screen,
    {
        "notice": sections.notice_and_reason,
        "address": sections.zero_copy,
        "saves": sections.what_it_saves,
        "right": sections.is_it_right,
        "pytorch": sections.in_pytorch,
    },
)
frame.close_page(NAME)
