"""What changes when terms are switched off: one query's weights, and the bits a character."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures.attention_scores import QueryRow
from xlexplain.figures.labels import escaped, percent
from xlexplain.figures.theme import MONO, TYPE, Palette, style
from xlexplain.maths.arrays import FloatArray

MOST_LABELS = 64


def switched_weights(
    row: QueryRow, after: FloatArray, *, off: Sequence[str], palette: Palette
) -> go.Figure:
    """One query's weights with all terms and with some off, key by key.

    Args: row: with all terms. after: (S,) weights of the same query with those `off`.
    """
    figure = go.Figure()
    place = np.arange(len(after), dtype=np.int16)
    tokens = [escaped(token) for token in row.tokens]
    hover = [
        "masked" if cell.is_masked else f"“{token}”, {cell.distance} back"
        for token, cell in zip(tokens, row.cells, strict=True)
    ]
    left = f"without {', '.join(off)}" if off else "with what is left on"
    for weights, name, color, shape in (
        (row.weights, "all four terms", palette.soft, "/"),
        (after, left, palette.relative, ""),
    ):
        figure.add_bar(
            x=place,
            y=(100 * weights).astype(np.float32),
            name=name,
            marker={"color": color, "pattern": {"shape": shape, "size": 5}},
            hovertext=hover,
            hovertemplate="%{hovertext}: %{y:.1f}\u00a0%<extra>" + name + "</extra>",
        )
    if row.memory_length:
        figure.add_vline(x=row.memory_length - 0.5, line={"color": palette.ink, "width": 2})
    style(figure, palette=palette, title=switched_finding(row.weights, after, off=off), height=340)
    figure.update_xaxes(
        title_text="key (memory left of the line)",
        tickvals=place if len(place) <= MOST_LABELS else [],
        ticktext=tokens,
        tickfont={"family": MONO, "size": TYPE["fine"], "color": palette.ink},
        tickangle=0,
    )
    figure.update_yaxes(title_text="weight", ticksuffix="\u00a0%", rangemode="tozero")
    figure.update_layout(legend={"orientation": "h", "y": -0.3, "yanchor": "top", "x": 0})
    return figure


def moved_share(before: FloatArray, after: FloatArray) -> float:
    """Share of the attention that goes elsewhere: half the sum of the absolute changes."""
    return float(np.abs(before - after).sum() / 2)


def switched_finding(before: FloatArray, after: FloatArray, *, off: Sequence[str]) -> str:
    """How much of the attention moved."""
    if not off:
        return "All four terms are on: nothing changes"
    moved = moved_share(before, after)
    return f"Without {', '.join(off)}, {percent(moved)} of this query's attention goes elsewhere"


def term_costs(costs: dict[str, float], *, palette: Palette) -> go.Figure:
    """Bits a character of the whole text, with all terms and without each one.

    Args: costs: by name; the first is the model as it is.
    """
    figure = go.Figure()
    figure.add_bar(
        x=np.array(list(costs.values()), np.float32),
        y=list(costs),
        orientation="h",
        marker={"color": [palette.relative, *[palette.soft] * (len(costs) - 1)]},
        text=[f"{bits:.2f}" for bits in costs.values()],
        textposition="outside",
        textfont={"size": TYPE["small"], "color": palette.ink},
        hovertemplate="%{y}: %{x:.2f} bits a character<extra></extra>",
    )
    style(figure, palette=palette, title=cost_finding(costs), height=250)
    figure.update_xaxes(
        title_text="bits a character on this text", range=[0, max(costs.values()) * 1.15]
    )
    figure.update_yaxes(autorange="reversed")
    return figure


def cost_finding(costs: dict[str, float]) -> str:
    """Which of the terms is missed most."""
    whole, *_ = costs.values()
    worst = max(costs, key=lambda name: costs[name])
    if costs[worst] <= whole:
        return f"No single term is missed on this text ({whole:.2f} bits a character with all)"
    name = worst[0].upper() + worst[1:]
    return f"{name}, a character costs {costs[worst]:.2f} bits instead of {whole:.2f}"
