"""The streaming figure: segments arrive, states are kept and forgotten, the reach is drawn.

One frame a segment. A state's color follows its segment's age: bars keep the number of their
segment, and a frame moves the ends of the color scale. So frames are small, states fade, and what
is drawn around them glides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures import recurrence_marks as marks
from xlexplain.figures.labels import escaped
from xlexplain.figures.player import add_player
from xlexplain.figures.recurrence_marks import Part, Trace, faint, scatter
from xlexplain.figures.recurrence_places import (
    LETTERED,
    NAMES,
    SEGMENT_NAME,
    SIGNED,
    WIDTH,
    Panel,
    Places,
)
from xlexplain.figures.recurrence_reach import Recurrence, finding, finding_without, story
from xlexplain.figures.theme import MARGIN, MONO, TITLE_ROOM, TYPE, Palette, style

HATCH = 7  # px between two lines
LEGEND = 46  # px below the plot: two lines where the figure is narrow
CLEAR = "rgba(0,0,0,0)"


def recurrence_figure(
    recurrence: Recurrence, *, tokens: Sequence[str], query: int, palette: Palette
) -> go.Figure:
    """States by layer and token, what memory keeps of them, and a token's reach through them.

    One frame a segment, the first of them shown.

    Args:
        tokens: (T,) what stands in the lowest row.
        query: the chosen token, from 0, the same in every segment.
    Raises: ValueError if there are not as many tokens as the settings show.
    """
    if len(tokens) != recurrence.length:
        raise ValueError(f"need {recurrence.length} tokens, got {len(tokens)}")
    places = Places(recurrence, query)
    static = static_traces(places, tokens, palette=palette)
    shown = moving_traces(places, 0, tokens, palette=palette)
    figure = go.Figure([*static, *(still for still, _ in shown)])
    for trace, (_, moves) in zip(figure.data[len(static) :], shown, strict=True):
        trace.update(moves)
    lay_out(figure, places, palette=palette)
    frames = []
    for segment in range(recurrence.segment_count):
        parts = moving_traces(places, segment, tokens, palette=palette)
        title, why = sentences(places, segment)
        frames.append(
            {
                "name": f"Segment {segment} of 0–{recurrence.segment_count - 1}",
                "data": [{"type": still["type"], **moves} for still, moves in parts],
                "traces": list(range(len(static), len(figure.data))),
                "layout": {
                    "title": {"text": title, "subtitle": {"text": why}},
                    "meta": {"center": round(places.center(segment), 3)},
                },
            }
        )
    add_player(figure, frames, palette=palette, moves=True)
    for control in (*figure.layout.updatemenus, *figure.layout.sliders):
        control.pad.t += LEGEND
    return figure


def sentences(places: Places, segment: int) -> tuple[str, str]:
    """The title and its second line."""
    recurrence = places.recurrence
    title = finding(recurrence, position=places.chosen(segment))
    return title, story(recurrence, segment=segment)


def moving_traces(
    places: Places, segment: int, tokens: Sequence[str], *, palette: Palette
) -> list[Part]:
    """All that a frame changes, the lowest first."""
    recurrence, (upper, *lower) = places.recurrence, places.panels
    layers, depth = recurrence.layer_count, recurrence.memory_depth
    inputs = [(upper, row) for row in range(layers)]
    others = [(upper, layers), *((panel, row) for panel in lower for row in range(layers + 1))]
    parts = [
        states("states that layers read", places, segment, inputs, depth=depth, palette=palette),
        states("other states", places, segment, others, depth=0, palette=palette),
    ]
    if places.query < recurrence.segment_length - 1:
        parts += hidden_keys(places, segment, palette=palette)
    parts.append(chosen(places, segment, palette=palette))
    parts.append(marks.fans(places, segment, palette=palette))
    parts.append(marks.field(places, segment, palette=palette))
    if depth:
        parts.append(marks.memory_box(places, segment, palette=palette))
        parts.append(marks.gradient_border(places, segment, palette=palette))
    parts.append(marks.sides(places, segment, palette=palette))
    if LETTERED * places.px <= 1:
        parts.append(letters(places, segment, tokens, palette=palette))
    if SIGNED * places.px <= 1:
        parts.append(gradients(places, segment, palette=palette))
    return [*parts, *marks.labels(places, segment, palette=palette)]


def bars(
    name: str, rows: Sequence[tuple[Panel, int]], *, each: int = 1, **attributes: Any
) -> Trace:
    """A trace of bars in rows, `each` of them in every one, that are not pointed at."""
    return {
        "type": "bar",
        "name": name,
        "base": np.repeat([panel.at(row) for panel, row in rows], each).astype(np.int16),
        "y": np.repeat([panel.height for panel, _ in rows], each).astype(np.int16),
        "hoverinfo": "skip",
        "showlegend": False,
        **attributes,
    }


def states(
    name: str,
    places: Places,
    segment: int,
    rows: Sequence[tuple[Panel, int]],
    *,
    depth: int,
    palette: Palette,
) -> Part:
    """A bar a state, or one for a segment's states where they are too narrow.

    Its color is its segment's number on a scale with a step for each age: forgotten, `depth` to 1
    segments ago, now, still to come.
    """
    L = places.recurrence.segment_length
    first = np.arange(0, places.recurrence.length, 1 if places.is_apart else L)
    width = places.state if places.is_apart else L
    number = np.tile(first // L, len(rows)).astype(np.int8)
    seen = [palette.segment(age) for age in range(depth, -1, -1)]
    fills = [faint(palette.masked), *seen, faint(palette.current)]
    outlines = [faint(palette.masked_ink, 0.5), *([faint(palette.masked_ink)] * (depth + 2))]
    still = bars(
        name,
        rows,
        each=len(first),
        x=np.tile(places.left(first) + width / 2, len(rows)).astype(np.float32),
        width=width,
        marker={
            "color": number,
            "colorscale": in_steps(fills),
            "cornerradius": 4,
            "line": {"width": 1, "color": number, "colorscale": in_steps(outlines)},
        },
    )
    ends = {"cmin": segment - depth - 1.5, "cmax": segment + 1.5}
    return still, {"marker": {**ends, "line": ends}}


def in_steps(colors: Sequence[str]) -> list[list[Any]]:
    """A color scale of equal steps."""
    ends = np.linspace(0, 1, len(colors) + 1).tolist()
    return [[end, color] for n, color in enumerate(colors) for end in ends[n : n + 2]]


def chosen(places: Places, segment: int, *, palette: Palette) -> Part:
    """The chosen token: its state at the top of each panel, and its letter."""
    top = places.recurrence.layer_count
    rows = [(places.panels[0], 0), *((panel, top) for panel in places.panels)]
    width = max(places.state, 4 * places.px)
    look = {"color": palette.query, "cornerradius": 4, "line": {"width": 0}}
    right = places.left(places.chosen(segment)) + places.state
    return (
        bars("the chosen token", rows, width=width, marker=look),
        {"x": [float(right - width / 2)] * len(rows)},
    )


def hidden_keys(places: Places, segment: int, *, palette: Palette) -> list[Part]:
    """What the segment holds after the token, in the rows that are read, hatched.

    Markers hatch, as plotly.js 4.1 fails where a bar with a pattern moves.
    """
    layers = range(places.recurrence.layer_count)
    rows = [(panel, row) for panel in places.panels for row in layers]
    width = places.recurrence.segment_length - 1 - places.query - 1 + places.state
    left = float(places.left(places.chosen(segment) + 1))
    look = {"color": palette.masked, "cornerradius": 4, "line": {"width": 0}}
    count = max(1, int(width / places.px / HATCH) - 1)
    across = width * np.arange(1, count + 1) / (count + 1)
    hatch = scatter(
        "hatching",
        "markers",
        y=np.repeat([panel.middle(row) for panel, row in rows], len(across)).astype(np.float32),
        marker={
            "symbol": "line-ne",
            "size": np.repeat([panel.height - 5 for panel, _ in rows], len(across)).tolist(),
            "line": {"width": 1, "color": palette.masked_ink},
        },
    )
    return [
        (
            bars("hidden keys", rows, width=width, marker=look),
            {"x": [left + width / 2] * len(rows)},
        ),
        (hatch, {"x": (left + np.tile(across, len(rows))).astype(np.float32)}),
    ]


def letters(places: Places, segment: int, tokens: Sequence[str], *, palette: Palette) -> Part:
    """The text, as far as it has been read; what is no longer kept is paler."""
    recurrence = places.recurrence
    place = np.arange(recurrence.length)
    age = segment - place // recurrence.segment_length
    colors = np.where(age > recurrence.memory_depth, palette.soft, palette.ink)
    colors = np.where(age < 0, faint(palette.ink), colors)
    colors[places.chosen(segment)] = palette.query_ink
    still = scatter(
        "letters",
        "text",
        x=(places.left(place) + places.state / 2).astype(np.float32),
        y=np.full(place.shape, places.panels[0].middle(0), np.float32),
        text=[escaped(token) for token in tokens],
        textfont={"family": MONO, "size": TYPE["small"]},
    )
    return still, {"textfont": {"color": colors.tolist()}}


def gradients(places: Places, segment: int, *, palette: Palette) -> Part:
    """A sign in each state that a gradient reaches, unless it is hidden from the token."""
    L, layers = places.recurrence.segment_length, places.recurrence.layer_count
    row, place = np.divmod(np.arange(L, L * (layers + 1)), L)
    is_shown = (row == layers) | (place <= places.query)
    row, place = row[is_shown], place[is_shown]
    still = scatter(
        "gradients",
        "text",
        y=places.panels[0].middle(row).astype(np.float32),
        text="∇",
        textfont={"size": TYPE["fine"], "color": palette.ink},
    )
    x = places.left(segment * L + place) + places.state / 2
    return still, {"x": x.astype(np.float32)}


def static_traces(places: Places, tokens: Sequence[str], *, palette: Palette) -> list[Trace]:
    """What no frame changes: names of the segments, the walls without memory, the legend's keys."""
    recurrence, (upper, *lower) = places.recurrence, places.panels
    L, count = recurrence.segment_length, recurrence.segment_count
    pitch = places.least_column * (L + places.gap)
    named = range(0, count, int(-(-26 // pitch)))
    names = scatter(
        "names of the segments",
        "text",
        x=[float(places.left(one * L)) + L / 2 for one in named],
        y=[upper.at(0) - 14] * len(named),
        text=[f"segment {one}" if pitch >= SEGMENT_NAME else str(one) for one in named],
        textfont={"color": palette.soft},
    )
    borders = [places.border(segment) for segment in range(1, count)]
    walls = [
        scatter(
            "borders of the segments",
            "lines",
            x=[x for border in borders for x in (border, border, None)],
            y=[2, panel.at(recurrence.layer_count) + panel.height + 3, None] * len(borders),
            line={"color": palette.soft, "width": 2},
        )
        for panel in lower
    ]
    return [names, *walls, *legend_keys(places, palette=palette), pointed(places, tokens)]


def legend_keys(places: Places, *, palette: Palette) -> list[Trace]:
    """The states' colors and what they mean."""
    hatch = {"shape": "/", "size": 6, "solidity": 0.2, "fgcolor": palette.masked_ink}
    keys = {
        "being read, gradient ∇ flows": (palette.current, palette.current, {}),
        "in memory: read, not trained": (palette.segment(1), palette.sequential[3][1], {}),
        "not kept": (palette.background, palette.masked_ink, {}),
        "after it: hidden from it": (palette.masked, palette.masked, hatch),
    }
    if places.recurrence.memory_depth == 0:
        del keys["in memory: read, not trained"]
    if places.query == places.recurrence.segment_length - 1:
        del keys["after it: hidden from it"]
    return [
        bars(
            name,
            [],
            x=[None],
            y=[None],
            showlegend=True,
            marker={"color": fill, "line": {"color": line, "width": 1}, "pattern": pattern},
        )
        for name, (fill, line, pattern) in keys.items()
    ]


def pointed(places: Places, tokens: Sequence[str]) -> Trace:
    """Columns to be pointed at and clicked: how far each token reaches, not to be seen.

    The customdata is the token's place in the text.
    """
    place = np.arange(places.recurrence.length)
    reach = [places.recurrence.reach(int(one)) for one in place]
    return {
        "type": "heatmap",
        "name": "tokens back",
        "x": np.append(places.left(place), places.width).astype(np.float32),
        "y": [0, places.height],
        "z": np.array([reach], np.int16),
        "customdata": place[None].astype(np.int16),
        "text": [[escaped(token) for token in tokens]],
        "colorscale": [[0, CLEAR], [1, CLEAR]],
        "showscale": False,
        "hovertemplate": "“%{text}”, number %{customdata} of the text:<br>"
        "reaches %{z} back<extra></extra>",
    }


def lay_out(figure: go.Figure, places: Places, *, palette: Palette) -> None:
    """Title, axes, what is said about the reach without memory, the legend."""
    title, why = sentences(places, 0)
    rows = [
        (panel, row) for panel in places.panels for row in range(places.recurrence.layer_count + 1)
    ]
    bare = {"showgrid": False, "zeroline": False, "showline": False, "ticks": ""}
    edge = 2 * places.px
    without, because = finding_without(places.recurrence, place=places.query)
    figure.add_annotation(
        text=f"<b>{without}</b> <span style='color:{palette.soft}'>{because}</span>",
        x=0,
        xref="paper",
        xshift=-NAMES,
        xanchor="left",
        y=places.panels[0].bottom - 37,
        yanchor="middle",
        showarrow=False,
        font={"size": TYPE["lead"]},
    )
    style(
        figure,
        palette=palette,
        title=title,
        subtitle=why,
        height=MARGIN + TITLE_ROOM + places.height + LEGEND,
        margin={"l": NAMES, "r": 2, "b": LEGEND},
        meta={"min_width": places.least_width},
        barmode="overlay",
        bargap=0,
        legend={
            "orientation": "h",
            "x": -NAMES / WIDTH,
            "y": -4 / places.height,
            "yanchor": "top",
            "font": {"color": palette.soft, "size": TYPE["small"]},
            "itemclick": False,
            "itemdoubleclick": False,
            "traceorder": "normal",
        },
        xaxis=bare | {"range": [-edge, places.width + edge], "showticklabels": False},
        yaxis=bare
        | {
            "range": [0, places.height],
            "tickvals": [panel.middle(row) for panel, row in rows],
            "ticktext": [f"layer {row}" if row else "text" for _, row in rows],
            "tickfont": {"color": palette.soft},
        },
    )
