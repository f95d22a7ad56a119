"""Beside the controls: Reset, or in somebody's iframe the link to the whole page."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from xlexplain.ui import address, frame, parts
from xlexplain.ui.component import compact

HERE = Path(__file__).parent
LINK = '<a class="xl-out" href="." target="_blank" rel="noopener">Open in a new tab ↗</a>'
STYLE = (HERE / "corner.css").read_text(encoding="utf-8")
EMBEDDED_STYLE = (HERE / "embedded.css").read_text(encoding="utf-8")
SCRIPT = compact((HERE / "address.js").read_text(encoding="utf-8"))


def corner() -> None:
    """Draw it; with it comes what looks after the browser's history."""
    is_embedded = frame.is_embedded()
    style = STYLE + EMBEDDED_STYLE if is_embedded else STYLE
    with st.container(key="corner", width="content"):
        st.html(
            f'<span class="xl-corner">{LINK if is_embedded else ""}</span>'
            f"<style>{style}</style><script>{SCRIPT}</script>",
            unsafe_allow_javascript=True,
        )
        if not is_embedded:
            st.button(
                "Reset",
                key="reset",
                type="tertiary",
                on_click=parts.on_choice(address.reset, redraws_all=True),
            )
