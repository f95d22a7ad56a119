"""All heads at once: thumbnails, the curve over distance, the share that goes to memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures.attention_matrices import encode
from xlexplain.figures.attention_scores import colours
from xlexplain.figures.labels import percent
from xlexplain.figures.theme import TYPE, Palette, style
from xlexplain.maths import AttentionTrace
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.attention_views import even_memory_share, memory_share


def thumbnails(
    layers: Sequence[AttentionTrace], *, layer: int, head: int, palette: Palette
) -> dict[str, Any]:
    """What the component of small multiples draws: the weights of every head, in 255 steps.

    Each head has its own scale, from 0 to its largest weight.
    """
    H, L, S = layers[0].probs.shape
    return {
        "heads": [
            [head_thumbnail(one, head=number, layer=depth) for number in range(H)]
            for depth, one in enumerate(layers)
        ],
        "rows": L,
        "columns": S,
        "masked": encode(layers[0].is_masked.astype(np.uint8)),
        "layer": layer,
        "head": head,
        "memory": S - L,
        "colours": colours(palette),
        "scale": [list(stop) for stop in palette.sequential],
    }


def head_thumbnail(trace: AttentionTrace, *, head: int, layer: int) -> dict[str, Any]:
    """One head's weights as bytes and a line about it."""
    probs = trace.probs[head]
    share = float(memory_share(trace)[head].mean())
    return {
        "values": encode(np.rint(255 * probs / probs.max()).astype(np.uint8)),
        "caption": f"{percent(share)} memory",
        "label": f"layer {layer + 1}, head {head + 1}: {percent(share)} memory, "
        f"{percent(1 - share)} the current segment",
    }


def distance_curve(
    by_distance: FloatArray, *, layer: int, head: int, segment_length: int, palette: Palette
) -> go.Figure:
    """Mean weight over distance: the chosen head in colour, the other heads of its layer grey.

    Args: by_distance: (H, S), as `attention_by_distance` returns.
    """
    figure = go.Figure()
    distance = np.arange(by_distance.shape[1], dtype=np.int16)
    others = [number for number in range(len(by_distance)) if number != head]
    for number in [*others, head]:
        is_chosen = number == head
        figure.add_scatter(
            x=distance,
            y=(100 * by_distance[number]).astype(np.float32),
            name=f"head {head + 1}" if is_chosen else f"other heads of layer {layer + 1}",
            showlegend=is_chosen or number == others[0],
            mode="lines+markers" if is_chosen else "lines",
            line={
                "color": palette.relative if is_chosen else palette.soft,
                "width": 3 if is_chosen else 1,
                "dash": "solid" if is_chosen else "dot",
            },
            marker={"size": 6},
            hovertemplate="%{x} back: %{y:.1f}\u00a0%<extra>head " + str(number + 1) + "</extra>",
        )
    figure.add_vline(x=segment_length - 0.5, line={"color": palette.soft, "width": 1})
    figure.add_annotation(
        x=segment_length - 0.5,
        y=1,
        yref="paper",
        text="from here on always memory",
        showarrow=False,
        xanchor="left",
        xshift=4,
        font={"size": TYPE["fine"], "color": palette.soft},
    )
    style(figure, palette, title=curve_finding(by_distance, layer=layer, head=head), height=330)
    figure.update_xaxes(title_text="distance, tokens back", range=[-0.5, len(distance) - 0.5])
    figure.update_yaxes(title_text="mean weight", ticksuffix="\u00a0%", rangemode="tozero")
    figure.update_layout(legend={"orientation": "h", "y": -0.25, "x": 0, "traceorder": "normal"})
    return figure


def curve_finding(by_distance: FloatArray, *, layer: int, head: int) -> str:
    """Where the chosen head looks on average."""
    top = int(by_distance[head].argmax())
    return (
        f"Layer {layer + 1}, head {head + 1} looks most at {top} back: "
        f"{percent(by_distance[head, top])} on average"
    )


def curve_alt(by_distance: FloatArray, *, layer: int, head: int) -> str:
    """The curve in words, with its numbers."""
    values = ", ".join(
        f"{distance} back {percent(value, 1)}"
        for distance, value in enumerate(by_distance[head][:12])
    )
    return (
        f"{curve_finding(by_distance, layer=layer, head=head)}. Mean weight by distance: {values}."
    )


def memory_bars(
    layers: Sequence[AttentionTrace], *, layer: int, head: int, palette: Palette
) -> go.Figure:
    """Share of attention that goes to memory, every head of every layer, in one segment."""
    shares = np.array([memory_share(one).mean(axis=1) for one in layers])  # (n_layer, H)
    even = float(even_memory_share(layers[0]).mean())
    figure = go.Figure()
    for number in range(shares.shape[1]):
        is_chosen = [depth == layer and number == head for depth in range(len(layers))]
        figure.add_bar(
            x=[f"{depth + 1}" for depth in range(len(layers))],
            y=(100 * shares[:, number]).astype(np.float32),
            name=f"head {number + 1}",
            marker={
                "color": [palette.memory[0] if not one else palette.relative for one in is_chosen],
                "line": {"color": palette.ink, "width": [2 if one else 0 for one in is_chosen]},
            },
            text=[f"{number + 1}"] * len(layers),
            textposition="outside",
            textfont={"size": TYPE["fine"], "color": palette.ink},
            hovertemplate="layer %{x}, head "
            + str(number + 1)
            + ": %{y:.1f}\u00a0%<extra></extra>",
        )
    figure.add_hline(y=100 * even, line={"color": palette.ink, "width": 1, "dash": "dash"})
    figure.add_annotation(
        x=1,
        xref="paper",
        y=100 * even,
        text=f"looking at all keys alike: {percent(even)}",
        showarrow=False,
        xanchor="right",
        yanchor="bottom",
        font={"size": TYPE["fine"], "color": palette.ink},
        bgcolor=palette.background,
    )
    style(figure, palette, title=share_finding(shares), height=330)
    figure.update_xaxes(title_text="layer; the number on a bar is the head")
    figure.update_xaxes(type="category")
    figure.update_layout(showlegend=False, bargap=0.25, bargroupgap=0.08)
    figure.update_yaxes(
        title_text="share that goes to memory", ticksuffix="\u00a0%", range=[0, 108]
    )
    return figure


def share_finding(shares: FloatArray) -> str:
    """Which head sends most to memory in a segment. Args: shares: (n_layer, H)."""
    if not shares.any():
        return "There is no memory here to look at"
    depth, number = np.unravel_index(int(shares.argmax()), shares.shape)
    return (
        f"In this segment, layer {depth + 1}, head {number + 1} sends most to memory: "
        f"{percent(shares[depth, number])}"
    )


def share_alt(layers: Sequence[AttentionTrace]) -> str:
    """The bars in words, with their numbers."""
    shares = np.array([memory_share(one).mean(axis=1) for one in layers])
    rows = "; ".join(
        f"layer {depth + 1}: " + ", ".join(f"{percent(share)}" for share in row)
        for depth, row in enumerate(shares)
    )
    return f"{share_finding(shares)}. Share to memory by head: {rows}."
