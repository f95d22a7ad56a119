"""Distances as matrices: what absolute encodings say, what is true, and the difference."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from xlexplain.figures.labels import minus
from xlexplain.figures.position_axes import hatched, put_keys_along_x
from xlexplain.figures.theme import MONO, TYPE, ColorScale, Palette, color_at, ink_on, style
from xlexplain.maths import PositionConflict, segment_name
from xlexplain.maths.arrays import IntArray

MOST_LABELLED_KEYS = 16  # with three matrices side by side, or one on a phone


def distance_matrix(
    values: IntArray,
    conflict: PositionConflict,
    *,
    query: int,
    title: str,
    says: str,
    palette: Palette,
) -> go.Figure:
    """An (L, S) matrix of distances; the same colour is the same number in each such figure.

    Args:
        query: its row is outlined.
        says: the word before the number when a cell is pointed at, "told" say.
    """
    L, S = conflict.segment_length, conflict.key_count
    limits = (-(L - 1), S - 1)
    return matrix(
        values,
        conflict,
        palette=palette,
        query=query,
        title=title,
        says=says,
        limits=limits,
        scale=palette.sequential,
    )


def error_matrix(
    conflict: PositionConflict, *, query: int, title: str, palette: Palette
) -> go.Figure:
    """(L, S) true distance minus encoded distance; a segment's colour stands for its error."""
    D, L = conflict.memory_depth, conflict.segment_length
    scale: list[tuple[float, str]] = []
    for ago in range(D + 1):
        scale += [
            (ago / (D + 1), palette.segment(ago)),
            ((ago + 1) / (D + 1), palette.segment(ago)),
        ]
    return matrix(
        conflict.error,
        conflict,
        palette=palette,
        query=query,
        title=title,
        says="off by",
        limits=(-L / 2, D * L + L / 2),
        scale=tuple(scale),
    )


def matrix(
    values: IntArray,
    conflict: PositionConflict,
    *,
    palette: Palette,
    query: int,
    title: str,
    says: str,
    limits: tuple[float, float],
    scale: ColorScale,
) -> go.Figure:
    """An (L, S) matrix over queries and keys: a row outlined, the future hatched."""
    L, M = conflict.segment_length, conflict.memory_length
    figure = go.Figure(
        go.Heatmap(
            z=np.asarray(values, np.int16),
            x0=-M,
            dx=1,
            zmin=limits[0],
            zmax=limits[1],
            colorscale=[list(stop) for stop in scale],
            showscale=False,
            hovertemplate=f"query %{{y}}, key at offset %{{x}}<br>{says} %{{z}}<extra></extra>",
        )
    )
    figure.add_trace(masked_corner(conflict, palette=palette))
    if conflict.key_count <= MOST_LABELLED_KEYS:
        figure.add_trace(labels(values, conflict, limits=limits, scale=scale))
    style(figure, palette=palette, title=title, height=int(min(max(150, 22 * L + 90), 420)))
    put_keys_along_x(figure, conflict, palette=palette)
    figure.update_yaxes(
        title_text="query", showgrid=False, zeroline=False, range=[L - 0.5, -0.5], nticks=min(L, 8)
    )
    figure.add_shape(
        type="rect",
        x0=-M - 0.5,
        x1=L - 0.5,
        y0=query - 0.5,
        y1=query + 0.5,
        line={"color": palette.ink, "width": 3},
    )
    figure.update_layout(showlegend=False)
    return figure


def labels(
    values: IntArray, conflict: PositionConflict, *, limits: tuple[float, float], scale: ColorScale
) -> go.Scatter:
    """The numbers of the visible cells, black or white; plotly's own choice may be too pale."""
    query, key = np.nonzero(conflict.visible)
    shown = values[query, key]
    places = (shown - limits[0]) / (limits[1] - limits[0])
    return go.Scatter(
        x=conflict.offset[key],
        y=query,
        mode="text",
        text=[minus(value) for value in shown],
        textfont={
            "family": MONO,
            "size": TYPE["fine"],
            "color": [ink_on(color_at(scale, float(one))) for one in places],
        },
        hoverinfo="skip",
    )


def masked_corner(conflict: PositionConflict, *, palette: Palette) -> go.Scatter:
    """The keys after each query, hatched: a staircase over the last segment."""
    L = conflict.segment_length
    corners = [(L - 0.5, -0.5)]
    for query in range(L):
        corners += [(query + 0.5, query - 0.5), (query + 0.5, query + 0.5)]
    return hatched(corners, palette=palette)


def row_table(conflict: PositionConflict, *, query: int) -> pd.DataFrame:
    """A query's row of the three matrices: what it sees, segment by segment."""
    rows = []
    for ago in range(conflict.memory_depth, -1, -1):
        keys = np.flatnonzero((conflict.segments_ago == ago) & conflict.visible[query])
        told, true, error = (
            ", ".join(map(minus, values[query, keys].tolist()))
            for values in (conflict.encoded_distance, conflict.distance, conflict.error)
        )
        rows.append((segment_name(ago), told, true, error.partition(",")[0]))
    table = pd.DataFrame(rows, columns=["segment", "told", "true", "off by"])
    return table.set_index("segment")
