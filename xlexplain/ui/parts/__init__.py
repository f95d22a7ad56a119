"""A page in parts: a first screen that answers at once, and sections below that follow.

A page with many sections costs server and browser several times what its first screen costs. So a
choice made in the first screen redraws the first screen, and what of the sections is in the window;
the browser asks for the others when they are scrolled to, or when the reader pauses. A run of the
whole page draws everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from xlexplain.ui import address, frame
from xlexplain.ui.component import register, reported

FIRST, NOTHING = "first-screen", "nothing"
REPORTER, SHOWN, IN_VIEW = "parts", "parts-shown", "parts-in-view"

mount = register(
    "parts",
    Path(__file__).parent,
    html='<div class="xl-parts"></div>',
    css="parts.css",
    js=["parts.js"],
    isolate_styles=False,
)


@dataclass
class Shown:
    """What one reader's session knows of the parts of its page.

    Attributes:
        sections: their names, in order; none if the page has no parts.
        settings: what the first screen returned, and all sections follow.
        turn: counts the changes of the settings.
        redrawn: sections that are drawn in the same run as the first screen.
        page: which page it is, by Streamlit's hash.
        drawn: keys of the parts that are on the page; fewer while it is being drawn.
        is_first: whether the first screen is being drawn.
    """

    sections: tuple[str, ...] = ()
    settings: Any = None
    turn: int = 0
    redrawn: tuple[str, ...] = ()
    page: str = ""
    drawn: set[str] = field(default_factory=set)
    is_first: bool = False


def shown() -> Shown:
    """This session's."""
    found: Shown = st.session_state.setdefault(SHOWN, Shown())
    return found


def draw(first: Callable[[], Any], sections: Mapping[str, Callable[[Any], None]]) -> None:
    """Draw a page; within an iframe the first screen only.

    Args:
        first: draws the first screen and returns the settings, which are compared with `==`.
        sections: by name, in order, each taking the settings; a name is letters and hyphens.
    """
    if frame.is_embedded():
        sections = {}
    state = shown()
    state.sections = state.redrawn = tuple(sections)
    state.page, state.drawn = address.page_hash(), set()
    draw_first(first)
    draw_nothing()
    for name, show in sections.items():
        draw_section(name, show)


@st.fragment(key=FIRST)
def draw_first(first: Callable[[], Any]) -> None:
    """The first screen, and what tells in the browser which sections are in view or wanted."""
    state = shown()
    state.drawn.add(FIRST)
    with address.written_once(), marked(state):
        settings = first()
    if settings != state.settings:
        state.settings = settings
        state.turn += 1
    stale = [name for name in state.sections if name not in state.redrawn]
    state.redrawn = ()
    if state.sections:
        data = {"sections": state.sections, "turn": state.turn, "stale": stale}
        mount(key=REPORTER, data=data, on_view_change=take_view, height=1)


@contextmanager
def marked(state: Shown) -> Iterator[None]:
    """While the first screen is being drawn."""
    state.is_first = True
    try:
        yield
    finally:
        state.is_first = False


def draw_section(name: str, show: Callable[[Any], None]) -> None:
    """One section, which can be drawn again alone."""

    @st.fragment(key=part(name))
    def section() -> None:
        shown().drawn.add(part(name))
        with st.container(key=part(name)):
            show(shown().settings)

    section()


def part(name: str) -> str:
    """A section's key."""
    return f"part-{name}"


@st.fragment(key=NOTHING)
def draw_nothing() -> None:
    """What is drawn again when the browser tells something that changes no part of the page."""
    shown().drawn.add(NOTHING)


def take_view() -> None:
    """Keep what is in view, and draw what the browser wants."""
    view = reported(REPORTER, "view")
    wanted: tuple[str, ...] = ()
    if isinstance(view, dict):
        st.session_state[IN_VIEW] = view.get("in_view")
        wanted = tuple(one for one in known(view.get("wanted")) if part(one) in shown().drawn)
    if is_here(NOTHING):
        st.rerun([part(name) for name in wanted] or NOTHING)


def is_here(key: str) -> bool:
    """In a callback: whether this run is for the page that is shown, and a part stands on it."""
    state = shown()
    is_shown = address.page_hash() == state.page and not address.is_history_run()
    return is_shown and key in state.drawn


def known(names: object) -> tuple[str, ...]:
    """Those of a browser's names that are sections of this page."""
    return tuple(name for name in shown().sections if isinstance(names, list) and name in names)


def redraw(*names: str) -> None:
    """In a callback: draw the first screen again, these sections, and those in view.

    Not if the reader is on the way to another page or back, nor if the first screen is not there:
    then what was asked for anyway is drawn.
    """
    state = shown()
    if not is_here(FIRST):
        return
    wanted = (*known(st.session_state.get(IN_VIEW)), *names)
    state.redrawn = tuple(
        name for name in state.sections if name in wanted and part(name) in state.drawn
    )
    st.rerun([FIRST, *map(part, state.redrawn)])


def on_choice(take: Callable[[], None], *, redraws_all: bool = False) -> Callable[[], None]:
    """A callback for what is being drawn now, on any page.

    Args: take: takes the reader's choice; then what follows it is redrawn.
    """
    state = shown()
    if not state.is_first:
        return take

    def callback() -> None:
        take()
        names = state.sections if redraws_all else known(st.session_state.get(IN_VIEW))
        if names or not address.is_partial_run():
            redraw(*names)

    return callback
