"""What stands below the page's figure; each part is computed when its tab is open."""

from __future__ import annotations

import streamlit as st

from xlexplain.ui import controls
from xlexplain.ui.attention.experimenting import show_models, show_switches
from xlexplain.ui.attention.looking import (
    show_heads,
    show_matrices,
    show_segments,
    show_whole_pass,
)
from xlexplain.ui.attention.predicting import show_next_character
from xlexplain.ui.attention.view import View

TABS = {
    "Matrices": show_matrices,
    "All heads": show_heads,
    "Segments": show_segments,
    "Next character": show_next_character,
    "Switch terms off": show_switches,
    "Swap the model": show_models,
    "Whole pass": show_whole_pass,
}


def show(view: View) -> None:
    """The tabs; only the open one runs."""
    controls.load_option("view", list(TABS))
    controls.save_option("View", "view", st.session_state["view"])
    places = st.tabs(list(TABS), key="view", on_change=controls.chosen("view"))
    for place, part in zip(places, TABS.values(), strict=True):
        if place.open:
            with place:
                part(view)
