"""What the streaming figure needs: which token reaches which, and the colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from xlexplain.figures.theme import Palette
from xlexplain.maths import receptive_field
from xlexplain.maths.arrays import IntArray

LEAST_SEGMENTS = 6
DEEPEST = 4  # layers of the shipped models


@dataclass(frozen=True)
class Recurrence:
    """The settings of the page: L, D, and how many layers are counted.

    Attributes:
        segment_length: L, tokens.
        memory_depth: D, segments.
        layer_count: layers between the embedding and the state that is looked at.
    """

    segment_length: int
    memory_depth: int
    layer_count: int

    @property
    def memory_length(self) -> int:
        """M = D·L, tokens."""
        return self.memory_depth * self.segment_length

    @property
    def segment_count(self) -> int:
        """Segments to show: the whole reach of the deepest model and one segment beyond it.

        The same for every layer count, so that changing it changes the reach and nothing else.
        """
        return max(LEAST_SEGMENTS, DEEPEST * self.memory_depth + 2)

    @property
    def length(self) -> int:
        """Tokens to show."""
        return self.segment_count * self.segment_length

    def field(self, position: int) -> tuple[int, ...]:
        """Earliest position that the token's state depends on, after 0, 1, … layers."""
        return receptive_field(
            position,
            segment_length=self.segment_length,
            memory_length=self.memory_length,
            layer_count=self.layer_count,
        )

    def reach(self, position: int) -> int:
        """Tokens back from `position` to the earliest one that is heard."""
        return position - self.field(position)[-1]

    def earliest(self) -> IntArray:
        """(T, layer_count) earliest position heard by each token, after 1, 2, … layers."""
        return np.array([self.field(position)[1:] for position in range(self.length)])

    def segment_start(self) -> IntArray:
        """(T,) where each token's segment begins: all that it hears without memory."""
        place = np.arange(self.length)
        return place - place % self.segment_length


def stack_data(
    recurrence: Recurrence,
    *,
    tokens: Sequence[str],
    segment: int,
    query: int,
    words: dict[str, Any],
    palette: Palette,
) -> dict[str, Any]:
    """The figure's data, ready for JSON.

    Args:
        tokens: (T,) what stands in the lowest row.
        segment, query: the segment that is being read and the chosen token in it.
        words: templates in which the browser puts its numbers.
    Raises: ValueError if there are not as many tokens as the settings show.
    """
    if len(tokens) != recurrence.length:
        raise ValueError(f"need {recurrence.length} tokens, got {len(tokens)}")
    return {
        "length": recurrence.length,
        "segments": recurrence.segment_count,
        "segmentLength": recurrence.segment_length,
        "depth": recurrence.memory_depth,
        "layers": recurrence.layer_count,
        "tokens": list(tokens),
        "earliest": recurrence.earliest().tolist(),
        "alone": recurrence.segment_start().tolist(),
        "segment": segment,
        "query": query,
        "words": words,
        "colours": colours(palette),
    }


def colours(palette: Palette) -> dict[str, str]:
    """The palette's colours under the names of the style sheet."""
    memory = {f"memory-{ago}": palette.segment(ago) for ago in range(1, 5)}
    return palette.css | memory | {"frame": palette.sequential[3][1]}


def alternative(recurrence: Recurrence, *, position: int) -> str:
    """The figure in words."""
    field = recurrence.field(position)
    back = [position - earliest for earliest in field[1:]]
    L = recurrence.segment_length
    steps = ", ".join(f"{tokens} after {n}" for n, tokens in enumerate(back, start=1))
    return (
        f"States of {recurrence.segment_count} segments of {L} tokens, one row a layer. "
        f"Token {position % L} of segment {position // L} reaches so many tokens back, by layers: "
        f"{steps}. Without memory it reaches {position % L} tokens back after any number of layers."
    )
