"""What stands below the first screen; each part is computed when its tab is open."""

from __future__ import annotations

import streamlit as st

from xlexplain.ui import address, controls
from xlexplain.ui.attention.head_data import HeadData
from xlexplain.ui.attention.head_tabs import show_heads, show_whole_pass
from xlexplain.ui.attention.matrix_tabs import show_matrices, show_query
from xlexplain.ui.attention.model_comparison import show_models
from xlexplain.ui.attention.next_character import show_next_character
from xlexplain.ui.attention.term_switches import show_switches

TABS = {
    "One query": show_query,
    "Matrices": show_matrices,
    "All heads": show_heads,
    "Next character": show_next_character,
    "Switch terms off": show_switches,
    "Swap the model": show_models,
    "Whole pass": show_whole_pass,
}
FIRST = next(iter(TABS))
MOVED = {"Segments": FIRST}  # tabs of old links: the segments play on the first screen


def show(data: HeadData) -> None:
    """The tabs; only the open one runs."""
    address.load("view", default=FIRST, read=lambda text: text if text in TABS else MOVED.get(text))
    controls.save_option("Tab", "view", st.session_state["view"])
    places = st.tabs(list(TABS), key="view", on_change=controls.chosen("view"))
    for place, show_tab in zip(places, TABS.values(), strict=True):
        if place.open:
            with place:
                show_tab(data)
