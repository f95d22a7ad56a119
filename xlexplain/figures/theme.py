"""Colours and their meanings, light and dark, and the sizes of type: the only place with them.

Current segment: one warm hue. Memory: a cool ramp by age. The four terms: one hue each, apart under
the common colour-vision deficiencies. Scores diverge around 0, probabilities start at 0. Masked
cells are neutral and hatched.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from typing import Any

import numpy as np
import plotly.graph_objects as go

FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace"
# The one scale of type, px; style sheets have it as `--type-fine` and so on. A heading of a page
# is larger, and Streamlit's.
TYPE = {"fine": 12, "small": 13, "text": 14, "lead": 15, "head": 16, "finding": 18, "title": 22}
TITLE_WIDTH, SUBTITLE_WIDTH = 34, 44  # characters; plotly does not wrap
TITLE_LINE, TITLE_ROOM = 21, 32  # px of a line, and of a title with one line
MARGIN = 8  # px around a figure

ColorScale = tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Palette:
    """One theme's colours, as CSS hex strings.

    Attributes:
        background, panel, ink, soft, line, accent: page, boxes, text, lesser text, rules, links.
        current: the current segment. memory: segments 1, 2, 3, 4 ago.
        twin: keys that carry the same encoding as the chosen one. twin_ink: text on it.
        query: the asking token. query_ink: text on it.
        masked: cells that may not be seen. masked_ink: text and hatching on it.
        relative, absolute: curves of the two kinds of model.
        terms: a, b, c, d. terms_ink: text on each of them.
        diverging, sequential: colour scales of scores and of probabilities.
    """

    is_dark: bool
    background: str
    panel: str
    ink: str
    soft: str
    line: str
    accent: str
    current: str
    memory: tuple[str, str, str, str]
    twin: str
    twin_ink: str
    query: str
    query_ink: str
    masked: str
    masked_ink: str
    relative: str
    absolute: str
    terms: dict[str, str]
    terms_ink: dict[str, str]
    diverging: ColorScale
    sequential: ColorScale

    @property
    def css(self) -> dict[str, str]:
        """The single colours under the names that style sheets use, "twin-ink" say."""
        named = {one.name.replace("_", "-"): getattr(self, one.name) for one in fields(self)}
        return {name: color for name, color in named.items() if isinstance(color, str)}

    def segment(self, segments_ago: int) -> str:
        """The colour of a segment by its age; the oldest colour serves all older ones."""
        if segments_ago == 0:
            return self.current
        return self.memory[min(segments_ago, len(self.memory)) - 1]


LIGHT = Palette(
    is_dark=False,
    background="#fcfcfa",
    panel="#f1f1ee",
    ink="#1b1f24",
    soft="#59636f",
    line="#d9dbd7",
    accent="#b8430a",
    current="#fbdcc4",
    memory=("#6fb0d9", "#9ecbe7", "#c8e1f2", "#ecf5fb"),
    twin="#fbba00",
    twin_ink="#1b1f24",
    query="#1b1f24",
    query_ink="#ffffff",
    masked="#f1f1ee",
    masked_ink="#646d78",
    relative="#00695c",
    absolute="#b8430a",
    terms={"a": "#4b3fa7", "b": "#3f9f8f", "c": "#a8324f", "d": "#b48c1c"},
    terms_ink={"a": "#ffffff", "b": "#0d0f12", "c": "#ffffff", "d": "#0d0f12"},
    diverging=(
        (0.0, "#7b3294"),
        (0.25, "#c2a5cf"),
        (0.5, "#f7f6f2"),
        (0.75, "#8fcf9f"),
        (1.0, "#00702f"),
    ),
    sequential=(
        (0.0, "#f7f6f2"),
        (0.25, "#cfe0ea"),
        (0.5, "#7fb2d0"),
        (0.75, "#2f78a8"),
        (1.0, "#0b3c5d"),
    ),
)

DARK = Palette(
    is_dark=True,
    background="#14171a",
    panel="#1e2226",
    ink="#e9ebee",
    soft="#a7b0bb",
    line="#363d44",
    accent="#ff9d5c",
    current="#6b3413",
    memory=("#256487", "#205470", "#1b3c50", "#182a36"),
    twin="#ffd23f",
    twin_ink="#14171a",
    query="#e9ebee",
    query_ink="#14171a",
    masked="#1e2226",
    masked_ink="#939ca7",
    relative="#4fc3b0",
    absolute="#ff9d5c",
    terms={"a": "#7f74ec", "b": "#7fe0cb", "c": "#d4526f", "d": "#e0b83a"},
    terms_ink={"a": "#0d0f12", "b": "#0d0f12", "c": "#0d0f12", "d": "#0d0f12"},
    diverging=(
        (0.0, "#c79be0"),
        (0.25, "#6f4a86"),
        (0.5, "#22272c"),
        (0.75, "#2f6b45"),
        (1.0, "#7fdc9b"),
    ),
    sequential=(
        (0.0, "#22272c"),
        (0.25, "#1f4258"),
        (0.5, "#2f78a8"),
        (0.75, "#7fb8dc"),
        (1.0, "#e2f1fb"),
    ),
)


def css_variables(colors: Mapping[str, str]) -> str:
    """Colours, and the sizes of type, as declarations for a style sheet or a `style` attribute.

    >>> css_variables({"ink": "#000", "twin-ink": "#111"})[:45]
    '--ink:#000;--twin-ink:#111;--type-fine:12px;-'
    """
    sizes = {f"type-{name}": f"{size}px" for name, size in TYPE.items()}
    return "".join(f"--{name}:{value};" for name, value in {**colors, **sizes}.items())


@cache
def template(is_dark: bool) -> go.layout.Template:
    """What all figures of a theme have in common.

    A finger that starts on a figure scrolls the page, since nothing is dragged in it.
    """
    palette = DARK if is_dark else LIGHT
    axis = {
        "gridcolor": palette.line,
        "linecolor": palette.line,
        "zerolinecolor": palette.line,
        "tickfont": {"color": palette.ink},
        "title": {"font": {"size": TYPE["small"], "color": palette.ink}},
        "automargin": True,
        "fixedrange": True,
    }
    layout = {
        "dragmode": False,
        "title": {
            "font": {"size": TYPE["head"], "color": palette.ink},
            "subtitle": {"font": {"size": TYPE["small"], "color": palette.soft}},
            "x": 0,
            "xanchor": "left",
            "y": 1,
            "yanchor": "top",
            "pad": {"t": 22},
        },
        "font": {"family": FONT, "size": TYPE["small"], "color": palette.ink},
        "paper_bgcolor": palette.background,
        "plot_bgcolor": palette.background,
        "hoverlabel": {
            "bgcolor": palette.background,
            "bordercolor": palette.line,
            "font": {"family": MONO, "size": TYPE["small"], "color": palette.ink},
        },
        "xaxis": axis,
        "yaxis": axis,
    }
    return go.layout.Template(layout=layout)


def style(
    figure: go.Figure,
    *,
    palette: Palette,
    title: str = "",
    subtitle: str = "",
    height: int | None = None,
    above: int = 0,
    **layout: Any,
) -> go.Figure:
    """Give a figure the product's type, colors and margins; the title states the finding.

    Args:
        title, subtitle: as plotly takes them; wrapped to what a phone has room for.
        height: px with a title of one line, which each further line adds to.
        above: px between the title and the axes.
        layout: further attributes, as plotly takes them; what `margin` and `meta` say is joined
            with ours. plotly's `update_layout` takes several times as long.
    """
    heading, line_count = wrapped(title, subtitle)
    further = TITLE_LINE * max(0, line_count - 1)
    room = TITLE_ROOM + further if title else 0
    around = {"l": MARGIN, "r": MARGIN, "t": MARGIN + room + above, "b": MARGIN}
    ours = {
        "template": template(palette.is_dark),
        "title": heading,
        "margin": around | layout.get("margin", {}),
        "meta": {"title_room": room} | layout.get("meta", {}),
        "height": None if height is None else height + further,
    }
    for name, value in (layout | ours).items():
        figure.layout[name] = value
    return figure


def wrapped(title: str, subtitle: str) -> tuple[dict[str, Any], int]:
    """A title as plotly takes it, which does not wrap by itself, and how many lines it has.

    >>> wrapped("one", "two")
    ({'text': 'one', 'subtitle': {'text': 'two'}}, 2)
    """
    lines, more_lines = textwrap.wrap(title, TITLE_WIDTH), textwrap.wrap(subtitle, SUBTITLE_WIDTH)
    heading = {"text": "<br>".join(lines), "subtitle": {"text": "<br>".join(more_lines)}}
    return heading, len(lines) + len(more_lines)


@lru_cache(maxsize=4096)
def color_at(scale: ColorScale, place: float) -> str:
    """The colour of a scale at a place in 0..1, as CSS hex; places outside take the nearest end.

    >>> color_at(((0.0, "#000000"), (1.0, "#ff0010")), 0.5)
    '#800008'
    """
    stops = [stop for stop, _ in scale]
    channels = np.array([[int(color[n : n + 2], 16) for n in (1, 3, 5)] for _, color in scale])
    red, green, blue = (round(float(np.interp(place, stops, one))) for one in channels.T)
    return f"#{red:02x}{green:02x}{blue:02x}"


@lru_cache(maxsize=1024)
def luminance(color: str) -> float:
    """Relative luminance of a CSS hex colour, 0 black to 1 white. Source: WCAG 2.2."""
    channels = np.array([int(color[n : n + 2], 16) for n in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def contrast(first: str, second: str) -> float:
    """Contrast ratio of two CSS hex colours, 1 to 21. Source: WCAG 2.2.

    >>> contrast("#ffffff", "#000000")
    21.0
    """
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


@lru_cache(maxsize=4096)
def ink_on(color: str) -> str:
    """Black or white, whichever is easier to read on a colour; at least 4.5:1 on any."""
    return max(("#000000", "#ffffff"), key=lambda ink: contrast(ink, color))
