"""The scores of one query: what each key gets, and from which of the four terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures.labels import escaped, percent, power_of_ten
from xlexplain.figures.theme import MONO, TYPE, Palette, style
from xlexplain.maths import TERMS, AttentionTrace
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.attention_views import above_average
from xlexplain.maths.cells import CellCheck, check_row

BOUND = 1e-5  # NumPy in float64 and the model in float32 may differ by so much


@dataclass(frozen=True)
class QueryRow:
    """One query of one head against its S keys.

    Attributes:
        cells: one a key, recomputed beside the model's numbers.
        tokens: (S,) the keys' tokens as a reader sees them.
        query: i, counted in the segment.
        memory_length: m, the keys before the segment.
    """

    cells: tuple[CellCheck, ...]
    tokens: tuple[str, ...]
    query: int
    memory_length: int

    @property
    def is_seen(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """(S,) True for keys that the query may look at."""
        return np.array([not cell.is_masked for cell in self.cells])

    @property
    def weights(self) -> FloatArray:
        """(S,) the model's attention weights."""
        return np.array([cell.model_weight for cell in self.cells])

    @property
    def strongest(self) -> int:
        """The key with the largest weight; the nearest one of equal keys."""
        return best_key(self.weights)

    def above_average(self) -> dict[str, FloatArray]:
        """Per term (S,): its share of the score above the average seen key, after ÷√d_head."""
        return {
            name: above_average(
                np.array([getattr(cell, name) * cell.scale for cell in self.cells]), self.is_seen
            )
            for name in TERMS
        }

    @property
    def means(self) -> dict[str, float]:
        """Per term its mean over the seen keys, after ÷√d_head."""
        seen = [cell for cell in self.cells if not cell.is_masked]
        return {
            name: float(np.mean([getattr(cell, name) * cell.scale for cell in seen]))
            for name in TERMS
        }

    def what_and_how_far(self, key: int) -> tuple[float, float]:
        """How far a key's a + c and its b + d lie above those of the average seen key."""
        terms = self.above_average()
        return (
            float(terms["a"][key] + terms["c"][key]),
            float(terms["b"][key] + terms["d"][key]),
        )

    @property
    def memory_share(self) -> float:
        """Share of the query's attention that goes to memory."""
        return float(self.weights[: self.memory_length].sum())


def query_row(
    layer: AttentionTrace,
    *,
    head: int,
    query: int,
    tokens: Sequence[str],
) -> QueryRow:
    """Take one query's row apart."""
    return QueryRow(
        cells=check_row(layer, head=head, query=query),
        tokens=tuple(tokens),
        query=query,
        memory_length=layer.probs.shape[2] - layer.probs.shape[1],
    )


def best_key(values: FloatArray) -> int:
    """The key with the largest value; the nearest one of equal keys. Masked ones may be nan."""
    return int(len(values) - 1 - np.nanargmax(values[::-1]))


def place_words(token: str, *, distance: int, is_in_memory: bool) -> str:
    """A key by its token and how far back it lies.

    >>> place_words("s", distance=3, is_in_memory=True)
    '“s”, 3 back, in memory'
    >>> place_words("s", distance=0, is_in_memory=False)
    'itself'
    """
    if not distance:
        return "itself"
    return f"“{token}”, {back(distance)}{', in memory' if is_in_memory else ''}"


def finding(row: QueryRow) -> str:
    """What the query looks at, in a sentence."""
    key, m = row.strongest, row.memory_length
    asking, distance = row.tokens[m + row.query], row.cells[row.strongest].distance
    found = place_words(row.tokens[key], distance=distance, is_in_memory=key < m)
    return f"“{asking}” looks most at {found}: {percent(row.weights[key])} of its attention"


def reasons(row: QueryRow) -> str:
    """Why that key: what it is against how far back it lies, and what memory gets."""
    what, how_far = row.what_and_how_far(row.strongest)
    memory = (
        f"{percent(row.memory_share)} of its attention goes to memory."
        if row.memory_length
        else "There is no memory here: every key is in the segment itself."
    )
    return f"Compared with an average key, {added(what, how_far)}. {memory}"


def added(content: float, distance: float) -> str:
    """What a key's content and its distance do to its score.

    >>> added(5.02, 1.09)
    'its content adds 5.02 to the score and its distance 1.09'
    >>> added(5.02, -1.09)
    'its content adds 5.02 to the score and its distance takes 1.09 off'
    >>> added(-1.0, -2.44)
    'its content takes 1.00 off the score and its distance 2.44'
    """
    adds, also_adds = (round(value, 2) >= 0 for value in (content, distance))
    first = f"adds {abs(content):.2f} to" if adds else f"takes {abs(content):.2f} off"
    second = f"{abs(distance):.2f}"
    if adds != also_adds:
        second = f"adds {second}" if also_adds else f"takes {second} off"
    return f"its content {first} the score and its distance {second}"


def back(distance: int) -> str:
    """A distance in words."""
    return f"{distance} back"


def against_bound(residual: float) -> str:
    """A residual, marked by whether it keeps within the bound.

    >>> against_bound(3.2e-7), against_bound(1.02e-5)
    ('3·10⁻⁷ ✓', '1.02·10⁻⁵ ✗')
    """
    if residual <= BOUND:
        return f"{power_of_ten(residual)} ✓"
    return f"{power_of_ten(residual, digits=3)} ✗"


def query_bars(row: QueryRow, *, key: int, palette: Palette) -> go.Figure:
    """A query's keys: what each one is and how far back it lies, above the weights."""
    keys = np.flatnonzero(row.is_seen)
    places = keys - row.memory_length
    above = row.above_average()
    what, how_far = above["a"] + above["c"], above["b"] + above["d"]
    lines: list[tuple[str, FloatArray, str, str, str]] = [
        ("what it is, a + c", what, palette.terms["a"], "", "y"),
        ("how far back, b + d", how_far, palette.terms["b"], "/", "y"),
        ("weight, %", 100 * row.weights, palette.sequential[3][1], "", "y2"),
    ]
    bars = [
        {
            "type": "bar",
            "name": name,
            "x": places,
            "y": values[keys].astype(np.float32),
            "yaxis": axis,
            "marker": {
                "color": color,
                "pattern": {
                    "shape": pattern,
                    "fillmode": "overlay",
                    "fgcolor": palette.background,
                    "solidity": 0.2,
                },
            },
            "hovertemplate": "%{y:.2f}" if axis == "y" else "%{y:.1f}",
            "showlegend": axis == "y",
        }
        for name, values, color, pattern, axis in lines
    ]
    total = {
        "type": "scatter",
        "name": "score, all four",
        "mode": "markers",
        "x": places,
        "y": (what + how_far)[keys].astype(np.float32),
        "marker": {
            "symbol": "diamond",
            "size": 8,
            "color": palette.ink,
            "line": {"width": 1, "color": palette.background},
        },
        "hovertemplate": "%{y:.2f}",
    }
    offsets = range(-row.memory_length, len(row.tokens) - row.memory_length)
    step = -(-len(row.tokens) // 64)
    small = {"size": TYPE["small"]}
    axis = {
        "gridcolor": palette.line,
        "zerolinecolor": palette.ink,
        "fixedrange": True,
        "automargin": True,
    }
    return style(
        go.Figure([*bars, total]),
        palette=palette,
        title=escaped(finding(row)),
        subtitle=reasons(row),
        height=420,
        above=24,
        barmode="relative",
        bargap=0.15,
        hovermode="x unified",
        hoversubplots="axis",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        meta={"min_width": min(900, 100 + 22 * len(offsets))},
        xaxis={
            "range": [offsets[0] - 0.5, offsets[-1] + 0.5],
            "anchor": "y2",
            "showgrid": False,
            "zeroline": False,
            "tickangle": 0,
            "tickfont": {"family": MONO, "size": TYPE["fine"]},
            "tickvals": list(offsets[::step]),
            "ticktext": [
                f"{escaped(token)}<br>{distance if distance >= 0 else '–'}"
                for token, distance in zip(
                    row.tokens[::step],
                    [cell.distance for cell in row.cells][::step],
                    strict=True,
                )
            ],
            "title": {"text": "key, and how many tokens back it lies", "font": small},
        },
        yaxis=axis
        | {"domain": [0.42, 1], "title": {"text": "above the average key", "font": small}},
        yaxis2=axis
        | {
            "domain": [0, 0.34],
            "title": {"text": "weight, %", "font": small},
            "rangemode": "tozero",
        },
        **marks(row, keys=len(keys), key=key, palette=palette),
    )


def marks(row: QueryRow, *, keys: int, key: int, palette: Palette) -> dict[str, Any]:
    """Over the whole height: the chosen key, the border of memory, and what is masked.

    Args: keys: how many keys the query sees.
    """
    chosen, last = key - row.memory_length, len(row.tokens) - row.memory_length - 1
    high = {"xref": "x", "yref": "y domain", "y0": 0, "y1": 1}
    band = high | {"type": "rect", "line": {"width": 0}, "layer": "below"}
    shapes = [
        band | {"x0": chosen - 0.5, "x1": chosen + 0.5, "fillcolor": palette.twin, "opacity": 0.25}
    ]
    annotations = []
    if row.memory_length:
        line = {"color": palette.ink, "width": 2}
        shapes.append(high | {"type": "line", "x0": -0.5, "x1": -0.5, "line": line})
    if keys < len(row.tokens):
        x1 = last + 0.5
        shapes.append(band | {"x0": row.query + 0.5, "x1": x1, "fillcolor": palette.masked})
        annotations.append(
            {
                "text": "masked",
                "xref": "x",
                "x": x1,
                "xanchor": "right",
                "yref": "y domain",
                "y": 1,
                "yanchor": "top",
                "showarrow": False,
                "font": {"size": TYPE["small"], "color": palette.masked_ink},
            }
        )
    return {"shapes": shapes, "annotations": annotations}
