"""The short sections of the position page: what to notice, two readings of "true", the book."""

from __future__ import annotations

import streamlit as st

from xlexplain.figures.position_book import book
from xlexplain.ui import prose
from xlexplain.ui.position_view import PositionView
from xlexplain.ui.position_words import PAGE


def notice_and_readings(view: PositionView) -> None:
    """What to notice in the maps, beside the two ways to count what is true."""
    left, right = st.columns(2, gap="large")
    with left:
        has_memory = view.conflict.memory_depth > 0
        prose.show(PAGE, "notice" if has_memory else "notice without memory", **view.numbers)
    with right:
        prose.show(PAGE, "readings", **view.numbers)


def chapters(view: PositionView) -> None:
    """The book whose chapters all start at page 1."""
    st.header(prose.section(PAGE, "book title"), anchor="book")
    has_memory = view.conflict.memory_depth > 0
    prose.show(PAGE, "book" if has_memory else "book without memory", **view.numbers)
    st.html(
        book(view.conflict, position=view.position, query=view.query, palette=view.palette),
    )
