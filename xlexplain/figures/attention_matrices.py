"""L × S matrices of one head: the terms, before and after the shift, the score, the weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures.attention_axes import (
    AXIS,
    Columns,
    around,
    cells,
    drawn,
    hatching,
    ticks,
    xy,
)
from xlexplain.figures.labels import escaped, percent, signed
from xlexplain.figures.theme import MONO, TYPE, Palette, style
from xlexplain.maths import AttentionTrace
from xlexplain.maths.arrays import BoolArray, FloatArray

Scale = Literal["diverging", "sequential"]
MATRIX_HEIGHT = 240  # px at most, for the rows of one matrix
ROW_HEIGHTS = (8, 24)  # px, the least and the most
HEADING = 46  # px above each matrix
BAND = 18  # px between the two, for the names of the columns


@dataclass(frozen=True)
class MatrixPanel:
    """One matrix to draw.

    Attributes:
        name, caption: what the heading starts with, and a line under it.
        values: (L, S).
        is_masked: (L, S) True for cells that are hatched; they have no value.
        are_distances: whether a column is a distance: column r is distance S-1-r.
    """

    name: str
    caption: str
    values: FloatArray
    is_masked: BoolArray
    scale: Scale = "diverging"
    are_distances: bool = False

    @property
    def columns(self) -> Columns:
        """Where they stand along the axis."""
        rows, count = self.values.shape
        return Columns(rows, count - rows, self.are_distances)

    def written(self, value: float) -> str:
        """A value in words."""
        return percent(value, 1) if self.scale == "sequential" else signed(value)

    @property
    def limit(self) -> float:
        """The end of the colour scale: the largest absolute value that is not masked, or 0."""
        seen = np.abs(self.values[~self.is_masked])
        return float(seen.max()) if seen.size else 0.0

    @property
    def finding(self) -> str:
        """What the matrix shows, in words: its value farthest from 0, and where."""
        size = np.where(self.is_masked, -1, np.abs(self.values))
        query, column = np.unravel_index(int(size.argmax()), size.shape)
        if size[query, column] < 0:
            return "every cell is masked"
        if size[query, column] == 0:
            return "every value is 0"
        shown = self.written(float(self.values[query, column]))
        distance = self.values.shape[1] - 1 - int(column)
        place = f"distance {distance}" if self.are_distances else f"key {column}"
        what = "the largest" if self.scale == "sequential" else "farthest from 0"
        return f"{what} is {shown}, at query {query} and {place}"


def head_panels(layer: AttentionTrace, *, head: int) -> list[MatrixPanel]:
    """What one head computed, in the order of the computation; an absolute model has no b + d."""
    is_masked = layer.is_masked
    panels = [MatrixPanel("a + c", "what the key is", layer.ac[head], is_masked)]
    if layer.bd_by_distance is not None:
        panels += [
            MatrixPanel(
                "b + d by distance",
                "before the shift: distances",
                layer.bd_by_distance[head],
                is_masked[:, ::-1],
                are_distances=True,
            ),
            MatrixPanel("b + d by key", "after the shift: keys", layer.bd[head], is_masked),
        ]
    return [
        *panels,
        MatrixPanel(
            f"score: sum ÷ √{layer.query.shape[-1]}",
            "(a + b + c + d) ÷ √d_head",
            (layer.ac[head] + layer.bd[head]) * np.float32(layer.scale),
            is_masked,
        ),
        weights_panel(layer, head=head),
    ]


def weights_panel(
    layer: AttentionTrace, *, head: int, name: str = "weights", caption: str = "softmax of a row"
) -> MatrixPanel:
    """The probabilities of one head."""
    return MatrixPanel(name, caption, layer.probs[head], layer.is_masked, scale="sequential")


def matrices(
    panels: Sequence[MatrixPanel],
    *,
    tokens: Sequence[str],
    query: int,
    key: int,
    palette: Palette,
) -> go.Figure:
    """Matrices of one segment below each other: one axis of keys, one cursor, one chosen cell.

    A matrix may have fewer keys than the others, as in a model with less memory: its last ones.

    Args: tokens: (S,) the keys' tokens; the last L of them are the queries'.
    """
    L, S = len(panels[0].values), len(tokens)
    stack = Stack(
        panels,
        tokens=tuple(map(escaped, tokens)),
        query=query,
        offset=key - (S - L),
        row_height=float(np.clip(MATRIX_HEIGHT / L, *ROW_HEIGHTS)),
        palette=palette,
    )
    figure = go.Figure([trace for number in range(len(panels)) for trace in stack.traces(number)])
    style(figure, palette=palette, height=round(stack.height) + 12)
    figure.update_layout(
        showlegend=False,
        margin={"l": 8, "r": 4, "t": 4, "b": 8},
        meta=figure.layout.meta | {"min_width": min(700, 100 + 22 * S)},
        annotations=[stack.heading(number) for number in range(len(panels))],
        **stack.axes(),
    )
    return figure


@dataclass(frozen=True)
class Stack:
    """What matrices below each other share; for the attributes see `matrices`.

    Attributes:
        offset: of the chosen key, from the start of the segment.
        row_height: px.
    """

    panels: Sequence[MatrixPanel]
    tokens: tuple[str, ...]
    query: int
    offset: int
    row_height: float
    palette: Palette

    @property
    def rows(self) -> int:
        return len(self.panels[0].values)

    @property
    def height(self) -> float:
        """px of them all."""
        return len(self.panels) * (HEADING + BAND + self.rows * self.row_height)

    def top(self, number: int) -> float:
        """Where the names of a matrix's columns begin, as a share of the height from below."""
        return 1 - (number / len(self.panels) + HEADING / self.height)

    def heading(self, number: int) -> dict[str, Any]:
        """A matrix's name, what it is, what it shows, and its value in the chosen cell."""
        panel = self.panels[number]
        return {
            "text": f"<b>{panel.name}</b>, {panel.caption}<br>{panel.finding}{self.chosen(panel)}",
            "x": 0,
            "xref": "paper",
            "xanchor": "left",
            "y": self.top(number),
            "yref": "paper",
            "yanchor": "bottom",
            "align": "left",
            "showarrow": False,
            "font": {"size": TYPE["small"], "color": self.palette.ink},
        }

    def column(self, panel: MatrixPanel) -> int:
        """Where the chosen cell stands."""
        return panel.columns.column(query=self.query, offset=self.offset)

    def chosen(self, panel: MatrixPanel) -> str:
        """The value of the chosen cell, in words."""
        column = self.column(panel) + panel.columns.memory_length
        if column < 0:
            return ""
        if column >= panel.values.shape[1] or panel.is_masked[self.query, column]:
            return "; chosen: masked"
        return f"; chosen: {panel.written(float(panel.values[self.query, column]))}"

    def traces(self, number: int) -> list[dict[str, Any]]:
        """Cells, hatching, chosen cell, border, and the names of the columns."""
        panel, palette = self.panels[number], self.palette
        columns, m = panel.columns, panel.columns.memory_length
        names = [
            str(self.rows - 1 - place) if panel.are_distances else self.tokens[place - self.rows]
            for place in columns.places
        ]
        step = -(-len(self.tokens) // 48) * (2 if panel.are_distances else 1)
        axes = {
            "xaxis": "x2" if panel.are_distances else "x",
            "yaxis": f"y{number + 1}",
        }
        lines = (
            xy(columns.without_key(rows=self.rows, memory_length=m))
            | hatching(columns, palette=palette),
            xy(columns.border()) | drawn(palette.ink, width=2),
            self.cell(panel) | drawn(palette.ink, width=4),
            self.cell(panel) | drawn(palette.twin, width=2),
            {
                "type": "scatter",
                "mode": "text",
                "x": list(columns.places[::step]),
                "y": [-0.5 - BAND / 2 / self.row_height] * len(columns.places[::step]),
                "text": names[::step],
                "textfont": {"family": MONO, "size": TYPE["fine"], "color": palette.ink},
                "hoverinfo": "skip",
            },
        )
        return [one | axes for one in (self.cells(number), *lines)]

    def cell(self, panel: MatrixPanel) -> dict[str, Any]:
        """A line around the chosen cell, where the matrix has it."""
        if self.column(panel) not in panel.columns.places:
            return xy([])
        return xy(around(self.column(panel), self.query - 0.5, self.query + 0.5))

    def cells(self, number: int) -> dict[str, Any]:
        """The heatmap of a matrix, with its own color scale."""
        panel = self.panels[number]
        look = cells(
            panel.columns,
            name=panel.name,
            limit=panel.limit or 1.0,
            is_weight=panel.scale == "sequential",
            row_height=self.row_height,
            palette=self.palette,
        )
        look["colorbar"] |= {
            "lenmode": "pixels",
            "len": self.rows * self.row_height,
            "y": self.top(number) - BAND / self.height,
            "yanchor": "top",
        }
        shown = np.where(panel.is_masked, np.nan, panel.values)
        return look | {"z": panel.columns.placed(shown)}

    def axes(self) -> dict[str, Any]:
        """One axis of keys with a cursor through all matrices, and one of distances; rows match."""
        look = AXIS | {"fixedrange": True, "automargin": True}
        L, S = self.rows, len(self.tokens)
        along = look | {
            "range": [L - S - 0.5, L - 0.5],
            "showticklabels": False,
            "showspikes": True,
            "spikemode": "across",
            "spikesnap": "cursor",
            "spikethickness": 1,
            "spikecolor": self.palette.soft,
        }
        places = list(range(L - S, L))
        xaxes = {
            "xaxis": along | {"tickvals": places, "ticktext": self.tokens},
            "xaxis2": along
            | {"tickvals": places, "ticktext": [str(L - 1 - place) for place in places]}
            | {"matches": "x"},
        }
        row_step = int(-(-13 // self.row_height))
        share = (BAND + L * self.row_height) / self.height
        yaxes = {
            f"yaxis{number + 1}": look
            | ticks(range(L), self.tokens[S - L :], chosen=self.query, step=row_step)
            | {
                "range": [L - 0.5, -0.5 - BAND / self.row_height],
                "domain": [max(0.0, self.top(number) - share), self.top(number)],
                "anchor": "x2" if panel.are_distances else "x",
                "tickfont": {"family": MONO, "size": TYPE["fine"], "color": self.palette.ink},
            }
            for number, panel in enumerate(self.panels)
        }
        return xaxes | yaxes
