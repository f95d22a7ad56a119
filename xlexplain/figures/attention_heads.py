"""All heads: a small map of each, the curve over distance, the share that goes to memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures.attention_axes import Columns, Line, drawn, hatching
from xlexplain.figures.labels import percent
from xlexplain.figures.theme import TYPE, Palette, style
from xlexplain.maths import AttentionTrace
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.attention_views import even_memory_share, memory_share

WIDTH, TOP, BOTTOM = 0.94, 0.19, 0.93  # of a small map, where 1 leads to the next head or layer
UNIT = 105  # px, the 1 between layers


def all_heads(
    layers: Sequence[AttentionTrace], *, layer: int, head: int, palette: Palette
) -> go.Figure:
    """The weights of every head, each on its own scale from 0 to its largest, in 255 steps.

    What stands between x = h and h + 1, y = n and n + 1 belongs to head h of layer n.
    """
    _, L, S = layers[0].probs.shape
    shares = memory_shares(layers)
    places = list(np.ndindex(shares.shape))
    figure = go.Figure()
    for depth, number in places:
        share = float(shares[depth, number])
        probs = layers[depth].probs[number]
        dx, dy = WIDTH / S, (BOTTOM - TOP) / L
        name = f"layer {depth + 1}, head {number + 1}"
        figure.add_heatmap(
            z=np.rint(255 * probs / probs.max()).astype(np.uint8),
            x0=number + dx / 2,
            dx=dx,
            y0=depth + TOP + dy / 2,
            dy=dy,
            coloraxis="coloraxis",
            name=name,
            hovertemplate=f"{name}: {share_words(share)}<extra></extra>",
        )
        figure.add_annotation(
            x=number,
            y=depth + TOP,
            text=percent(share),
            showarrow=False,
            xanchor="left",
            yanchor="bottom",
            yshift=-1,
            borderpad=2,
            font={"size": TYPE["fine"], "color": palette.ink},
        )
    columns = Columns(L, S - L)
    masked = columns.without_key(rows=L, memory_length=S - L)
    figure.add_scatter(
        **hatching(columns, palette=palette) | on_every_map(masked, columns=columns, places=places)
    )
    if S > L:
        figure.add_scatter(
            **drawn(palette.ink, width=2)
            | on_every_map(columns.border(), columns=columns, places=places)
        )
    figure.add_shape(
        x0=head - 0.01,
        x1=head + WIDTH + 0.01,
        y0=layer + TOP - 0.01,
        y1=layer + BOTTOM + 0.01,
        line={"color": palette.ink, "width": 3},
    )
    style(
        figure,
        palette=palette,
        title=spread_finding(shares),
        subtitle="Above each head: how much of its attention goes to memory",
        height=len(shares) * UNIT + 60,
    )
    figure.update_xaxes(
        range=[-0.02, len(shares[0]) - 1 + WIDTH + 0.02],
        tickvals=np.arange(len(shares[0])) + WIDTH / 2,
        ticktext=[f"head {number + 1}" for number in range(len(shares[0]))],
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(
        range=[len(shares), 0],
        tickvals=np.arange(len(shares)) + (TOP + BOTTOM) / 2,
        ticktext=[f"layer {depth + 1}" for depth in range(len(shares))],
        tickangle=-90,
        showgrid=False,
        zeroline=False,
    )
    figure.update_layout(
        showlegend=False,
        coloraxis={"colorscale": palette.sequential, "cmin": 0, "cmax": 255, "showscale": False},
    )
    return figure


def on_every_map(
    line: Line, *, columns: Columns, places: Sequence[tuple[int, ...]]
) -> dict[str, FloatArray]:
    """A line of a matrix, once on each of the small maps. Args: places: their layers and heads."""
    L, m = columns.segment_length, columns.memory_length
    x, y = (np.array(line, float) + 0.5 + [m, 0]).T / [[m + L], [L]]
    across = [[*(head + WIDTH * x), np.nan] for _, head in places]
    down = [[*(layer + TOP + (BOTTOM - TOP) * y), np.nan] for layer, _ in places]
    return {"x": np.array(across, np.float32).ravel(), "y": np.array(down, np.float32).ravel()}


def memory_shares(layers: Sequence[AttentionTrace]) -> FloatArray:
    """(n_layer, H) share of a head's attention that goes to memory."""
    return np.array([memory_share(one).mean(axis=1) for one in layers])


def share_words(share: float) -> str:
    """Where a head's attention goes."""
    return f"{percent(share)} memory, {percent(1 - share)} the current segment"


def spread_finding(shares: FloatArray) -> str:
    """How differently heads look at memory. Args: shares: (n_layer, H)."""
    least, most = percent(shares.min()), percent(shares.max())
    return f"A head gives memory from {least} to {most} of its attention"


def heads_alt(layers: Sequence[AttentionTrace]) -> str:
    """All heads in words, with their numbers."""
    words = [
        f"layer {depth + 1}, head {number + 1}: {share_words(float(share))}"
        for (depth, number), share in np.ndenumerate(memory_shares(layers))
    ]
    return f"Small maps of the weights, queries by keys. {'; '.join(words)}."


def distance_curve(
    by_distance: FloatArray, *, layer: int, head: int, segment_length: int, palette: Palette
) -> go.Figure:
    """Mean weight over distance: the chosen head in colour, the other heads of its layer grey.

    Args: by_distance: (H, S), as `attention_by_distance` returns.
    """
    figure = go.Figure()
    others = [number for number in range(len(by_distance)) if number != head]
    for number in [*others, head]:
        is_chosen = number == head
        figure.add_scatter(
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
    figure.add_vline(
        x=segment_length - 0.5,
        line={"color": palette.soft, "width": 1},
        annotation={"text": "from here on<br>always memory", "bgcolor": palette.background},
    )
    style(
        figure,
        palette=palette,
        title=curve_finding(by_distance, layer=layer, head=head),
        height=330,
    )
    figure.update_xaxes(
        title_text="distance, tokens back", range=[-0.5, by_distance.shape[1] - 0.5]
    )
    figure.update_yaxes(title_text="mean weight", ticksuffix="\u00a0%", rangemode="tozero")
    figure.update_layout(
        legend={"orientation": "h", "y": -0.3, "yanchor": "top", "x": 0, "traceorder": "normal"}
    )
    return figure


def curve_finding(by_distance: FloatArray, *, layer: int, head: int) -> str:
    """Where the chosen head looks on average."""
    top = int(by_distance[head].argmax())
    return (
        f"Layer {layer + 1}, head {head + 1} looks most at {top} back: "
        f"{percent(by_distance[head, top])} on average"
    )


def memory_bars(
    layers: Sequence[AttentionTrace], *, layer: int, head: int, palette: Palette
) -> go.Figure:
    """Share of attention that goes to memory, every head of every layer, in one segment."""
    shares = memory_shares(layers)
    even = float(even_memory_share(layers[0]).mean())
    is_chosen = np.zeros(shares.shape, bool)
    is_chosen[layer, head] = True
    depths, numbers = np.indices(shares.shape).reshape(2, -1) + 1
    figure = go.Figure()
    figure.add_bar(
        x=[[f"layer {depth}" for depth in depths], numbers],
        y=(100 * shares).astype(np.float32).ravel(),
        marker={
            "color": np.where(is_chosen, palette.relative, palette.memory[0]).ravel(),
            "line": {"color": palette.ink, "width": np.where(is_chosen, 2, 0).ravel()},
        },
        hovertemplate="%{x}: %{y:.1f}\u00a0%<extra></extra>",
    )
    figure.add_hline(
        y=100 * even,
        line={"color": palette.ink, "width": 1, "dash": "dash"},
        annotation={
            "text": f"looking at all keys alike: {percent(even)}",
            "bgcolor": palette.background,
        },
    )
    style(figure, palette=palette, title=share_finding(shares), height=330)
    figure.update_xaxes(title_text="head")
    figure.update_yaxes(
        title_text="share that goes to memory", ticksuffix="\u00a0%", range=[0, 108]
    )
    return figure


def share_finding(shares: FloatArray) -> str:
    """Which head sends most to memory in a segment. Args: shares: (n_layer, H)."""
    if not shares.any():
        return "There is no memory here: every head sends 0\u00a0% to it"
    depth, number = np.unravel_index(int(shares.argmax()), shares.shape)
    return (
        f"In this segment, layer {depth + 1}, head {number + 1} sends most to memory: "
        f"{percent(shares[depth, number])}"
    )
