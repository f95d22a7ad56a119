"""The page's components, each registered once; `data` comes from the figures of the same name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from xlexplain.ui.component import register


def component(name: str, *, draws_cells: bool = False) -> Any:
    """Register the component whose html, css and js stand in this folder."""
    return register(
        f"attention_{name}",
        Path(__file__).parent,
        html=f"{name}.html",
        css=f"{name}.css",
        js=["making.js", *(["drawing.js"] if draws_cells else []), f"{name}.js"],
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
