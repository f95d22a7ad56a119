"""Attention weights of one query over all keys, twins marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures.attention_terms import table
from xlexplain.figures.labels import escaped
from xlexplain.figures.position_axes import hatched
from xlexplain.figures.position_sentences import quoted
from xlexplain.figures.theme import TYPE, Palette, style
from xlexplain.maths import PositionConflict, segment_name
from xlexplain.maths.arrays import FloatArray, IntArray

TOP = 1.2  # a weight of 1, and room for its number


def twin_weights(
    weights: FloatArray,
    conflict: PositionConflict,
    *,
    tokens: Sequence[str],
    position: int,
    query: int,
    title: str,
    palette: Palette,
) -> go.Figure:
    """One query's weights on the S keys as bars; those at `position` are outlined and labelled.

    Args: weights: (S,), 0 on keys after the query.
    """
    L, S = conflict.segment_length, conflict.key_count
    key = np.arange(S)
    is_twin = conflict.encoded == position
    is_visible = conflict.visible[query]
    fills = [
        palette.twin if twin else palette.segment(int(ago))
        for twin, ago in zip(is_twin, conflict.segments_ago, strict=True)
    ]
    figure = go.Figure(
        go.Bar(
            x=key,
            y=np.asarray(weights, np.float32),
            marker={
                "color": fills,
                "line": {"color": palette.ink, "width": np.where(is_twin, 2.0, 0.0)},
            },
            customdata=[
                [escaped(token), int(offset)]
                for token, offset in zip(tokens, conflict.offset, strict=True)
            ],
            hovertemplate=(
                "‘%{customdata[0]}’ at offset %{customdata[1]}<br>weight %{y:.6f}<extra></extra>"
            ),
        )
    )
    for j in np.flatnonzero(is_twin & is_visible):
        figure.add_annotation(
            x=int(j),
            y=float(weights[j]),
            text=f"{weights[j]:.4f}",
            showarrow=False,
            yshift=11,
            font={"size": TYPE["fine"], "color": palette.ink},
        )
    style(figure, palette=palette, title=title, height=220)
    step = 1 if S <= 64 else 4
    figure.update_xaxes(
        title_text="key (token)",
        range=[-0.6, S - 0.4],
        tickvals=key[::step],
        ticktext=[escaped(token) for token in tokens[::step]],
        tickangle=0,
        showgrid=False,
    )
    figure.update_yaxes(title_text="attention weight", range=[0, TOP], tickvals=[0, 0.5, 1])
    for border in range(L, S, L):
        figure.add_vline(x=border - 0.5, line={"color": palette.soft, "width": 1, "dash": "dot"})
    first_hidden, end = conflict.memory_length + query + 0.5, S - 0.5
    if first_hidden < end:
        corners = [(first_hidden, 0), (end, 0), (end, TOP), (first_hidden, TOP)]
        figure.add_trace(hatched(corners, palette=palette))
    figure.update_layout(showlegend=False, bargap=0.15)
    return figure


def twin_table(
    twins: IntArray,
    conflict: PositionConflict,
    weights: Mapping[str, FloatArray],
    *,
    tokens: Sequence[str],
    query: int,
) -> str:
    """The twins' weights as an HTML table, one row a key. Args: weights: (S,) by model."""
    rows = [
        [
            escape(quoted(tokens[key])),
            segment_name(int(conflict.segments_ago[key])),
            str(conflict.distance[query, key]),
            *(f"{one[key]:.8f}" for one in weights.values()),
        ]
        for key in twins.tolist()
    ]
    return table(["key", "segment", "tokens back", *weights], rows, align="left")


def weight_gap(difference: float) -> str:
    """A difference of weights: exactly 0, or its size.

    >>> weight_gap(0.0), weight_gap(0.25), weight_gap(3e-9)
    ('exactly 0', '0.2500', '3.0e-09')
    """
    if difference == 0:
        return "exactly 0"
    return f"{difference:.4f}" if difference >= 5e-5 else f"{difference:.1e}"
