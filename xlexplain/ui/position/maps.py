"""Tables of keys on a page, and the report of a click on one of their cells."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

from xlexplain.figures.position_maps import conflict_maps
from xlexplain.ui import address
from xlexplain.ui.position.controls import tokens_of
from xlexplain.ui.settings import Settings

KEY = "maps"
_component = st.components.v2.component(
    "xlexplain.position_maps",
    html="<div></div>",
    js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def show(html: str, *, key: str, on_choose: Callable[[int], None]) -> None:
    """Put tables of keys on the page; `on_choose` is called with the key that was clicked."""

    def call() -> None:
        clicked = (st.session_state.get(key) or {}).get("chosen")
        if clicked is not None:
            on_choose(clicked)

    _component(key=key, data={"html": html}, on_chosen_change=call)


def show_conflict(settings: Settings, *, with_counts: bool = False) -> None:
    """What the model is told, and what is true."""
    html = conflict_maps(
        settings.conflict,
        query=settings.query,
        key=settings.key or 0,
        true_means=settings.true_means,
        tokens=tokens_of(settings),
        palette=settings.palette,
        with_counts=with_counts,
    )
    show(html, key=KEY, on_choose=partial(address.choose, "key"))
