"""What every page has around its figure: question, answer, links to its neighbours."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import streamlit as st

from xlexplain.figures.theme import DARK, LIGHT, Palette, css_variables
from xlexplain.ui import prose, references, site

T = TypeVar("T")
PAINT = 0.06  # s
HERE = Path(__file__).parent
STYLE = "".join(
    (HERE / name).read_text("utf-8") for name in ("frame.css", "figure.css", "paper.css")
)
# Figures hold the colours of the dark theme, and a page that is printed can't ask for others: light
# and dark change places, each hue stays what it is, and the ground becomes white.
INVERTED = "invert(1) hue-rotate(180deg) brightness(1.12)"
EMBEDDED_STYLE = (HERE / "embedded.css").read_text(encoding="utf-8")
SCRIPTS = "".join(
    f"<script>{(HERE / name).read_text(encoding='utf-8')}</script>"
    for name in ("scroll_boxes.js", "address.js", "sliders.js")
)

theme = st.components.v2.component(
    "xlexplain.theme",
    html="<i></i>",
    css=".st-key-theme {display: none;}",
    js=(HERE / "theme.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def palette() -> Palette:
    """The colours of the theme that this reader's browser shows."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def is_embedded() -> bool:
    """Whether the page stands in an iframe on somebody's course page (`?embed=true`)."""
    return bool(st.context.is_embedded)


def set_up(name: str) -> None:
    """What each run begins with: the page's title and icon, the style, what looks after history."""
    references.limit()
    page = site.entry(name)
    st.set_page_config(page_title=page.tab_title, page_icon=page.icon)
    embedded = EMBEDDED_STYLE if is_embedded() else ""
    st.html(f"<style>{variables(palette())}{STYLE}{embedded}</style>")
    st.html(f'<span class="xl-scripts"></span>{SCRIPTS}', unsafe_allow_javascript=True)


def run_again() -> None:
    """The browser has changed between light and dark: a run of the page is all that it takes."""


def ask(name: str, **values: object) -> None:
    """The page's question as its heading, and the answer in a sentence; `values` as in prose."""
    st.title(prose.section(name, "question", **values), anchor=False)
    st.html(f'<p class="xl-lede">{prose.section(name, "answer", **values)}</p>')


def draw(first_screen: Callable[[], T], sections: Mapping[str, Callable[[T], None]]) -> None:
    """Draw a page; within an iframe the first screen only.

    Streamlit's browser side takes in messages and draws nothing while more of them come. A moment
    of silence after the first screen lets it draw that first, in two thirds of the time.

    Args:
        first_screen: draws it and returns what all sections follow.
        sections: by name, in order; a name is letters and hyphens.
    """
    settings = first_screen()
    if is_embedded():
        return
    time.sleep(PAINT)
    for name, show in sections.items():
        with st.container(key=f"section-{name}"):
            show(settings)


def variables(palette: Palette) -> str:
    """What the style sheets take from the theme: its single colours, and the sizes of type."""
    named = {f"xl-{name}": one for name, one in palette.css.items()}
    on_paper = {"xl-paper": INVERTED if palette.is_dark else "none"}
    return f".stApp {{{css_variables(named | on_paper)}}}\n"


def close_page(name: str) -> None:
    """Links to the pages before and after, and what watches for light and dark."""
    theme(key="theme", data={"isDark": palette().is_dark}, on_changed_change=run_again, height=1)
    if is_embedded():
        return
    before, after = site.neighbours(name)
    st.divider()
    ends = st.container(
        key="neighbours",
        horizontal=True,
        horizontal_alignment="distribute" if before else "right",
    )
    if before:
        ends.page_link(before.script, label=f"Before: {before.title}", icon=":material/arrow_back:")
    if after:
        ends.page_link(
            after.script,
            label=f"Next: {after.title}",
            icon=":material/arrow_forward:",
            icon_position="right",
        )
