"""Axes that figures about positions share: keys by offset, segments named and parted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures.theme import Palette
from xlexplain.maths import PositionConflict, segment_name


def key_axis(conflict: PositionConflict) -> dict[str, Any]:
    """An axis of keys by offset, -M..L-1, each segment's name at its middle."""
    L, M = conflict.segment_length, conflict.memory_length
    ages = range(conflict.memory_depth, -1, -1)
    return {
        "title_text": "key",
        "showgrid": False,
        "zeroline": False,
        "range": [-M - 0.5, L - 0.5],
        "tickvals": [(L - 1) / 2 - ago * L for ago in ages],
        "ticktext": [segment_name(ago) for ago in ages],
    }


def borders(conflict: PositionConflict) -> list[float]:
    """Where one segment's keys end and the next one's begin, by offset."""
    L, M = conflict.segment_length, conflict.memory_length
    return [offset - 0.5 for offset in range(L - M, L, L)]


def put_keys_along_x(figure: go.Figure, conflict: PositionConflict, *, palette: Palette) -> None:
    """Keys along x, with a line between segments."""
    figure.update_xaxes(**key_axis(conflict))
    for border in borders(conflict):
        figure.add_vline(x=border, line={"color": palette.ink, "width": 1})


def hatched(points: Sequence[tuple[float, float]], *, palette: Palette) -> go.Scatter:
    """A closed area of keys that may not be seen."""
    x, y = np.array([*points, points[0]]).T
    return go.Scatter(
        x=np.asarray(x, np.float32),
        y=np.asarray(y, np.float32),
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillpattern={
            "shape": "/",
            "size": 6,
            "solidity": 0.25,
            "fgcolor": palette.masked_ink,
            "bgcolor": palette.masked,
        },
        hoverinfo="skip",
        showlegend=False,
        name="after the query",
    )
