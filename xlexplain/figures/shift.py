"""The relative shift as one figure: every cell is a marker that slides from line to line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures.shift_layout import (
    Cells,
    Placement,
    code_placements,
    shown_cells,
    slide_placements,
    window_around,
)
from xlexplain.figures.theme import MONO, TYPE, Palette, color_at, ink_on, style
from xlexplain.maths import rel_shift_steps
from xlexplain.maths.arrays import FloatArray, IntArray

MARKER = 28  # px


def shift_animation(
    scores: FloatArray,
    palette: Palette,
    *,
    query: int = 0,
    key: int = 0,
    is_sliding: bool = False,
    title: str = "Column = distance becomes column = key",
) -> go.Figure:
    """The five lines of the shift, or its rows sliding, as markers that keep their identity.

    Args:
        scores: (L, S) b + d of one head, column r = distance S-1-r.
        query, key: a cell; of more than 500 cells the figure shows the window around it.
        is_sliding: the second view, in which row i slides left by L-1-i.
    Returns: a figure with one marker trace, `ids` = where each cell came from, and one frame a
        stage, named "0", "1", …; it starts with the first.
    Raises: ValueError if S < L.
    """
    stages = rel_shift_steps(scores)
    L, S = scores.shape
    window = window_around(query=query, key=key, segment_length=L, key_count=S)
    cells = shown_cells(stages, window)
    placements = (slide_placements if is_sliding else code_placements)(stages, cells)
    values = cell_values(scores, cells)
    fills = cell_colors(values, palette, largest=float(np.abs(scores).max(initial=0)))
    frames = [
        go.Frame(
            name=str(number),
            data=[marker_trace(cells, placement, values=values, fills=fills, palette=palette)],
        )
        for number, placement in enumerate(placements)
    ]
    figure = go.Figure(frames[0].data, frames=frames)
    height = max(len(placement.rows) for placement in placements)
    style(figure, palette, title=title, height=height * 30 + 170)
    figure.update_xaxes(visible=False, range=[-1, max(len(one.columns) for one in placements)])
    figure.update_yaxes(visible=False, range=[height, -1])
    figure.update_layout(updatemenus=[player(palette)], sliders=[scrubber(placements, palette)])
    return figure


def cell_values(scores: FloatArray, cells: Cells) -> FloatArray:
    """(N,) the number that each cell carries; 0 for a padded zero."""
    values: FloatArray = np.where(cells.is_pad, 0, scores.reshape(-1)[cells.source])
    return values


def cell_colors(values: FloatArray, palette: Palette, *, largest: float) -> list[str]:
    """The diverging scale at each value: its middle at 0, its ends at ±largest."""
    scaled = values / largest / 2 + 0.5 if largest > 0 else np.full(values.shape, 0.5)
    return [color_at(palette.diverging, float(place)) for place in scaled]


def marker_trace(
    cells: Cells,
    placement: Placement,
    *,
    values: FloatArray,
    fills: Sequence[str],
    palette: Palette,
) -> go.Scatter:
    """The cells of one stage: transparent where not in the matrix, crossed out where masked."""
    colors = [
        palette.masked if hidden else fill
        for hidden, fill in zip(placement.is_masked, fills, strict=True)
    ]
    return go.Scatter(
        x=drawn(placement.drawn_column),
        y=drawn(placement.drawn_row),
        ids=[str(source) for source in cells.source],
        mode="markers+text",
        text=["pad" if distance < 0 else str(distance) for distance in cells.distance],
        textfont={
            "family": MONO,
            "size": TYPE["fine"],
            "color": [
                palette.masked_ink if hidden else ink_on(color)
                for hidden, color in zip(placement.is_masked, colors, strict=True)
            ],
        },
        marker={
            "symbol": ["square-x" if hidden else "square" for hidden in placement.is_masked],
            "size": MARKER,
            "color": colors,
            "opacity": placement.is_present.astype(np.float32),
            "line": {"width": 1, "color": palette.line},
        },
        customdata=np.stack([cells.query, values], axis=1).astype(np.float32),
        hovertemplate="query %{customdata[0]}, %{text} back: %{customdata[1]:.4f}<extra></extra>",
    )


def drawn(place: IntArray) -> IntArray:
    """Places as small integers, to keep the figure's file small."""
    return place.astype(np.int16)


def player(palette: Palette) -> dict[str, object]:
    """Play and pause buttons."""
    play = {"frame": {"duration": 1500, "redraw": False}, "transition": {"duration": 900}}
    stop = {"frame": {"duration": 0, "redraw": False}, "mode": "immediate"}
    return {
        "type": "buttons",
        "direction": "right",
        "showactive": False,
        "bgcolor": palette.panel,
        "bordercolor": palette.line,
        "font": {"color": palette.ink},
        "x": 0,
        "y": 0,
        "xanchor": "left",
        "yanchor": "top",
        "buttons": [
            {"label": "Play", "method": "animate", "args": [None, play | {"fromcurrent": True}]},
            {"label": "Pause", "method": "animate", "args": [[None], stop]},
        ],
    }


def scrubber(placements: Sequence[Placement], palette: Palette) -> dict[str, object]:
    """A slider over the stages that names the one it stands at."""
    move = {
        "frame": {"duration": 900, "redraw": False},
        "transition": {"duration": 900},
        "mode": "immediate",
    }
    return {
        "x": 0.25,
        "len": 0.75,
        "bgcolor": palette.panel,
        "bordercolor": palette.line,
        "activebgcolor": palette.accent,
        "tickcolor": palette.line,
        "font": {"color": "rgba(0,0,0,0)"},  # only the current stage's name is shown
        "currentvalue": {"font": {"color": palette.ink, "size": TYPE["text"]}},
        "steps": [
            {"label": placement.name, "method": "animate", "args": [[str(number)], move]}
            for number, placement in enumerate(placements)
        ],
    }
