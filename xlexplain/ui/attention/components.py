"""The page's components, each registered once; `data` comes from the figures of the same name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

FOLDER = Path(__file__).parent


def compact(source: str) -> str:
    """Without indents, blank lines and lines of comment: it is sent anew with every change.

    >>> compact("// why\\n{\\n  go();\\n}\\n")
    '{\\ngo();\\n}\\n'
    """
    lines = (line.strip() for line in source.splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


def component(name: str, *, draws_cells: bool = False) -> Any:
    """Register the component whose html, css and js stand in this folder."""

    def read(file: str) -> str:
        return compact((FOLDER / file).read_text(encoding="utf-8"))

    return st.components.v2.component(
        f"xlexplain.attention_{name}",
        html=read(f"{name}.html"),
        css=read(f"{name}.css"),
        js=read("making.js") + (read("drawing.js") if draws_cells else "") + read(f"{name}.js"),
    )


_scores = component("scores")
_matrices = component("matrices", draws_cells=True)
_heads = component("heads", draws_cells=True)
_segments = component("segments", draws_cells=True)
_surprise = component("surprise")


def nothing() -> None:
    """Where a click has no effect on the page."""


def scores(
    data: dict[str, Any], *, key: str, on_key: Callable[[], None], on_query: Callable[[], None]
) -> None:
    """One query's scores; called back when the reader chooses a key, or another token to ask."""
    _scores(key=key, data=data, on_key_change=on_key, on_query_change=on_query)


def matrices(data: dict[str, Any], *, key: str, on_cell: Callable[[], None] = nothing) -> None:
    """Matrices with linked marks; the trigger `cell` holds the chosen [query, key]."""
    _matrices(key=key, data=data, on_cell_change=on_cell)


def heads(data: dict[str, Any], *, key: str, on_head: Callable[[], None]) -> None:
    """Small multiples; the trigger `head` holds the chosen [layer, head], counted from 0."""
    _heads(key=key, data=data, on_head_change=on_head)


def segments(data: dict[str, Any], *, key: str, on_segment: Callable[[], None]) -> None:
    """The text segment by segment; the trigger `segment` holds the one to look at."""
    _segments(key=key, data=data, on_segment_change=on_segment)


def surprise(data: dict[str, Any], *, key: str) -> None:
    """The text by surprise, once for each reading."""
    _surprise(key=key, data=data)
