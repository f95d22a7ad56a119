"""The relative shift as one moving figure: every cell is a marker that slides from line to line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures.labels import escaped, four_digits
from xlexplain.figures.player import add_player
from xlexplain.figures.shift_layout import (
    Cells,
    Placement,
    code_placements,
    shown_cells,
    slide_placements,
    window_around,
)
from xlexplain.figures.theme import MARGIN, MONO, TITLE_ROOM, TYPE, Palette, color_at, ink_on, style
from xlexplain.maths import rel_shift_steps
from xlexplain.maths.arrays import BoolArray, FloatArray

WIDE = 700  # px that the columns share
LEAST_PITCH, MOST_PITCH = 22, 36  # px from cell to cell
TALL = 300  # px that the rows share
GAP = 4  # px between two cells
NAMES = 58  # px for the queries' names
HEAD, TOP = 26, 32  # px for the keys' names, and for the legend
AXES = {
    "distance": "distance in tokens back, the farthest first",
    "column": "just the next numbers in memory",
    "key": "",
}


@dataclass(frozen=True)
class ShiftScores:
    """What the figure shows: one head's b + d on one segment, and a cell in it.

    Attributes:
        by_distance: (L, S), column r = distance S-1-r.
        query_tokens, key_tokens: (L,) and (S,) as a reader sees them.
        segments_ago: (S,) 0 for keys of the current segment.
        query, key: the chosen cell, by where it ends.
        changed: row and column of a score that the reader has changed.
    """

    by_distance: FloatArray
    query_tokens: Sequence[str]
    key_tokens: Sequence[str]
    segments_ago: Sequence[int]
    query: int = 0
    key: int = 0
    changed: tuple[int, int] | None = None


def shift_animation(
    scores: ShiftScores,
    *,
    palette: Palette,
    is_sliding: bool = True,
    captions: Sequence[tuple[str, str]] = (),
    notes: Sequence[str] = (),
) -> go.Figure:
    """The five lines of the shift, or its rows sliding, one frame a line of code.

    Of more than 500 cells the figure shows the window around the chosen one.

    Args:
        is_sliding: row i slides left by L-1-i; else the lines pad, re-read, drop, re-read, mask.
        captions: title and subtitle of each frame. notes: what each line writes, after its shape.
    Returns: a figure whose trace "cells" has `ids` = where each cell came from and `customdata` =
        the query and the key where it ends, -1 if it is dropped.
    Raises: ValueError if S < L.
    """
    stages = rel_shift_steps(scores.by_distance)
    L, S = scores.by_distance.shape
    window = window_around(query=scores.query, key=scores.key, segment_length=L, key_count=S)
    cells = shown_cells(stages, window)
    placements = (slide_placements if is_sliding else code_placements)(stages, cells)
    board = Board(scores, cells, placements, palette)
    frames: list[dict[str, Any]] = []
    for number, placement in enumerate(placements):
        note = ", ".join([" × ".join(map(str, placement.shape)), *notes[number : number + 1]])
        title, subtitle = captions[number] if captions else (placement.name, "")
        height = TOP + HEAD + len(placement.rows) * board.pitch_y + GAP
        frames.append(
            {
                "name": f"{placement.code}  # {note}",
                "data": board.frame(number),
                "traces": list(range(7)),
                "layout": {
                    "title": {"text": title, "subtitle": {"text": subtitle}},
                    "meta": {"height": height, "center": board.center(number)},
                },
            }
        )
    figure = style(
        go.Figure(board.traces()),
        palette=palette,
        title=captions[0][0] if captions else placements[0].name,
        height=board.height,
        above=TOP - MARGIN,
        **board.layout(),
    )
    return add_player(figure, frames, palette=palette, moves=True)


@dataclass(frozen=True)
class Board:
    """The cells of a figure in all its frames, and how large they are drawn."""

    scores: ShiftScores
    cells: Cells
    placements: Sequence[Placement]
    palette: Palette

    @cached_property
    def column_count(self) -> int:
        return max(len(one.columns) for one in self.placements)

    @cached_property
    def row_count(self) -> int:
        return max(len(one.rows) for one in self.placements)

    @property
    def pitch_x(self) -> int:
        """px from column to column."""
        return int(np.clip(WIDE / self.column_count, LEAST_PITCH, MOST_PITCH))

    @property
    def pitch_y(self) -> int:
        """px from row to row."""
        return int(np.clip(TALL / self.row_count, LEAST_PITCH, self.pitch_x + 4))

    @property
    def size(self) -> int:
        """px of a cell's side."""
        return min(self.pitch_x, self.pitch_y) - GAP

    @cached_property
    def values(self) -> FloatArray:
        """(N,) the number that each cell carries; 0 for a padded zero."""
        flat = self.scores.by_distance.reshape(-1)
        return np.where(self.cells.is_pad, 0, flat[self.cells.source]).astype(np.float32)

    @cached_property
    def limit(self) -> float:
        """The end of the color scale: the largest score of the whole matrix, or 1."""
        return float(np.abs(self.scores.by_distance).max(initial=0)) or 1.0

    @cached_property
    def inks(self) -> list[str]:
        """(N,) what can be read on each cell."""
        shares = (self.values / self.limit / 2 + 0.5).round(2).tolist()
        fills = (color_at(self.palette.diverging, share) for share in shares)
        return ["#000" if ink_on(fill) == "#000000" else "#fff" for fill in fills]

    @cached_property
    def places(self) -> tuple[list[FloatArray], list[FloatArray]]:
        """Drawn columns and rows of every cell in every frame.

        A cell that is not in the matrix waits, unseen, where it comes in, or rises from its last
        place.
        """
        x = [one.drawn_column.astype(np.float32) for one in self.placements]
        y = [one.drawn_row.astype(np.float32) for one in self.placements]
        is_seen = np.array([one.is_present for one in self.placements])
        for now in range(len(x) - 2, -1, -1):
            comes = ~is_seen[now] & is_seen[now + 1 :].any(axis=0)
            x[now][comes], y[now][comes] = x[now + 1][comes], y[now + 1][comes]
        for now in range(1, len(x)):
            went = ~is_seen[now:].any(axis=0)
            rise = np.where(is_seen[now - 1], 1.5, 0)
            x[now][went], y[now][went] = x[now - 1][went], (y[now - 1] - rise)[went]
        return x, y

    def traces(self) -> list[dict[str, Any]]:
        """Seven that the frames change: names of columns and rows, masked cells, all cells,
        left-overs, the border of memory, the chosen cell. Then what the legend alone shows."""
        scores, cells, palette = self.scores, self.cells, self.palette
        font = {"family": MONO, "size": TYPE["fine"], "color": palette.ink}
        is_chosen_row = (cells.query == scores.query) & ~cells.is_pad
        drawn: list[dict[str, Any]] = [
            {
                "mode": "markers+text",
                "name": "keys",
                "textfont": font,
                "marker": {"symbol": "square", "size": 20},
            },
            {"mode": "text", "textfont": font, "textposition": "middle left"},
            {"name": "masked", "line": {"color": palette.masked_ink, "width": 1}},
            {
                "mode": "markers+text",
                "name": "cells",
                "ids": [str(source) for source in cells.source],
                "customdata": np.stack([cells.final_row, cells.final_column], 1)
                .clip(-1)
                .astype(np.int16),
                "hovertext": self.hover_texts(),
                "hoverinfo": "text",
                "textfont": {"family": MONO, "size": TYPE["fine"]},
                "marker": {
                    "symbol": "square",
                    "size": self.size,
                    "color": self.values,
                    "cmin": -self.limit,
                    "cmax": self.limit,
                    "colorscale": [list(stop) for stop in palette.diverging],
                    "line": {"color": palette.ink, "width": np.where(is_chosen_row, 1.5, 0)},
                    "colorbar": self.color_bar(),
                },
            },
            {"name": "left over", "line": {"color": palette.ink, "width": 1.5, "dash": "2px,2px"}},
            {"line": {"color": palette.ink, "width": 2.5}},
            {"line": {"color": self.chosen_color, "width": 3.5}},
        ]
        ages = {"segment": palette.current}
        if max(scores.segments_ago) > 0:
            ages = {"memory": palette.segment(1)} | ages
        has_left = bool(cells.is_left_over.any())
        for one in drawn:
            one["cliponaxis"] = False
            one.setdefault("mode", "lines")
            one.setdefault("hoverinfo", "skip")
            one["showlegend"] = has_left and one.get("name") in ("masked", "left over")
        named = [
            {
                "mode": "markers",
                "x": [-99],  # out of sight: the legend alone shows it
                "y": [-99],
                "name": name,
                "marker": {"symbol": "square", "size": 12, "color": color},
                "hoverinfo": "skip",
            }
            for name, color in ages.items()
        ]
        for one, first in zip(drawn, self.frame(0), strict=True):
            one |= {
                name: {**one.get(name, {}), **value} if isinstance(value, dict) else value
                for name, value in first.items()
            }
        return [*drawn, *named]

    @property
    def chosen_color(self) -> str:
        """Of the outline: the changed cell has the accent."""
        return self.palette.accent if self.scores.changed else self.palette.ink

    def center(self, number: int) -> float:
        """Where the chosen cell stands in a frame, as a share of the figure's width."""
        places = self.places[0][number][self.is_chosen]
        width = NAMES + self.column_count * self.pitch_x + GAP
        return (NAMES + (float(places[0]) + 0.5) * self.pitch_x) / width if len(places) else 0.5

    @cached_property
    def is_chosen(self) -> BoolArray:
        """(N,) True for the chosen cell."""
        cells, scores = self.cells, self.scores
        return np.equal(cells.final_row, scores.query) & np.equal(cells.final_column, scores.key)

    def color_bar(self) -> dict[str, Any]:
        """What the colors mean, above the matrix."""
        return {
            "orientation": "h",
            "title": {"text": "b + d", "side": "right"},
            "tickvals": [-self.limit * 0.8, self.limit * 0.8],
            "ticktext": [four_digits(-self.limit), four_digits(self.limit)],
            "tickfont": {"color": self.palette.ink, "size": TYPE["fine"]},
            "thickness": 9,
            "lenmode": "pixels",
            "len": 170,
            "outlinewidth": 0,
            "x": 1,
            "xanchor": "right",
            "y": 1,
            "yanchor": "bottom",
            "ypad": 0,
        }

    def hover_texts(self) -> list[str]:
        """(N,) what is said of each cell that is pointed at."""
        rows = zip(
            self.cells.query.tolist(), self.cells.distance.tolist(), self.values, strict=True
        )
        return [
            f"query {query}, {distance} back: {four_digits(float(value))}"
            if distance >= 0
            else f"the zero before query {query}"
            for query, distance, value in rows
        ]

    def frame(self, number: int) -> list[dict[str, Any]]:
        """What the seven traces are in a frame."""
        placement, palette, cells = self.placements[number], self.palette, self.cells
        x, y = (axis[number] for axis in self.places)
        is_masked, is_present = placement.is_masked, placement.is_present
        is_last = number == len(self.placements) - 1
        is_over = cells.is_left_over & is_present & (number >= len(self.placements) - 2)
        is_chosen = self.is_chosen
        border = self.border(placement)
        names, fills = self.column_names(placement)
        inset = 0.5 - GAP / 2 / self.pitch_x, 0.5 - GAP / 2 / self.pitch_y
        over = strokes(SQUARE, x[is_over & (not is_last)], y[is_over & (not is_last)], inset)
        is_hidden = is_over & is_last
        hidden = strokes(HATCHES, x[is_hidden], y[is_hidden], inset)
        chosen = strokes(SQUARE, x[is_chosen], y[is_chosen], inset)
        return [
            {
                "x": np.arange(self.column_count, dtype=np.int16),
                "y": np.full(self.column_count, -0.9, np.float32),
                "text": names,
                "marker": {"color": fills},
            },
            self.row_names(placement),
            {"x": hidden[0], "y": hidden[1]},
            {
                "x": x,
                "y": y,
                "text": self.cell_texts(placement),
                "textfont": {
                    "color": [
                        palette.ink if one else ink
                        for one, ink in zip(is_masked, self.inks, strict=True)
                    ]
                },
                "marker": {"opacity": (is_present & ~is_masked).astype(np.float32)},
            },
            {"x": over[0], "y": over[1]},
            {
                "x": [border - 0.5, border - 0.5],
                "y": [-1, len(placement.rows) - 0.5],
                "opacity": 1 if border else 0,
            },
            {
                "x": chosen[0],
                "y": chosen[1],
                "opacity": 1 if is_present[is_chosen].any() else 0,
            },
        ]

    def cell_texts(self, placement: Placement) -> list[str]:
        """(N,) each cell's distance; −∞ once it is masked, nothing where it is not there."""
        changed = -1
        if self.scores.changed:
            changed = self.scores.changed[0] * len(self.scores.key_tokens) + self.scores.changed[1]
        return [
            ""
            if not is_present
            else "−∞"
            if is_masked
            else "pad"
            if distance < 0
            else f"{distance}{'*' if source == changed else ''}"
            for is_present, is_masked, distance, source in zip(
                placement.is_present,
                placement.is_masked,
                self.cells.distance.tolist(),
                self.cells.source.tolist(),
                strict=True,
            )
        ]

    def column_names(self, placement: Placement) -> tuple[list[str], list[str]]:
        """Above the columns: the keys' tokens, each on its segment's color; else nothing."""
        scores, clear = self.scores, "rgba(0,0,0,0)"
        names, fills = [""] * self.column_count, [clear] * self.column_count
        if placement.column_axis == "key":
            for place, key in enumerate(placement.columns.tolist()):
                if 0 <= key < len(scores.key_tokens):
                    names[place] = escaped(scores.key_tokens[key])
                    fills[place] = self.palette.segment(scores.segments_ago[key])
        return names, fills

    def row_names(self, placement: Placement) -> dict[str, Any]:
        """Before the rows: queries with their tokens, or numbers; above them what columns are."""
        tokens = self.scores.query_tokens
        has_queries = placement.row_axis == "query"
        names = [
            f"{row} {escaped(tokens[row])}" if has_queries else str(row)
            for row in placement.rows.tolist()
        ]
        names += [""] * (self.row_count - len(names))
        axis = AXES[placement.column_axis]
        first = placement.drawn_column[placement.is_present].min()
        return {
            "x": np.full(self.row_count + 2, first - 0.6, np.float32),
            "y": np.array([-0.9, -0.9, *range(self.row_count)], np.float32),
            "text": [placement.row_axis, f"  {axis}", *names],
            "textposition": ["middle left", "middle right", *["middle left"] * self.row_count],
        }

    def border(self, placement: Placement) -> int:
        """The drawn column where memory ends and the segment begins; 0 where there is no such."""
        is_current = [
            placement.column_axis == "key" and key >= 0 and self.scores.segments_ago[key] == 0
            for key in placement.columns.clip(None, len(self.scores.key_tokens) - 1).tolist()
        ]
        return is_current.index(True) if any(is_current) else 0

    @property
    def height(self) -> int:
        """px below a title of one line, with room for it."""
        return TITLE_ROOM + TOP + HEAD + self.row_count * self.pitch_y + GAP

    def layout(self) -> dict[str, Any]:
        """As many pixels for every column and row; the legend above them."""
        left, head = NAMES / self.pitch_x, HEAD / self.pitch_y
        return {
            "width": NAMES + self.column_count * self.pitch_x + GAP,
            "margin": {"l": 0, "r": GAP, "b": GAP, "autoexpand": False},
            "legend": {
                "orientation": "h",
                "x": 0,
                "y": 1,
                "yanchor": "bottom",
                "itemclick": False,
                "itemdoubleclick": False,
            },
            "xaxis": {"visible": False, "range": [-0.5 - left, self.column_count - 0.5]},
            "yaxis": {"visible": False, "range": [self.row_count - 0.5, -0.5 - head]},
        }


SQUARE = ((-1, 1, 1, -1, -1, np.nan), (-1, -1, 1, 1, -1, np.nan))
HATCHES = (  # in a cell from -1 to 1
    (-1, 0, np.nan, -1, 1, np.nan, 0, 1, np.nan),
    (0, -1, np.nan, 1, -1, np.nan, 1, 0, np.nan),
)


def strokes(
    shape: tuple[Sequence[float], Sequence[float]],
    x: FloatArray,
    y: FloatArray,
    half: tuple[float, float],
) -> tuple[FloatArray, FloatArray]:
    """A shape drawn in every cell, as one line with gaps; plotly can't move hatched areas."""
    lines = x[:, None] + half[0] * np.array(shape[0]), y[:, None] + half[1] * np.array(shape[1])
    return lines[0].ravel().astype(np.float32), lines[1].ravel().astype(np.float32)
