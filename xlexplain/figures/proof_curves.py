"""The curves of the proof page: the chop test, bits on real text, what reuse saves.

Each stands large in its section and, with `is_small`, beside its claim in the first screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures.labels import power_of_ten, raised
from xlexplain.figures.theme import TYPE, Palette, style
from xlexplain.maths.words import counted

FLOOR = 1e-17  # where an exact 0 stands on a log axis
SYMBOLS = {"relative": "circle", "absolute": "square"}
SMALL_HEIGHT = 150  # px

Axis = tuple[str, dict[str, Any]]


def variant_color(variant: str, palette: Palette) -> str:
    """That of its kind of positions."""
    return palette.relative if variant.startswith("relative") else palette.absolute


def finish(
    figure: go.Figure,
    *,
    title: str,
    x: Axis,
    y: Axis,
    is_small: bool,
    palette: Palette,
    **layout: Any,
) -> go.Figure:
    """Style a figure and its axes.

    The legend stands below, where it covers nothing however narrow the page is. A small figure has
    neither legend nor title, and the name of its vertical axis lies above it.

    Args: x, y: the name of the axis, and what else it has. layout: as `style` takes it.
    """
    (x_name, x_axis), (y_name, y_axis) = x, y
    if is_small:
        fine = {"color": palette.soft, "size": TYPE["fine"]}
        figure.add_annotation(
            text=y_name,
            x=0,
            xref="paper",
            y=1,
            yref="paper",
            xanchor="left",
            yanchor="bottom",
            yshift=2,
            showarrow=False,
            font=fine,
        )
        x_title = {"text": x_name, "font": fine, "standoff": 2}
        across = {"title": x_title, "tickfont": fine, "showgrid": False, "zeroline": False}
        up: dict[str, Any] = {"tickfont": fine, "nticks": 4}
        layout |= {"showlegend": False, "margin": {"t": 20}}
    else:
        across, up = {"title": {"text": x_name}}, {"title": {"text": y_name}}
        below = {"x": 0, "y": 0, "xref": "container", "yref": "container", "yanchor": "bottom"}
        layout |= {"legend": below | {"orientation": "h"}, "margin": {"b": 84, "r": 16}}
    return style(
        figure,
        palette,
        title="" if is_small else title,
        height=SMALL_HEIGHT if is_small else 400,
        xaxis=across | x_axis,
        yaxis=up | y_axis,
        **layout,
    )


def differences_axis(name: str, *, highest: float) -> Axis:
    """The vertical axis of differences between outputs: powers of ten, from an exact 0 up."""
    powers = [-15, -10, -5, 0]
    return name, {
        "type": "log",
        "range": [-17.3, highest],
        "tickvals": [10.0**power for power in powers],
        "ticktext": [f"10{raised(power)}" if power else "1" for power in powers],
    }


def chop_curves(
    differences: Mapping[str, Sequence[float]],
    *,
    chosen: int,
    palette: Palette,
    is_small: bool = False,
) -> go.Figure:
    """Largest difference of the outputs from the uncut pass, over L = 1, 2, …, on a log axis.

    Args:
        differences: by variant; entry k is for L = k + 1. An exact 0 is drawn at 1e-17.
        chosen: the reader's L, marked.
    """
    figure = go.Figure()
    for variant, values in differences.items():
        figure.add_scatter(
            x=np.arange(1, len(values) + 1, dtype=np.int16),
            y=np.maximum(np.asarray(values, np.float64), FLOOR),
            name=f"{variant} positions",
            mode="lines+markers",
            line={"color": variant_color(variant, palette), "width": 2},
            marker={"symbol": SYMBOLS[variant], "size": 6 if is_small else 8},
            customdata=[power_of_ten(value) for value in values],
            hovertemplate="L = %{x}: %{customdata}<extra></extra>",
        )
    small = {"color": palette.ink, "size": TYPE["small"]}
    mark_chosen(figure, chosen, palette=palette)
    if not is_small:
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
                font=small,
            )
        figure.add_annotation(
            x=chosen,
            y=-7,
            text=f"your L = {chosen}",
            showarrow=False,
            xanchor="left" if chosen < 24 else "right",
            font=small,
        )
    title = "Predicted: relative outputs stay, absolute ones move"
    if all(differences.get(variant) for variant in SYMBOLS):
        relative, absolute = (power_of_ten(max(differences[variant])) for variant in SYMBOLS)
        title = f"However it is cut: relative outputs move by {relative} at most, absolute ones by "
        title += absolute
    steps = {"range": [0.3, 32.7], "dtick": 8 if is_small else 4, "tick0": 0}
    return finish(
        figure,
        title=title,
        x=("segment length L, tokens", steps),
        y=differences_axis("largest change of an output", highest=1.6),
        is_small=is_small,
        palette=palette,
    )


def mark_chosen(figure: go.Figure, x: float, *, palette: Palette) -> None:
    """A thin line at the reader's own setting, or where the numbers beside a figure are from."""
    figure.add_vline(x, line={"color": palette.soft, "dash": "dot", "width": 1.5}, layer="below")


@dataclass(frozen=True)
class BitsCurve:
    """Bits per character of one variant over memory depth, with each seed's where known."""

    variant: str
    depths: Sequence[int]
    bits: Sequence[float]
    seeds: Sequence[Sequence[float]] = ()


def bits_curves(
    curves: Sequence[BitsCurve],
    *,
    chosen: int,
    palette: Palette,
    title: str = "",
    is_small: bool = False,
) -> go.Figure:
    """Bits per character over memory depth; trained without memory: dashed and hollow."""
    figure = go.Figure()
    for curve in curves:
        is_alone = curve.variant.endswith("-no-memory")
        kind = curve.variant.removesuffix("-no-memory")
        color = variant_color(kind, palette)
        seeds = curve.seeds or [()] * len(curve.bits)
        highs = [max(one, default=mean) for one, mean in zip(seeds, curve.bits, strict=True)]
        lows = [min(one, default=mean) for one, mean in zip(seeds, curve.bits, strict=True)]
        figure.add_scatter(
            x=np.asarray(curve.depths, np.int16),
            y=np.asarray(curve.bits, np.float32),
            name=f"{kind}, trained {'without' if is_alone else 'with'} memory",
            mode="lines+markers",
            line={"color": color, "width": 2, "dash": "dash" if is_alone else "solid"},
            marker={"symbol": SYMBOLS[kind] + ("-open" if is_alone else ""), "size": 8},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": np.subtract(highs, curve.bits).astype(np.float32),
                "arrayminus": np.subtract(curve.bits, lows).astype(np.float32),
                "color": color,
                "thickness": 1.5,
            },
            hovertemplate="D = %{x}: %{y:.3f} bits<extra></extra>",
        )
    mark_chosen(figure, chosen, palette=palette)
    return finish(
        figure,
        title=title,
        x=("memory depth D, segments", {"dtick": 1, "range": [-0.2, 4.2]}),
        y=("bits per character (less is better)", {}),
        is_small=is_small,
        palette=palette,
    )


@dataclass(frozen=True)
class TimeCurve:
    """Milliseconds a token over attention length, and the slope of its end on log axes."""

    name: str
    method: str
    milliseconds: Sequence[float]
    slope: float | None = None


def reuse_curves(
    lengths: Sequence[int],
    curves: Sequence[TimeCurve],
    *,
    palette: Palette,
    is_small: bool = False,
) -> go.Figure:
    """Time a token over attention length, both axes logarithmic; slopes in the legend."""
    looks = {
        "sliding": (palette.ink, "square", "solid"),
        "token": (palette.relative, "circle-open", "dash"),
        "segment": (palette.relative, "circle", "solid"),
    }
    figure = go.Figure()
    for curve in curves:
        color, symbol, dash = looks[curve.method]
        slope = "" if curve.slope is None else f", slope {curve.slope:.2f}"
        figure.add_scatter(
            x=np.asarray(lengths, np.int16),
            y=np.asarray(curve.milliseconds, np.float32),
            name=f"{curve.name}{slope}",
            mode="lines+markers",
            line={"color": color, "width": 2, "dash": dash},
            marker={"symbol": symbol, "size": 8},
            hovertemplate="%{x} tokens: %{y:.3f} ms<extra></extra>",
        )
    last = {curve.method: curve.milliseconds[-1] for curve in curves}
    title = ""
    if last.keys() == looks.keys():
        fast, alone = (
            counted(f"{last['sliding'] / last[method]:.0f}", "time")
            for method in ("segment", "token")
        )
        title = (
            f"At {lengths[-1]} tokens reuse is {fast} faster, {alone} when writing token by token"
        )
    named = list(lengths)[:: 2 if is_small else 1]
    ticks = {"type": "log", "tickvals": named, "ticktext": list(map(str, named))}
    return finish(
        figure,
        title=title,
        x=("attention length, tokens", ticks),
        y=("milliseconds a token", {"type": "log", "dtick": 1}),
        is_small=is_small,
        palette=palette,
    )


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
            customdata=[counted(count, "layer") for count in layers],
            textposition=[
                "top center" if value < 1e-3 else "bottom center" for value in differences
            ],
            textfont={"color": palette.ink, "size": TYPE["small"]},
            marker={"color": palette.relative, "size": 11, "symbol": "diamond"},
            hovertemplate="%{customdata}: %{text}<extra></extra>",
        )
    )
    return finish(
        figure,
        title="Not the same function beyond one layer",
        x=("layers of the model", {"dtick": 1, "range": [0.6, max(layers) + 0.4]}),
        y=differences_axis("largest difference of an output", highest=1.3),
        is_small=False,
        palette=palette,
    )
