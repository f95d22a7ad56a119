"""Sections below the first screen, which a moving slider need not wait for.

A page with many sections costs server and browser several times what its first screen costs, at
every move of a slider. Here all sections are drawn at first, and the browser tells which of them
are in the window. When the settings change, only those are drawn at once; the others when they are
scrolled to, or when the reader pauses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from xlexplain.ui.component import register

IN_VIEW, DRAWN, SETTINGS, REPORTER = "later-in-view", "later-drawn", "later-settings", "later"
FRAGMENT = "later-sections"

mount = register(
    "later",
    Path(__file__).parent,
    html='<div class="xl-later"></div>',
    css="later.css",
    js=["later.js"],
    isolate_styles=False,
)

Sections = Mapping[str, Callable[[], None]]


def draw_as_reached(page: str, sections: Sections, *, settings: object) -> None:
    """Draw the sections of a page, in order.

    Args:
        sections: by name; a name is letters and hyphens.
        settings: what they follow; compared with `==`.
    """
    state = st.session_state
    before, state[SETTINGS] = state.get(SETTINGS), (page, settings)
    if before is None or before[0] != page:
        state[DRAWN] = set(sections)
    elif before != state[SETTINGS]:
        state[DRAWN] = set(state.get(IN_VIEW, ()))
    draw(sections)
    report(list(sections))


@st.fragment(key=FRAGMENT)
def draw(sections: Sections) -> None:
    """Those that are to be drawn; an empty place for each of the others."""
    for name, show in sections.items():
        with st.container(key=f"later-{name}"):
            if name in st.session_state[DRAWN]:
                show()


@st.fragment
def report(names: list[str]) -> None:
    """Let the browser tell what is in view, and when the reader pauses."""
    mount(
        key=REPORTER,
        data={
            "sections": names,
            "settings": repr(st.session_state[SETTINGS]),
            "complete": st.session_state[DRAWN] >= set(names),
        },
        on_in_view_change=take_view,
        on_wanted_change=lambda: draw_too(names),
        height=1,
    )


def take_view() -> None:
    """Keep what is in view, and draw what of it is not drawn yet."""
    in_view = list(st.session_state[REPORTER].get("in_view") or ())
    st.session_state[IN_VIEW] = in_view
    draw_too(in_view)


def draw_too(names: list[str]) -> None:
    """Draw these sections as well."""
    if not st.session_state[DRAWN].issuperset(names):
        st.session_state[DRAWN] |= set(names)
        st.rerun(FRAGMENT)
