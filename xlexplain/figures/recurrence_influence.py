"""Curves of measured influence that end where the formula says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures.labels import escaped, raised
from xlexplain.figures.theme import TYPE, Palette, style
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.influence import Influence
from xlexplain.maths.words import counted

FLOOR_BELOW = 1.5  # powers of ten between the smallest influence and the lane of exact zeros
LABEL_ROOM = 22  # px between the title and the plot, for the borders' labels


def influence_curves(
    influence: Influence,
    *,
    without_memory: FloatArray | None,
    tokens: Sequence[str],
    layer_count: int,
    palette: Palette,
) -> go.Figure:
    """Influence by distance, one curve a layer count, on a scale of powers of ten.

    Exact zeros stand in a lane of their own at the bottom. Dashed lines: where the formula ends.

    Args:
        without_memory: (T,) the same derivative with M = 0, or None.
        tokens: (T,) for the hover.
        layer_count: the curve to bring out; deeper ones are left out.
    """
    figure = go.Figure()
    floor = zero_lane(influence, layer_count)
    hover = [escaped(token) for token in tokens[: influence.nudged.shape[1]]]
    for layers in range(1, layer_count + 1):
        is_chosen = layers == layer_count
        figure.add_scatter(
            x=influence.distance.astype(np.int16),
            y=on_scale(influence.nudged[layers - 1], floor),
            customdata=influence.nudged[layers - 1].astype(np.float32),
            text=hover,
            name=f"derivative, {counted(layers, 'layer')}" if is_chosen else "fewer layers",
            legendgroup="chosen" if is_chosen else "fewer",
            showlegend=is_chosen or layers == 1,
            legendrank=1 if is_chosen else 2,
            line={
                "color": palette.ink if is_chosen else palette.soft,
                "width": 3 if is_chosen else 1,
                "shape": "hvh",
            },
            mode="lines",
            hovertemplate=f"%{{x}} back “%{{text}}”, {counted(layers, 'layer')}: "
            "%{customdata:.1e}<extra></extra>",
        )
    mark_borders(figure, influence, layer_count, palette=palette)
    if without_memory is not None:
        figure.add_scatter(
            x=influence.distance.astype(np.int16),
            y=on_scale(without_memory, floor),
            customdata=without_memory.astype(np.float32),
            text=hover,
            name="derivative, without memory",
            legendrank=3,
            line={"color": palette.soft, "width": 2.5, "shape": "hvh", "dash": "dot"},
            mode="lines",
            hovertemplate="%{x} back “%{text}”, no memory: %{customdata:.1e}<extra></extra>",
        )
    if len(influence.places):
        add_replacements(figure, influence, layer_count, floor=floor, hover=hover, palette=palette)
    finish(figure, influence, layer_count, floor=floor, palette=palette)
    return figure


def zero_lane(influence: Influence, layer_count: int) -> float:
    """Where exact zeros stand, as a power of ten."""
    shown = np.concatenate(
        [influence.nudged[:layer_count].ravel(), influence.replaced[:layer_count].ravel()]
    )
    return float(np.floor(np.log10(shown[shown > 0].min())) - FLOOR_BELOW)


def on_scale(values: FloatArray, floor: float) -> FloatArray:
    """(N,) powers of ten as float32, exact zeros at the floor."""
    scaled = np.full(values.shape, floor, np.float32)
    np.log10(values, out=scaled, where=values > 0, casting="same_kind")
    return scaled


def mark_borders(
    figure: go.Figure, influence: Influence, layer_count: int, *, palette: Palette
) -> None:
    """A dashed line behind the last token that the formula lets through, for each layer count.

    Where several layer counts end at the same token, one line stands for all.
    """
    layers_by_border: dict[int, list[int]] = {}
    for layers, border in enumerate(influence.farthest(influence.predicted), start=1):
        if layers <= layer_count:
            layers_by_border.setdefault(border, []).append(layers)
    for border, ending in layers_by_border.items():
        is_chosen = layer_count in ending
        color = palette.ink if is_chosen else palette.soft
        figure.add_vline(
            x=border + 0.5, line={"color": color, "width": 2 if is_chosen else 1, "dash": "dash"}
        )
        figure.add_annotation(
            x=border + 0.5,
            y=1,
            yref="paper",
            yanchor="bottom",
            yshift=2,
            showarrow=False,
            text=f"<b>formula: {border}</b>"
            if is_chosen
            else f"{counted(ending[-1], 'layer')}: {border}",
            font={"color": color, "size": TYPE["small"]},
        )


def add_replacements(
    figure: go.Figure,
    influence: Influence,
    layer_count: int,
    *,
    floor: float,
    hover: Sequence[str],
    palette: Palette,
) -> None:
    """A dot for each token that was replaced: filled where the state changed, open where not."""
    changes = influence.replaced[layer_count - 1]
    for name, is_shown, fill in (
        ("replaced: state moved", changes > 0, palette.ink),
        ("replaced: unchanged", changes == 0, palette.background),
    ):
        if not is_shown.any():
            continue
        places = influence.places[is_shown]
        figure.add_scatter(
            x=influence.distance[places].astype(np.int16),
            y=on_scale(changes[is_shown], floor),
            customdata=changes[is_shown].astype(np.float32),
            text=[hover[place] for place in places],
            name=name,
            legendrank=4,
            mode="markers",
            marker={
                "color": fill,
                "size": 9,
                "line": {
                    "width": 1.5,
                    "color": palette.background if fill == palette.ink else palette.ink,
                },
            },
            hovertemplate="%{x} back “%{text}” replaced: moved %{customdata:.1e}<extra></extra>",
        )


def finish(
    figure: go.Figure, influence: Influence, layer_count: int, *, floor: float, palette: Palette
) -> None:
    """Axes, title and type."""
    border = influence.farthest(influence.predicted)[layer_count - 1]
    is_agreed = bool(
        influence.is_nudge_as_predicted.all()
        and not (influence.replaced > 0)[~influence.predicted[:, influence.places]].any()
    )
    ends = "ends where the formula says:" if is_agreed else "does not end where the formula says,"
    title = f"Measured influence {ends} {counted(border, 'token')} back"
    top = float(np.ceil(max(np.nanmax(trace.y) for trace in figure.data)))
    powers = range(int(np.ceil(floor + FLOOR_BELOW)), int(top) + 1, max(1, int(top - floor) // 6))
    style(
        figure,
        palette=palette,
        title=title,
        height=380 + LABEL_ROOM,
        above=LABEL_ROOM,
        meta={"min_width": 640},
        legend={"orientation": "h", "y": -0.22, "x": 0, "font": {"color": palette.ink}},
        hovermode="closest",
        xaxis={
            "title": {"text": "tokens back from the chosen one"},
            "range": [influence.distance[0] + 0.5, influence.distance[-1] - 0.5],
        },
        yaxis={
            "title": {"text": "influence on the state"},
            "tickvals": [floor, *powers],
            "ticktext": ["exactly 0", *(f"10{raised(power)}" for power in powers)],
            "range": [floor - 0.8, top + 0.3],
        },
    )


def in_words(influence: Influence, *, layer_count: int) -> str:
    """The figure's text alternative."""
    measured = influence.farthest(influence.nudged > 0)
    each = ", ".join(
        f"{counted(back, 'token')} back with {counted(layers, 'layer')}"
        for layers, back in enumerate(measured[:layer_count], start=1)
    )
    least = influence.nudged[layer_count - 1]
    moved = int((influence.replaced[layer_count - 1] > 0).sum())
    dots = f" Of {counted(len(influence.places), 'replaced token')} {moved} moved the state."
    return (
        f"Curves of measured influence by distance. The farthest token with any influence stands "
        f"{each}; beyond it the influence is exactly 0. "
        f"The smallest one above 0 is {least[least > 0].min():.1e}."
        f"{dots if len(influence.places) else ''}"
    )
