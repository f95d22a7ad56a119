"""Beside the controls: Reset, or in somebody's iframe the link to the whole page."""

from __future__ import annotations

import streamlit as st

from xlexplain.ui import address, frame, parts

LINK = '<a class="xl-out" href="." target="_blank" rel="noopener">Open in a new tab ↗</a>'


def corner() -> None:
    """Draw it."""
    if frame.is_embedded():
        st.container(key="out", width="content").html(LINK)
    else:
        st.button("Reset", key="reset", type="tertiary", on_click=reset)


def reset() -> None:
    """Everything back to its default, all over the page."""
    address.reset()
    parts.redraw(*parts.shown().drawn)
