"""A page in parts: a first screen that answers at once, and sections below that follow.

A page with many sections costs server and browser several times what its first screen costs. So a
choice made in the first screen redraws the first screen, and the sections when the reader pauses;
a choice made in a section redraws that section. A run of the whole page draws everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from xlexplain.ui import address, frame, run
from xlexplain.ui.component import register

FIRST, SECTIONS, SHOWN, PREFIX = "first-screen", "sections", "parts-shown", "part-"
HERE = Path(__file__).parent

watch = register(
    "parts",
    HERE,
    html='<div class="xl-parts"></div>',
    css="parts.css",
    js=["parts.js"],
    isolate_styles=False,
)
ask = register("ask", HERE, html="<i></i>", css="ask.css", js=["ask.js"], isolate_styles=False)


@dataclass
class Shown:
    """What one reader's session knows of the parts of its page.

    Attributes:
        page: which page it is, by Streamlit's hash.
        first: Streamlit's name of the first screen; "" before it is drawn.
        drawn: the sections that are on the page; fewer while it is being drawn.
        settings: what the first screen returned, and all sections follow.
        turn: counts the changes of the settings.
        redrawn: the sections that are drawn in the same run as the first screen.
        is_first: whether the first screen is being drawn.
    """

    page: str = ""
    first: str = ""
    drawn: set[str] = field(default_factory=set)
    settings: Any = None
    turn: int = 0
    redrawn: set[str] = field(default_factory=set)
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
    state.page, state.first, state.drawn = run.page(), "", set()
    state.redrawn = set(sections)
    draw_first(first, list(sections))
    if sections:
        draw_sections(sections)


@st.fragment(key=FIRST)
def draw_first(first: Callable[[], Any], sections: list[str]) -> None:
    """The first screen, and what has the sections drawn when the reader pauses."""
    state = shown()
    state.first = run.part()
    with address.written_once(), marked(state):
        settings = first()
    if settings != state.settings:
        state.settings = settings
        state.turn += 1
    is_stale = not state.redrawn.issuperset(sections)
    state.redrawn = set()
    if sections:
        watch(key="parts", data={"turn": state.turn, "isStale": is_stale}, height=1)


@contextmanager
def marked(state: Shown) -> Iterator[None]:
    """While the first screen is being drawn."""
    state.is_first = True
    try:
        yield
    finally:
        state.is_first = False


@st.fragment(key=SECTIONS)
def draw_sections(sections: Mapping[str, Callable[[Any], None]]) -> None:
    """All sections, and what asks for them in the browser."""
    with st.container(key=SECTIONS):
        for name, show in sections.items():
            draw_section(name, show)
    ask(key="ask", data={"turn": shown().turn}, on_wanted_change=nothing, height=1)


def draw_section(name: str, show: Callable[[Any], None]) -> None:
    """One section, which can be drawn again alone."""

    @st.fragment(key=part(name))
    def section() -> None:
        shown().drawn.add(name)
        with st.container(key=part(name)):
            show(shown().settings)

    section()


def nothing() -> None:
    """The callback of what is only to be drawn again."""


def part(name: str) -> str:
    """A section's key."""
    return PREFIX + name


def redraw(*names: str) -> None:
    """In a callback: draw the first screen again, and with it these sections.

    Not if the reader is on the way to another page or back, nor if the first screen is not there:
    then what was asked for anyway is drawn.
    """
    state = shown()
    if state.first and run.page() == state.page and not run.is_history():
        state.redrawn = state.drawn.intersection(names)
        st.rerun([FIRST, *map(part, sorted(state.redrawn))])


def on_choice(take: Callable[[], None]) -> Callable[[], None]:
    """A callback for what is being drawn now, on any page: take the reader's choice.

    In the first screen it sees to it that the first screen is drawn again, whatever else comes in
    the same message, and only that where a message names no part.
    """
    if not shown().is_first:
        return take

    def callback() -> None:
        take()
        if shown().first not in run.parts():
            redraw()

    return callback
