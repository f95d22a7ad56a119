"""One head's matrix, queries × keys, playing through the segments of a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures.attention_axes import (
    AXIS,
    Columns,
    around,
    cells,
    drawn,
    hatching,
    ticks,
    xy,
)
from xlexplain.figures.attention_scores import best_key, place_words
from xlexplain.figures.labels import escaped, percent
from xlexplain.figures.player import add_player
from xlexplain.figures.theme import MONO, TYPE, Palette, color_at, ink_on, style
from xlexplain.maths import AttentionTrace, ForwardTrace, SegmentTrace, segment_name
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.attention_views import above_average, memory_share
from xlexplain.maths.words import counted

Colored = Literal["weight", "score", "ac", "bd", "bd_by_distance"]
SYMBOLS: dict[Colored, str] = {
    "weight": "weight",
    "score": "score",
    "ac": "a + c",
    "bd": "b + d",
    "bd_by_distance": "b + d",
}
MATRIX_HEIGHT = 248  # px at most, for the rows of a first screen
ROW_HEIGHTS = (8, 40)  # px, the least and the most
WIDEST_COLUMN = 48  # px
NARROWEST_COLUMN = 4  # px
BAND = 20  # px, the strip with the tokens of the keys
NAMES = 22  # px above it, with the segments' names
SIDES = 100  # px, the queries' tokens and the colour bar
MOST_WRITTEN = 24  # columns: up to so many have room for a number
LETTER = (8, 13)  # px, width and height that a token needs
PLACE = 640  # px, a width that the film often has


def attention_film(
    trace: ForwardTrace,
    *,
    layer: int,
    head: int,
    colored: Colored = "weight",
    query: int = 0,
    key: int | None = None,
    tokens: Sequence[str] = (),
    palette: Palette,
) -> go.Figure:
    """Play one head's matrix through the segments, one frame each; the first one is shown.

    Save it with `write_html(…, auto_play=False)`: what plotly plays by itself fades, and heatmaps
    vanish meanwhile.

    Args:
        layer, head: counted from 0.
        colored: the weights, the scores, a + c, or b + d after or before the shift.
        query: i in every segment, or the last one that there is. key: j; None, or one that a
            segment does not have, stands for the key with the largest weight.
        tokens: (T,) the whole text as a reader sees it; by default as the model reads it.
    """
    shown = tuple(map(escaped, tokens or trace.tokens))
    film = Film(trace, layer, head, colored, query, key, shown, palette)
    frames = [film.frame(number) for number in range(len(trace.segments))]
    first = frames[0]["layout"]
    figure = style(
        go.Figure(film.traces(frames[0])),
        palette=palette,
        title=first["title"]["text"],
        subtitle=first["title"]["subtitle"]["text"],
        height=round(film.row_height * trace.segment_length + BAND + NAMES + 48),
        above=NAMES,
        **film.layout(first),
    )
    return add_player(figure, frames, palette=palette, moves=False)


@dataclass(frozen=True)
class Film:
    """What the frames of a film share; for the attributes see `attention_film`."""

    trace: ForwardTrace
    layer: int
    head: int
    colored: Colored
    query: int
    key: int | None
    tokens: tuple[str, ...]
    palette: Palette

    @cached_property
    def columns(self) -> Columns:
        return Columns(
            self.trace.segment_length,
            self.trace.memory_length,
            are_distances=self.colored == "bd_by_distance",
        )

    @cached_property
    def row_height(self) -> float:
        """px."""
        return float(np.clip(MATRIX_HEIGHT / self.trace.segment_length, *ROW_HEIGHTS))

    @property
    def band_top(self) -> float:
        """Where the strip with the keys' tokens ends, in rows."""
        return -0.5 - BAND / self.row_height

    @cached_property
    def values(self) -> tuple[FloatArray, ...]:
        """What is coloured, one (L, M+L) a segment, nan where no key is to be seen."""
        return tuple(
            self.columns.placed(
                colored_values(segment.layers[self.layer], head=self.head, colored=self.colored)
            )
            for segment in self.trace.segments
        )

    @cached_property
    def limit(self) -> float:
        """The end of the colour scale: one for weights, and one for scores and their parts."""
        kinds: list[Colored] = ["weight"] if self.colored == "weight" else ["score", "ac", "bd"]
        return (
            max(
                float(np.nanmax(np.abs(colored_values(one, head=self.head, colored=colored))))
                for one in (segment.layers[self.layer] for segment in self.trace.segments)
                for colored in kinds
            )
            or 1.0
        )

    def frame(self, number: int) -> dict[str, Any]:
        """One segment."""
        segment = self.trace.segments[number]
        rows, m = len(segment.ids), segment.memory_length
        layer = segment.layers[self.layer]
        query = min(self.query, rows - 1)
        key = self.key
        if key is None or key >= rows + m:
            key = best_key(layer.probs[self.head, query])
        x = self.columns.column(query=query, offset=key - m)
        hatch = xy(self.columns.without_key(rows=rows, memory_length=m))
        chosen = xy(around(x, query - 0.5, query + 0.5) + around(x, self.band_top, -0.5))
        return {
            "name": f"Segment {number} ({segment.start}–{segment.start + rows - 1})",
            "data": [
                {"type": "heatmap", "z": self.values[number]},
                {"type": "heatmap", "z": self.ages(segment)},
                *({"type": "scatter"} | line for line in (hatch, chosen, chosen)),
                self.numbers(number),
            ],
            "traces": [0, 1, 2, 3, 4, 5],
            "layout": {
                "title": {
                    "text": self.finding(segment, query=query),
                    "subtitle": {"text": self.memory_words(number)},
                },
                **self.axes(segment, query=query, key=key),
            },
        }

    def numbers(self, number: int) -> dict[str, Any]:
        """Weights in whole percent, where there are few cells, in an ink that stands out."""
        percents = np.rint(100 * np.nan_to_num(self.values[number])).astype(int)
        if self.colored != "weight" or not self.is_written:
            percents[:] = 0
        rows, columns = np.nonzero(percents)
        shown = percents[rows, columns].tolist()
        return {
            "type": "scatter",
            "x": (columns - self.columns.memory_length).astype(np.int8),
            "y": rows.astype(np.int8),
            "text": [str(one) for one in shown],
            "textfont": {"color": [self.inks[one] for one in shown]},
        }

    @cached_property
    def inks(self) -> list[str]:
        """What reads on the color of each whole percent."""
        scale = self.palette.sequential
        return [ink_on(color_at(scale, one / 100 / self.limit)) for one in range(101)]

    @property
    def is_written(self) -> bool:
        """Whether cells have room for a number."""
        return len(self.columns.places) <= MOST_WRITTEN and self.row_height >= LETTER[1]

    def ages(self, segment: SegmentTrace) -> FloatArray:
        """(1, M+L) how many segments ago the keys are, nan where there is none."""
        L = self.trace.segment_length
        places = np.array(self.columns.places)
        is_there = (places >= -segment.memory_length) & (places < len(segment.ids))
        is_there &= not self.columns.are_distances
        return np.where(is_there, -(places // L), np.nan).astype(np.float32)[None]

    def axes(self, segment: SegmentTrace, *, query: int, key: int) -> dict[str, Any]:
        """The tokens along both axes, or distances along x."""
        S = segment.memory_length + len(segment.ids)
        here = self.tokens[segment.first_key : segment.start + len(segment.ids)]
        offset = key - segment.memory_length
        column_step = -(-LETTER[0] * len(self.columns.places) // (PLACE - SIDES))
        row_step = -(-LETTER[1] // self.row_height)
        if self.columns.are_distances:
            last = self.trace.segment_length - 1
            places = range(last - S + 1, last + 1)
            names = [str(last - place) for place in places]
            column_step *= 2 if S < 100 else 3
        else:
            places, names = range(-segment.memory_length, len(segment.ids)), list(here)
        chosen = self.columns.column(query=query, offset=offset)
        return {
            "xaxis": ticks(places, names, chosen=chosen, step=column_step),
            "yaxis": ticks(
                range(len(segment.ids)),
                here[segment.memory_length :],
                chosen=query,
                step=int(row_step),
            ),
        }

    def finding(self, segment: SegmentTrace, *, query: int) -> str:
        """What the chosen query finds in a segment."""
        colored: Colored = "bd" if self.columns.are_distances else self.colored
        layer, m = segment.layers[self.layer], segment.memory_length
        row = colored_values(layer, head=self.head, colored=colored)[query]
        here = self.tokens[segment.first_key :]
        best = best_key(row)
        asking = f"“{here[m + query]}”"
        distance = m + query - best
        found = place_words(here[best], distance=distance, is_in_memory=best < m)
        if colored == "weight":
            return f"{asking} looks most at {found}: {percent(float(row[best]))} of its attention"
        ahead = f"{found}: {SYMBOLS[colored]} is {float(row[best]):.2f} above average"
        if colored == "score":
            return f"{asking} scores highest with {ahead}"
        what = "what a key is" if colored == "ac" else "how far back a key lies"
        return f"By {what}, {asking} prefers {ahead}"

    def memory_words(self, number: int) -> str:
        """What memory holds, what goes there, and what is forgotten."""
        segment = self.trace.segments[number]
        if not self.trace.memory_length:
            return f"Segment {number} has no memory to read"
        if not segment.memory_length:
            return f"Segment {number} finds an empty memory"
        share = float(memory_share(segment.layers[self.layer])[self.head].mean())
        lost = segment.first_key
        forgotten = f"; {counted(lost, 'more is', 'more are')} forgotten" if lost else ""
        return (
            f"Segment {number} reads {counted(segment.memory_length, 'token')} of memory, with "
            f"{percent(share)} of this head’s attention{forgotten}"
        )

    def traces(self, first: dict[str, Any]) -> list[dict[str, Any]]:
        """The traces as they are in the first frame, with all that stays the same."""
        palette, columns = self.palette, self.columns
        values, ages, hatch, *chosen, numbers = first["data"]
        look = cells(
            columns,
            name=SYMBOLS[self.colored],
            limit=self.limit,
            is_weight=self.colored == "weight",
            row_height=self.row_height,
            palette=palette,
        )
        look["colorbar"]["title"] = {"text": look["name"], "font": {"size": TYPE["fine"]}}
        return [
            values | look,
            ages
            | {
                "x0": -columns.memory_length,
                "dx": 1,
                "y": [self.band_top, -0.5],
                "zmin": 0,
                "zmax": 4,
                "colorscale": [
                    [(age + side) / 5, palette.segment(age)] for age in range(5) for side in (0, 1)
                ],
                "showscale": False,
                "hoverinfo": "skip",
            },
            hatch | hatching(columns, palette=palette),
            chosen[0] | drawn(palette.ink, width=4),
            chosen[1] | drawn(palette.twin, width=2),
            numbers
            | {
                "mode": "text",
                "textfont": numbers["textfont"] | {"size": TYPE["fine"], "family": MONO},
                "hoverinfo": "skip",
            },
            xy(columns.border()) | drawn(palette.ink, width=2),
        ]

    def layout(self, first: dict[str, Any]) -> dict[str, Any]:
        """Axes and the segments' names, the same in all frames, and what the first one sets."""
        columns, L = self.columns, self.trace.segment_length
        count = len(columns.places)
        label = AXIS | {"automargin": False}
        font = {"size": TYPE["small"], "family": MONO, "color": self.palette.ink}
        return {
            "showlegend": False,
            "margin": {"l": 36, "r": 4},
            "meta": {"min_width": min(600, SIDES + 24 * count)},  # narrower screens scroll
            "xaxis": label
            | {
                "range": [-columns.memory_length - 0.5, L - 0.5],
                "side": "top",
                "ticklabelposition": "inside",
                "ticklabelstandoff": 1,
                "tickfont": font,
            }
            | first["xaxis"],
            "yaxis": label
            | {
                "range": [L - 0.5, self.band_top],
                "tickfont": font,
                "title": {"text": "query", "font": {"size": TYPE["fine"]}, "standoff": 4},
            }
            | first["yaxis"],
            "annotations": self.names(),
            "width": None if count > 8 else SIDES + WIDEST_COLUMN * count,
        }

    def names(self) -> list[dict[str, Any]]:
        """Above the columns: which segment, or that they are distances."""
        L, depth = self.trace.segment_length, self.trace.memory_length // self.trace.segment_length
        look = {
            "yref": "paper",
            "y": 1,
            "yanchor": "bottom",
            "showarrow": False,
            "font": {"size": TYPE["fine"], "color": self.palette.soft},
        }
        if self.columns.are_distances:
            middle = (self.columns.places[0] + self.columns.places[-1]) / 2
            return [look | {"x": middle, "text": "distance, tokens back"}]
        return [
            look
            | {
                "x": (L - 1) / 2 - age * L,
                "text": f"memory {segment_name(age)}" if age else "keys of the segment, τ",
            }
            for age in range(depth + 1)
        ]


def colored_values(layer: AttentionTrace, *, head: int, colored: Colored) -> FloatArray:
    """(L, S) what is coloured, nan where there is no key that the query sees.

    Scores and their parts are given after ÷√d_head, and as how far they lie above the average of
    the keys that the query sees: the softmax takes away what is added to all of them alike.

    Raises: ValueError for distances in a model without relative positions.
    """
    is_seen = ~layer.is_masked
    if colored == "weight":
        values = layer.probs[head]
    elif colored == "bd_by_distance":
        if layer.bd_by_distance is None:
            raise ValueError("need a model with relative positions, got b + d by distance = None")
        is_seen = is_seen[:, ::-1]
        values = above_average(layer.bd_by_distance[head] * layer.scale, is_seen)
    else:
        parts = {"ac": [layer.ac], "bd": [layer.bd], "score": [layer.ac, layer.bd]}[colored]
        values = above_average(sum(part[head] for part in parts) * layer.scale, is_seen)
    return np.where(is_seen, values, np.nan).astype(np.float32)
