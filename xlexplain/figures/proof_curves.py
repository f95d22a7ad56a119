"""The curves of the proof page: the chop test, bits on real text, what reuse saves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures.labels import power_of_ten
from xlexplain.figures.theme import TYPE, Palette, style

FLOOR = 1e-17  # where an exact 0 stands on a log axis
SYMBOLS = {"relative": "circle", "absolute": "square"}


def colour(variant: str, palette: Palette) -> str:
    """A variant's colour: that of its kind of positions."""
    return palette.relative if variant.startswith("relative") else palette.absolute


def legend_below(figure: go.Figure) -> go.Figure:
    """The legend under the figure, where it covers nothing however narrow the page is."""
    figure.update_layout(
        legend={
            "orientation": "h",
            "x": 0,
            "y": 0,
            "xref": "container",
            "yref": "container",
            "xanchor": "left",
            "yanchor": "bottom",
        },
        margin={"b": 84, "r": 16},
    )
    return figure


def chop_curves(
    differences: Mapping[str, Sequence[float]], *, chosen: int, palette: Palette
) -> go.Figure:
    """Largest difference of the outputs from the uncut pass, over L = 1, 2, …, on a log axis.

    Args:
        differences: by variant; entry k is for L = k + 1. An exact 0 is drawn at 1e-17.
        chosen: the reader's L, marked.
    """
    figure = go.Figure()
    for variant, values in differences.items():
        lengths = np.arange(1, len(values) + 1, dtype=np.int16)
        figure.add_scatter(
            x=lengths,
            y=np.maximum(np.asarray(values, np.float64), FLOOR),
            name=f"{variant} positions",
            mode="lines+markers",
            line={"color": colour(variant, palette), "width": 2},
            marker={"symbol": SYMBOLS[variant], "size": 8},
            customdata=[power_of_ten(value) for value in values],
            hovertemplate="L = %{x}: %{customdata}<extra></extra>",
        )
    for level, words in ((0, "predicted: order 1"), (-15, "predicted: rounding, about 10⁻¹⁵")):
        figure.add_hline(10.0**level, line={"color": palette.ink, "dash": "dash", "width": 1})
        figure.add_annotation(
            x=32.5,
            y=level,  # an annotation on a log axis stands at the exponent
            text=words,
            showarrow=False,
            xanchor="right",
            yanchor="top" if level == 0 else "bottom",
            yshift=-8 if level == 0 else 12,
            font={"color": palette.ink, "size": TYPE["small"]},
        )
    figure.add_vline(chosen, line={"color": palette.soft, "dash": "dot", "width": 1})
    figure.add_annotation(
        x=chosen,
        y=-7,
        text=f"your L = {chosen}",
        showarrow=False,
        xanchor="left" if chosen < 24 else "right",
        xshift=4 if chosen < 24 else -4,
        font={"color": palette.ink, "size": TYPE["small"]},
    )
    style(figure, palette, height=380)
    figure.update_xaxes(title_text="segment length L, tokens", range=[0.3, 32.7], dtick=4, tick0=0)
    figure.update_yaxes(
        title_text="largest difference of an output",
        type="log",
        range=[-17.3, 1.6],
        tickvals=[1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1],
        ticktext=["10⁻¹⁵", "10⁻¹²", "10⁻⁹", "10⁻⁶", "10⁻³", "1"],
    )
    return legend_below(figure)


@dataclass(frozen=True)
class BitsCurve:
    """Bits per character of one variant over memory depth, with each seed's where known."""

    variant: str
    depths: Sequence[int]
    bits: Sequence[float]
    seeds: Sequence[Sequence[float]] = ()


def bits_curves(curves: Sequence[BitsCurve], *, chosen: int, palette: Palette) -> go.Figure:
    """Bits per character over memory depth; trained without memory: dashed and hollow."""
    figure = go.Figure()
    for curve in curves:
        alone = curve.variant.endswith("-no-memory")
        kind = curve.variant.removesuffix("-no-memory")
        lows = [
            min(seeds, default=bits) for seeds, bits in zip(spread(curve), curve.bits, strict=True)
        ]
        highs = [
            max(seeds, default=bits) for seeds, bits in zip(spread(curve), curve.bits, strict=True)
        ]
        figure.add_scatter(
            x=np.asarray(curve.depths, np.int16),
            y=np.asarray(curve.bits, np.float32),
            name=f"{kind}, trained {'without' if alone else 'with'} memory",
            mode="lines+markers",
            line={
                "color": colour(kind, palette),
                "width": 2,
                "dash": "dash" if alone else "solid",
            },
            marker={"symbol": SYMBOLS[kind] + ("-open" if alone else ""), "size": 9},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": np.subtract(highs, curve.bits).astype(np.float32),
                "arrayminus": np.subtract(curve.bits, lows).astype(np.float32),
                "color": colour(kind, palette),
                "thickness": 1.5,
            },
            hovertemplate="D = %{x}: %{y:.3f} bits<extra></extra>",
        )
    figure.add_vline(chosen, line={"color": palette.soft, "dash": "dot", "width": 1})
    style(figure, palette, height=380)
    figure.update_xaxes(title_text="memory depth D, segments", dtick=1, range=[-0.2, 4.2])
    figure.update_yaxes(title_text="bits per character (less is better)")
    return legend_below(figure)


def spread(curve: BitsCurve) -> Sequence[Sequence[float]]:
    """Each depth's seeds; empty where there are none."""
    return curve.seeds or [()] * len(curve.bits)


@dataclass(frozen=True)
class TimeCurve:
    """Milliseconds a token over attention length, and the slope of its end on log axes."""

    name: str
    method: str
    milliseconds: Sequence[float]
    slope: float | None


def reuse_curves(
    lengths: Sequence[int], curves: Sequence[TimeCurve], *, palette: Palette
) -> go.Figure:
    """Time a token over attention length, both axes logarithmic; slopes in the legend."""
    looks = {
        "sliding": (palette.ink, "square", "solid"),
        "token": (palette.relative, "circle-open", "dash"),
        "segment": (palette.relative, "circle", "solid"),
    }
    figure = go.Figure()
    for curve in curves:
        ink, symbol, dash = looks[curve.method]
        slope = "" if curve.slope is None else f", slope {curve.slope:.2f}"
        figure.add_scatter(
            x=np.asarray(lengths, np.int16),
            y=np.asarray(curve.milliseconds, np.float32),
            name=f"{curve.name}{slope}",
            mode="lines+markers",
            line={"color": ink, "width": 2, "dash": dash},
            marker={"symbol": symbol, "size": 9},
            hovertemplate="%{x} tokens: %{y:.3f} ms<extra></extra>",
        )
    style(figure, palette, height=400)
    figure.update_xaxes(
        title_text="attention length, tokens",
        type="log",
        tickvals=list(lengths),
        ticktext=[str(length) for length in lengths],
    )
    figure.update_yaxes(title_text="milliseconds a token", type="log", dtick=1)
    return legend_below(figure)


def layer_differences(
    layers: Sequence[int], differences: Sequence[float], *, palette: Palette
) -> go.Figure:
    """Largest difference between sliding window and reuse, for models of so many layers."""
    figure = go.Figure(
        go.Scatter(
            x=np.asarray(layers, np.int16),
            y=np.maximum(np.asarray(differences, np.float64), FLOOR),
            mode="markers+text",
            text=[power_of_ten(value) for value in differences],
            textposition=[
                "top center" if value < 1e-3 else "bottom center" for value in differences
            ],
            textfont={"color": palette.ink, "size": TYPE["small"]},
            marker={"color": palette.relative, "size": 11, "symbol": "diamond"},
            hovertemplate="%{x} layers: %{text}<extra></extra>",
        )
    )
    style(figure, palette, height=400)
    figure.update_xaxes(title_text="layers of the model", dtick=1, range=[0.6, max(layers) + 0.4])
    figure.update_yaxes(
        title_text="largest difference of an output",
        type="log",
        range=[-17.3, 1.3],
        tickvals=[1e-15, 1e-10, 1e-5, 1],
        ticktext=["10⁻¹⁵", "10⁻¹⁰", "10⁻⁵", "1"],
    )
    return figure
