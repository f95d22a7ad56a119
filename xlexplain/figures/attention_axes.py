"""Columns that the matrices of attention share: keys by offset, or distances before the shift."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from xlexplain.figures.labels import minus, percent
from xlexplain.figures.theme import TYPE, Palette
from xlexplain.maths.arrays import FloatArray

AXIS = {"showgrid": False, "zeroline": False, "ticks": "", "tickangle": 0}
Line = list[tuple[float | None, float | None]]  # points x, y; None lifts the pen


@dataclass(frozen=True)
class Columns:
    """Columns -M..L-1 of matrices with up to L queries and M + L keys.

    Keys stand at their offset from the start of the segment. Distances stand in the order of the
    model, the largest first, distance n in column L-1-n: the shift moves row i left by L-1-i.

    Attributes:
        segment_length: L. memory_length: M.
        are_distances: whether a column is a distance.
    """

    segment_length: int
    memory_length: int
    are_distances: bool = False

    @property
    def places(self) -> range:
        """What stands along x."""
        return range(-self.memory_length, self.segment_length)

    def placed(self, values: FloatArray) -> FloatArray:
        """(L, M+L) a segment's values in their columns, nan elsewhere. Args: values: (l, m+l)."""
        rows, count = values.shape
        window = np.full((self.segment_length, len(self.places)), np.nan, np.float32)
        last = len(self.places) if self.are_distances else self.memory_length + rows
        window[:rows, last - count : last] = values
        return window

    def column(self, *, query: int, offset: int) -> int:
        """Where a query's cell for the key at an offset stands."""
        return offset + self.segment_length - 1 - query if self.are_distances else offset

    def offset(self, *, query: int, column: int) -> int:
        """The offset of the key whose cell stands there."""
        return column - (self.segment_length - 1 - query) if self.are_distances else column

    def border(self) -> Line:
        """The line between memory and segment; a staircase where columns are distances."""
        if not self.memory_length:
            return []
        return [
            (self.column(query=row, offset=0) - 0.5, row + side)
            for row in range(self.segment_length)
            for side in (-0.5, 0.5)
        ]

    def without_key(self, *, rows: int, memory_length: int) -> Line:
        """The outline of the masked cells, or of the distances at which there is no key.

        Args: rows, memory_length: l and m of a segment, which may have less of both.
        """
        end = self.column(query=rows - 1, offset=-memory_length if self.are_distances else rows - 1)
        side = -0.5 if self.are_distances else 0.5
        staircase = [
            (self.column(query=row, offset=-memory_length if self.are_distances else row) + side, y)
            for row in range(rows)
            for y in (row - 0.5, row + 0.5)
        ]
        return [(end + side, -0.5), *staircase]


def around(column: float, top: float, bottom: float) -> Line:
    """A line around a cell of a column, and a lifted pen."""
    left, right = column - 0.5, column + 0.5
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    return [*corners, (None, None)]


def xy(line: Line) -> dict[str, Any]:
    """A line as a trace takes it."""
    return {"x": [x for x, _ in line], "y": [y for _, y in line]}


def drawn(color: str, *, width: float) -> dict[str, Any]:
    """How a line is drawn that says something is chosen, or where memory ends."""
    return {
        "type": "scatter",
        "mode": "lines",
        "line": {"color": color, "width": width},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def hatching(columns: Columns, *, palette: Palette) -> dict[str, Any]:
    """How an area without keys is drawn: masked ones lean one way, missing distances the other."""
    return {
        "type": "scatter",
        "mode": "lines",
        "line": {"width": 0},
        "fill": "toself",
        "fillpattern": {
            "shape": "\\" if columns.are_distances else "/",
            "size": 6,
            "solidity": 0.25,
            "fgcolor": palette.masked_ink,
            "bgcolor": palette.masked,
        },
        "hoverinfo": "skip",
        "showlegend": False,
    }


def cells(
    columns: Columns,
    *,
    name: str,
    limit: float,
    is_weight: bool,
    row_height: float,
    palette: Palette,
) -> dict[str, Any]:
    """How the cells of a matrix are drawn: weights from 0, scores diverging around 0.

    Args: limit: the end of the color scale. row_height: px.
    """
    ends = [0, limit] if is_weight else [-limit, limit]
    column = "%{x} back" if columns.are_distances else "key %{x}"
    number = "%{z:.1%}" if is_weight else "%{z:.2f}"
    gap = int(row_height >= 14)
    return {
        "type": "heatmap",
        "name": name,
        "x0": -columns.memory_length,
        "dx": 1,
        "xgap": gap,
        "ygap": gap,
        "zmin": ends[0],
        "zmax": limit,
        "colorscale": palette.sequential if is_weight else palette.diverging,
        "hoverongaps": False,
        "hovertemplate": f"query %{{y}}, {column}<br>{name} {number}<extra></extra>",
        "colorbar": {
            "thickness": 10,
            "outlinewidth": 0,
            "tickvals": ends,
            "ticktext": [percent(end) if is_weight else minus(f"{end:+.1f}") for end in ends],
            "tickfont": {"color": palette.ink, "size": TYPE["fine"]},
            "xpad": 6,
            "ypad": 0,
        },
    }


def ticks(
    places: Sequence[int], tokens: Sequence[str], *, chosen: int, step: int
) -> dict[str, list[object]]:
    """Every `step`-th token at its place, the chosen one in bold."""
    shown = [
        (place, f"<b>{token}</b>" if place == chosen else token)
        for place, token in zip(places, tokens, strict=True)
        if place == chosen or (place % step == 0 and abs(place - chosen) >= step)
    ]
    return {"tickvals": [place for place, _ in shown], "ticktext": [token for _, token in shown]}
