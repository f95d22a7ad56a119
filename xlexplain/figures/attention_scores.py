"""The scores of one query: what each key gets, and from which of the four terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from xlexplain.figures.labels import TERM_WORDS, percent, power_of_ten
from xlexplain.figures.theme import Palette
from xlexplain.maths import TERMS, AttentionTrace, segment_name
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
        segment_length: L as chosen, for the ages of the keys.
    """

    cells: tuple[CellCheck, ...]
    tokens: tuple[str, ...]
    query: int
    memory_length: int
    segment_length: int

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
        return int(len(self.cells) - 1 - np.argmax(self.weights[::-1]))

    def above_average(self) -> dict[str, FloatArray]:
        """Per term (S,): its share of the score above the average seen key, after ÷√d_head."""
        return {
            name: above_average(
                np.array([getattr(cell, name) * cell.scale for cell in self.cells]), self.is_seen
            )
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

    def segments_ago(self, key: int) -> int:
        """0 for a key of the current segment, 1 for one of the segment before it, …"""
        return -((key - self.memory_length) // self.segment_length)


def query_row(
    layer: AttentionTrace,
    *,
    head: int,
    query: int,
    tokens: Sequence[str],
    segment_length: int,
) -> QueryRow:
    """Take one query's row apart."""
    return QueryRow(
        cells=check_row(layer, head=head, query=query),
        tokens=tuple(tokens),
        query=query,
        memory_length=layer.probs.shape[2] - layer.probs.shape[1],
        segment_length=segment_length,
    )


def finding(row: QueryRow) -> str:
    """What the query looks at, in a sentence."""
    key = row.strongest
    asking = row.tokens[row.memory_length + row.query]
    place = back(row.cells[key].distance)
    where = ", in memory" if key < row.memory_length else ""
    return (
        f"“{asking}” looks most at {'itself' if not row.cells[key].distance else ''}"
        f"{f'“{row.tokens[key]}”, {place}{where}' if row.cells[key].distance else ''}: "
        f"{percent(row.weights[key])} of its attention"
    )


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


def score_strip(row: QueryRow, *, key: int, palette: Palette) -> dict[str, Any]:
    """What the score component draws: plain values, one a key."""
    ages = [row.segments_ago(one) for one in range(len(row.cells))]
    return {
        "finding": finding(row),
        "reasons": reasons(row),
        "tokens": list(row.tokens),
        "query": row.query,
        "key": key,
        "memory": row.memory_length,
        "seen": row.is_seen.tolist(),
        "distance": [cell.distance for cell in row.cells],
        "groups": segment_groups(ages, palette=palette),
        "terms": {name: [round(getattr(cell, name), 5) for cell in row.cells] for name in TERMS},
        "scale": row.cells[0].scale,
        "weights": [round(float(weight), 7) for weight in row.weights],
        "residuals": [
            [against_bound(cell.residuals()[name]) for name in ("score", "weight")]
            for cell in row.cells
        ],
        "bound": power_of_ten(BOUND),
        "words": {name: list(words) for name, words in TERM_WORDS.items()},
        "colours": colours(palette),
    }


def segment_groups(ages: Sequence[int], *, palette: Palette) -> list[dict[str, Any]]:
    """Runs of keys of the same segment, oldest first: name, number of keys, colour."""
    groups: list[dict[str, Any]] = []
    for age in ages:
        if not groups or groups[-1]["age"] != age:
            name = segment_name(age)
            groups.append({"age": age, "name": name, "count": 0, "colour": palette.segment(age)})
        groups[-1]["count"] += 1
    return groups


def colours(palette: Palette) -> dict[str, str]:
    """The palette under the names that the style sheets of the components use."""
    terms = {f"term-{name}": palette.terms[name] for name in TERMS}
    inks = {f"term-{name}-ink": palette.terms_ink[name] for name in TERMS}
    return palette.css | {"weight": palette.sequential[3][1]} | terms | inks
