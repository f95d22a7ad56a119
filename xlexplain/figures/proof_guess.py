"""The guessing law beside what training reaches: bars on the predicted steps, and loss curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from xlexplain.figures.proof_curves import colour, legend_below
from xlexplain.figures.theme import TYPE, Palette, style

MOST_LABELS = 16


def accuracy_bars(
    laws: Mapping[str, Sequence[float]],
    measured: Mapping[str, Sequence[float]],
    *,
    labels: Sequence[str],
    palette: Palette,
) -> go.Figure:
    """Right answers at each position: relative above, absolute below, each under its law.

    Args:
        laws: by variant, the best possible accuracy at each position.
        measured: by variant, what training reached, or nothing yet.
        labels: for absolute positions, what to write where a step begins: "m = 2".
    """
    figure = make_subplots(
        rows=len(laws),
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.16,
        subplot_titles=[f"<b>{variant}</b>" for variant in laws],
    )
    figure.update_annotations(
        x=0, xanchor="left", yshift=6, font={"color": palette.ink, "size": TYPE["small"]}
    )
    for row, (variant, law) in enumerate(laws.items(), start=1):
        positions = np.arange(len(law), dtype=np.int16)
        values = measured.get(variant) or ()
        if values:
            figure.add_bar(
                x=positions,
                y=np.asarray(values, np.float32),
                name=f"{variant}, measured",
                marker={"color": colour(variant, palette)},
                hovertemplate="position %{x}: %{y:.3f}<extra>measured</extra>",
                row=row,
                col=1,
            )
        edges = np.repeat(np.arange(len(law) + 1) - 0.5, 2)[1:-1]
        figure.add_scatter(
            x=edges.astype(np.float32),
            y=np.repeat(np.asarray(law, np.float32), 2),
            name="predicted",
            mode="lines",
            line={"color": palette.ink, "width": 2.5, "dash": "6px,3px"},
            hovertemplate="predicted %{y:.3f}<extra></extra>",
            showlegend=row == 1,
            row=row,
            col=1,
        )
    if "absolute" in laws:
        add_labels(
            figure,
            laws["absolute"],
            labels,
            row=list(laws).index("absolute") + 1,
            palette=palette,
        )
    style(figure, palette, height=420)
    figure.update_yaxes(range=[0, 1.16], tickvals=[0, 0.5, 1], title_text="share right")
    figure.update_xaxes(
        title_text="position in the segment",
        row=len(laws),
        col=1,
        dtick=1 if len(labels) <= MOST_LABELS else 4,
    )
    figure.update_layout(bargap=0.18, margin_t=34)
    legend_below(figure)
    return figure


def add_labels(
    figure: go.Figure, law: Sequence[float], labels: Sequence[str], *, row: int, palette: Palette
) -> None:
    """Write what a step of the law stands for where it begins."""
    for position, label in enumerate(labels):
        if position and labels[position - 1] == label:
            continue
        figure.add_annotation(
            x=position - 0.45,
            y=law[position],
            text=f"{label}: {law[position]:.3f}",
            showarrow=False,
            xanchor="left",
            yanchor="bottom",
            yshift=3,
            font={"color": palette.ink, "size": TYPE["small"]},
            bgcolor=palette.background,
            row=row,
            col=1,
        )


def loss_curves(
    steps: Mapping[str, Sequence[int]],
    losses: Mapping[str, Sequence[float]],
    floors: Mapping[str, float],
    *,
    last_step: int,
    palette: Palette,
) -> go.Figure:
    """Mean cross-entropy over the training steps, and the least possible for each variant."""
    figure = go.Figure()
    for variant, floor in floors.items():
        ink = colour(variant, palette)
        figure.add_scatter(
            x=np.asarray(steps.get(variant, ()), np.int32),
            y=np.asarray(losses.get(variant, ()), np.float32),
            name=variant,
            mode="lines",
            line={
                "color": ink,
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
            line={"color": ink, "width": 1.5, "dash": "dot"},
            hovertemplate="least possible %{y:.3f} bits<extra></extra>",
        )
    style(figure, palette, height=420)
    figure.update_xaxes(title_text="training step", range=[0, last_step])
    figure.update_yaxes(title_text="loss, bits a token", rangemode="tozero")
    return legend_below(figure)
