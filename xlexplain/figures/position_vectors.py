"""What the encodings look like: the keys' position vectors, and how alike they are."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures.position_axes import borders, key_axis, put_keys_along_x
from xlexplain.figures.theme import Palette, style
from xlexplain.maths import PositionConflict
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.vectors import equal_pairs
from xlexplain.maths.words import counted


def similarity_matrix(
    similarity: FloatArray, conflict: PositionConflict, *, title: str, palette: Palette
) -> go.Figure:
    """(S, S) dot products ÷ lengths, -1..1, of the keys' position vectors, in whole percent."""
    figure = key_heatmap(
        percent(similarity),
        conflict,
        palette=palette,
        y0=-conflict.memory_length,
        hover="keys at offsets %{y} and %{x}<br>dot product ÷ lengths: %{z} %",
    )
    style(figure, palette=palette, title=title, height=360)
    put_keys_along_x(figure, conflict, palette=palette)
    first, last = key_axis(conflict)["range"]
    figure.update_yaxes(**{**key_axis(conflict), "range": [last, first]})
    for border in borders(conflict):
        figure.add_hline(y=border, line={"color": palette.ink, "width": 1})
    return figure


def vector_strip(
    vectors: FloatArray, conflict: PositionConflict, *, title: str, palette: Palette
) -> go.Figure:
    """The (S, C) vectors themselves, one column a key, in whole percent of the largest number."""
    figure = key_heatmap(
        percent(vectors.T / (np.abs(vectors).max() or 1)),
        conflict,
        palette=palette,
        y0=0,
        hover="key at offset %{x}, number %{y}<br>%{z} % of the largest",
    )
    figure.update_traces(showscale=False)
    style(figure, palette=palette, title=title, height=190)
    put_keys_along_x(figure, conflict, palette=palette)
    figure.update_yaxes(title_text="vector", showgrid=False, autorange="reversed", nticks=5)
    return figure


def repeats(vectors: FloatArray) -> str:
    """How often the columns of a strip come back.

    >>> repeats(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]))
    '2 columns 2 times: 2 equal pairs'
    >>> repeats(np.eye(3))
    '3 columns, no two equal'
    """
    different, pairs = len(np.unique(vectors, axis=0)), equal_pairs(vectors)
    if pairs == 0:
        return f"{counted(different, 'column')}, no two equal"
    times = counted(len(vectors) // different, "time")
    return f"{counted(different, 'column')} {times}: {counted(f'{pairs:,}', 'equal pair')}"


def percent(values: FloatArray) -> FloatArray:
    """Numbers -1..1 as whole percent, a byte each."""
    return np.asarray(np.rint(100 * values), np.int8)


def key_heatmap(
    values: FloatArray, conflict: PositionConflict, *, palette: Palette, y0: int, hover: str
) -> go.Figure:
    """A heatmap with one column a key, by offset."""
    return go.Figure(
        go.Heatmap(
            z=values,
            x0=-conflict.memory_length,
            dx=1,
            y0=y0,
            dy=1,
            zmin=-100,
            zmax=100,
            colorscale=[list(stop) for stop in palette.diverging],
            colorbar={
                "ticksuffix": " %",
                "tickvals": [-100, 0, 100],
                "thickness": 10,
                "outlinewidth": 0,
                "tickfont": {"color": palette.ink},
            },
            hovertemplate=f"{hover}<extra></extra>",
        )
    )
