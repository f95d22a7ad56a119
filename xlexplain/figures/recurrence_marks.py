"""What the streaming figure draws around states: the token's field, memory's box, labels.

Each function gives a trace as it stays, and what a frame sets in it. A line has as many points in
every frame, so that it glides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from xlexplain.figures.recurrence_places import Places
from xlexplain.figures.theme import TYPE, Palette

Trace = dict[str, Any]
Part = tuple[Trace, Trace]

LETTER = 7.2  # px, a small letter
MARGIN = 4 * "\u2009"  # around what a label says
AWAY = -5.0  # columns: where the box of memory waits while memory is empty, left of the plot


def scatter(name: str, mode: str, **attributes: Any) -> Trace:
    """A scatter trace that is not pointed at."""
    quiet = {"hoverinfo": "skip", "showlegend": False}
    return {"type": "scatter", "name": name, "mode": mode, **quiet, **attributes}


def line(name: str, color: str, *, y: Any, width: int = 2, **attributes: Any) -> Trace:
    """A line all of whose points are drawn."""
    look = {"color": color, "width": width, "simplify": False}
    return scatter(name, "lines", y=y, line=look, **attributes)


def faint(color: str, share: float = 0) -> str:
    """A CSS hex color of which a share is left."""
    red, green, blue = (int(color[n : n + 2], 16) for n in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share:g})"


def field(places: Places, segment: int, *, palette: Palette) -> Part:
    """All that the chosen token depends on: a shape down its left edge and up on the right."""
    layers = places.recurrence.layer_count
    x, y = [], []
    for panel in places.panels:
        earliest = places.field(panel, segment)
        lows = panel.at(np.arange(layers, -1, -1))
        left = np.repeat(places.left(np.array(earliest)) - places.px, 2)
        right = places.left(earliest[0]) + 1
        heights = np.column_stack([lows + panel.height + 2, lows - 2]).ravel()
        x.append([*left, right, right, left[0], np.nan])
        y.append([*heights, heights[-1], heights[0], heights[0], np.nan])
    still = line(
        "what the token depends on",
        palette.ink,
        y=np.concatenate(y).astype(np.float32),
        showlegend=True,
        fill="toself",
        fillcolor=faint(palette.ink, 0.05),
    )
    return still, {"x": np.concatenate(x).astype(np.float32)}


def fans(places: Places, segment: int, *, palette: Palette) -> Part:
    """Lines from each row's farthest state down to the states that it reads.

    Where the text begins, some coincide. Without memory only the highest row reads farther back.
    """
    recurrence = places.recurrence
    every = 1 if places.is_apart else recurrence.segment_length
    x, y = [], []
    for panel in places.panels:
        earliest = places.field(panel, segment)
        for above in range(recurrence.layer_count if panel.has_memory else 1):
            start, edge = earliest[above : above + 2]
            most = recurrence.memory_length + (places.query if above == 0 else 0)
            to = np.maximum(start - np.arange(0, most + every, every), edge)
            low = panel.at(recurrence.layer_count - above)
            for token in to:  # there and back
                x += [places.left(start) + 0.5, places.left(token) + 0.5]
                y += [low, low - panel.pitch + panel.height]
            x += [places.left(start) + 0.5, np.nan]
            y += [low, np.nan]
    still = line(
        "what the farthest states read",
        faint(palette.ink, 0.35),
        y=np.array(y, np.float32),
        width=1,
    )
    return still, {"x": np.array(x, np.float32)}


def memory_box(places: Places, segment: int, *, palette: Palette) -> Part:
    """Around what memory holds."""
    recurrence, panel = places.recurrence, places.panels[0]
    first = max(0, segment - recurrence.memory_depth) * recurrence.segment_length
    left, right = places.left(first) - 2 * places.px, places.border(segment)
    low, high = panel.at(0) - 4, panel.at(recurrence.layer_count - 1) + panel.height + 5
    still = line("what memory holds", palette.sequential[3][1], y=[low, high, high, low, low])
    return still, {"x": [left, left, right, right, left] if segment else [AWAY] * 5}


def gradient_border(places: Places, segment: int, *, palette: Palette) -> Part:
    """The bar that no gradient passes."""
    low, high = places.panels[0].at(0) - 4, places.height - 4
    x, foot = places.border(segment) if segment else AWAY, 5 * places.px
    still = line("no gradient passes", palette.ink, y=[low, low, low, high, high, high])
    return still, {"x": [x - foot, x + foot, x, x, x - foot, x + foot]}


def sides(places: Places, segment: int, *, palette: Palette) -> Part:
    """What stands on the two sides of the bar, in as many words as there is room for."""
    border = places.border(segment) if segment else 0.0
    has_memory = segment > 0 and places.recurrence.memory_depth > 0
    kept = ["memory: values, no gradient", "memory"] if has_memory else [""]
    now = ["being read: gradient ∇", "∇ now", "∇"]
    rooms = [border, places.width - border]
    still = scatter(
        "the two sides",
        "text",
        y=[places.height - 12] * 2,
        textposition=["middle left", "middle right"],
        textfont={"size": TYPE["small"], "color": palette.ink},
    )
    said = [
        next((one for one in words if len(one) * LETTER < room * places.least_column), words[-1])
        for words, room in zip([kept, now], rooms, strict=True)
    ]
    return still, {"x": [border - 8 * places.px, border + 8 * places.px], "text": said}


def labels(places: Places, segment: int, *, palette: Palette) -> list[Part]:
    """How far back each row begins, and by how much further than the row above it.

    A label stands to the left of its row's edge, or inside the field where the text begins.
    """
    recurrence, upper = places.recurrence, places.panels[0]
    field = places.field(upper, segment)
    ends, heights, texts = [], [], []
    for above, edge in enumerate(field[1:]):
        row = recurrence.layer_count - above - 1
        before = field[0] - field[above] if above else places.query
        step = field[0] - edge - before
        ends.append(edge)
        heights.append(upper.middle(row) + (0 if row else upper.pitch / 2))  # above the letters
        text = f"{field[0] - edge} back"
        long = f"{before} + {step} = {text}"
        is_roomy = places.left(edge) * places.least_column > label_width(long)
        if above and not step:
            text = ""
        elif 0 < recurrence.memory_length == step and is_roomy:
            text = long
        texts.append(text)
    for panel in places.panels[1:]:
        ends.append(places.field(panel, segment)[-1])
        heights.append(panel.middle(0))
        texts.append(f"{places.query} back")
    return written(places, ends, heights, texts, palette=palette)


def written(
    places: Places, ends: list[int], heights: list[float], texts: list[str], *, palette: Palette
) -> list[Part]:
    """Labels beside tokens: markers as wide as the words, and the words."""
    place = {"x": [float(places.left(end)) for end in ends], "y": heights}
    widths = [label_width(text) if text else 0 for text in texts]
    is_left = [x * places.least_column > width for x, width in zip(place["x"], widths, strict=True)]
    ground = {
        "size": [width / 1.4 for width in widths],  # plotly draws this symbol 1.4 times its size
        "standoff": [width / 2 + 4 for width in widths],
        "angle": [90 if is_before else -90 for is_before in is_left],
    }
    words = {
        "text": [f"{MARGIN}{text}{MARGIN}" for text in texts],
        "textposition": [f"middle {'left' if is_before else 'right'}" for is_before in is_left],
    }
    look = {"symbol": "line-ns", "line": {"color": palette.query, "width": 17}, "opacity": 1}
    font = {"size": TYPE["fine"], "color": palette.query_ink, "weight": 700}
    return [
        (scatter("grounds of the labels", "markers", marker=look), {**place, "marker": ground}),
        (scatter("labels", "text", textfont=font), {**place, **words}),
    ]


def label_width(text: str) -> float:
    """Px of a label."""
    return 14 + len(text) * LETTER
