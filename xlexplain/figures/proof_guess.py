"""The guessing law beside what training reaches: bars on the predicted steps, and loss curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures.labels import gap_words
from xlexplain.figures.proof_curves import finish, mark_chosen, variant_color
from xlexplain.figures.theme import TYPE, Palette

MOST_LABELS = 16


def accuracy_bars(
    laws: Mapping[str, Sequence[float]],
    measured: Mapping[str, Sequence[float]],
    *,
    labels: Sequence[str] = (),
    marked: int | None = None,
    is_done: bool = True,
    palette: Palette,
    is_small: bool = False,
) -> go.Figure:
    """Right answers at each position, absolute as bars and relative as dots, and both laws.

    Args:
        laws: by variant, the best possible accuracy at each position.
        measured: by variant, what training reached, or nothing yet.
        labels: for absolute positions, what to write where a step begins: "m = 2".
        marked: the position whose numbers stand beside the figure.
        is_done: whether the training has ended.
    """
    figure = go.Figure()
    count = max(map(len, laws.values()))
    hover = "position %{x}: %{y:.3f}<extra>measured</extra>"
    if marked is not None:
        mark_chosen(figure, marked, palette=palette)
    if measured.get("absolute"):
        figure.add_bar(
            y=np.asarray(measured["absolute"], np.float32),
            name="absolute, measured",
            marker={"color": palette.absolute},
            hovertemplate=hover,
        )
    for variant, law in laws.items():
        figure.add_scatter(
            x=np.repeat(np.arange(len(law) + 1) - 0.5, 2)[1:-1].astype(np.float32),
            y=np.repeat(np.asarray(law, np.float32), 2),
            name=f"{variant}, predicted",
            mode="lines",
            line={
                "color": palette.ink if variant == "absolute" else palette.relative,
                "width": 2,
                "dash": "6px,3px" if variant == "absolute" else "dot",
            },
            hovertemplate="predicted %{y:.3f}<extra></extra>",
        )
    if measured.get("relative"):
        figure.add_scatter(
            y=np.asarray(measured["relative"], np.float32),
            name="relative, measured",
            mode="markers",
            marker={
                "color": palette.relative,
                "size": 7 if is_small else 10,
                "line": {"color": palette.background, "width": 1},
            },
            hovertemplate=hover,
        )
    for position, label in enumerate(labels):
        if position and labels[position - 1] == label:
            continue
        figure.add_annotation(
            x=position - 0.45,
            y=laws["absolute"][position],
            text=f"{label}: {laws['absolute'][position]:.3f}",
            showarrow=False,
            xanchor="left",
            yanchor="bottom",
            yshift=8,
            font={"color": palette.ink, "size": TYPE["small"]},
            bgcolor=palette.background,
        )
    title = "Predicted: the dashed steps"
    if measured.get("absolute"):
        gap = gap_words(float(np.abs(np.subtract(measured["absolute"], laws["absolute"])).max()))
        start = "Absolute positions end up" if is_done else "So far, absolute positions are"
        title = f"{start} within {gap} of the guessing law"
    step = 1 if count <= (MOST_LABELS // 2 if is_small else MOST_LABELS) else 4
    steps = {"range": [-0.6, count - 0.4], "dtick": step, "zeroline": False}
    shares = {"range": [0, 1.12 if is_small else 1.16], "tickvals": [0, 0.5, 1]}
    return finish(
        figure,
        title=title,
        x=("position in the segment", steps),
        y=("share right", shares),
        is_small=is_small,
        palette=palette,
        bargap=0.18,
    )


def loss_curves(
    steps: Mapping[str, Sequence[int]],
    losses: Mapping[str, Sequence[float]],
    floors: Mapping[str, float],
    *,
    layers: int,
    last_step: int,
    palette: Palette,
) -> go.Figure:
    """Mean cross-entropy over the training steps, and the least possible for each variant."""
    figure = go.Figure()
    for variant, floor in floors.items():
        color = variant_color(variant, palette=palette)
        figure.add_scatter(
            x=np.asarray(steps.get(variant, ()), np.int32),
            y=np.asarray(losses.get(variant, ()), np.float32),
            name=variant,
            mode="lines",
            line={
                "color": color,
                "width": 2,
                "dash": "solid" if variant == "relative" else "6px,2px",
            },
            hovertemplate="step %{x}: %{y:.2f} bits<extra></extra>",
        )
        figure.add_scatter(
            x=[0, last_step],
            y=[floor, floor],
            name=f"{variant}: least possible, {floor:.2f}",
            mode="lines",
            line={"color": color, "width": 1.5, "dash": "dot"},
            hovertemplate="least possible %{y:.3f} bits<extra></extra>",
        )
    return finish(
        figure,
        title=loss_finding(floors, layers=layers, is_run=any(losses.values())),
        x=("training step", {"range": [0, last_step]}),
        y=("loss, bits a token", {"rangemode": "tozero"}),
        is_small=False,
        palette=palette,
    )


def loss_finding(floors: Mapping[str, float], *, layers: int, is_run: bool) -> str:
    """Whether the task leaves absolute positions anything to guess; the law binds one layer."""
    if floors["absolute"] <= floors["relative"]:
        bound = f", down to {floors['relative']:.2f} bits" if floors["relative"] else ""
        return f"{'Here' if is_run else 'Predicted:'} both can learn the same{bound}"
    floor = f"cannot get below {floors['absolute']:.2f} bits"
    if layers > 1:
        return f"The law of one layer: absolute {floor}"
    return "One can learn it, the other cannot" if is_run else f"Predicted: absolute {floor}"
