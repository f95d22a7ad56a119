"""What a model was measured to hear, beside what the reach formula says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from xlexplain.maths.arrays import BoolArray, FloatArray, IntArray
from xlexplain.maths.reach import receptive_field


@dataclass(frozen=True)
class Influence:
    """How much each token of a text moves the state of the one at `position`.

    T ends with the segment of that token, so tokens after it are measured too.

    Attributes:
        position: place of the chosen token in the text.
        segment_length: L. memory_length: M. Both in tokens.
        nudged: (n_layer, T) length of the derivative of one direction of the state after 1, 2, …
            layers by each token's embedding, followed through the memory.
        trained: (n_layer, T) the same as training sees it, with the memory detached.
        places: (K,) the tokens that were replaced one at a time, ascending.
        replaced: (n_layer, K) largest change of the state when that token is replaced.
    """

    position: int
    segment_length: int
    memory_length: int
    nudged: FloatArray
    trained: FloatArray
    places: IntArray
    replaced: FloatArray

    @property
    def layer_count(self) -> int:
        return len(self.nudged)

    @property
    def distance(self) -> IntArray:
        """(T,) tokens back from the chosen one; negative after it."""
        return self.position - np.arange(self.nudged.shape[1])

    @property
    def predicted(self) -> BoolArray:
        """(n_layer, T) True where the formula says that the token is heard."""
        field = receptive_field(
            self.position,
            segment_length=self.segment_length,
            memory_length=self.memory_length,
            layer_count=self.layer_count,
        )
        place = np.arange(self.nudged.shape[1])
        return np.stack([(earliest <= place) & (place <= self.position) for earliest in field[1:]])

    @property
    def is_nudge_as_predicted(self) -> BoolArray:
        """(n_layer, T) True where the derivative is above 0 exactly if the formula says so."""
        return np.equal(self.nudged > 0, self.predicted)

    @property
    def is_replacement_as_predicted(self) -> BoolArray:
        """(n_layer, K) True where the state changed exactly if the formula says so."""
        return np.equal(self.replaced > 0, self.predicted[:, self.places])

    def farthest(self, is_heard: BoolArray, places: IntArray | None = None) -> list[int]:
        """For each layer, tokens back to the earliest one that is heard.

        Args:
            is_heard: (n_layer, N), at least one True a row.
            places: (N,) the positions of its columns; None for 0, 1, …
        """
        columns = np.arange(is_heard.shape[1]) if places is None else places
        return [self.position - int(columns[row].min()) for row in is_heard]


def border_places(
    position: int,
    *,
    segment_length: int,
    memory_length: int,
    layer_count: int,
    margin: int = 3,
) -> IntArray:
    """Tokens on both sides of the chosen one and of the borders of its field after each layer.

    `margin` tokens before each, and as many from it on. Ascending, none after the chosen token's
    segment.

    >>> border_places(12, segment_length=8, memory_length=8, layer_count=1, margin=2).tolist()
    [0, 1, 10, 11, 12, 13]
    """
    field = receptive_field(
        position,
        segment_length=segment_length,
        memory_length=memory_length,
        layer_count=layer_count,
    )
    end = (position // segment_length + 1) * segment_length
    near = {
        place
        for border in field
        for place in range(border - margin, border + margin)
        if 0 <= place < end
    }
    return np.array(sorted(near))
