"""What the model is told about positions, and what is true."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from xlexplain.maths.arrays import BoolArray, IntArray


def segment_name(segments_ago: int) -> str:
    """A segment's name by its age: τ is the current one, τ−1 the one before it.

    >>> segment_name(0), segment_name(2)
    ('τ', 'τ−2')
    """
    return f"τ−{segments_ago}" if segments_ago else "τ"


@dataclass(frozen=True)
class PositionConflict:
    """Encoded absolute positions beside true ones, for one segment and its memory.

    Keys j = 0..S-1 run over the memory (oldest first) and then the current segment; queries
    i = 0..L-1 are the tokens of the current segment. Every array is in tokens.

    Attributes:
        segment_length: L, the number of queries.
        memory_depth: D, the number of cached segments.
    """

    segment_length: int
    memory_depth: int

    @property
    def memory_length(self) -> int:
        """M = D·L, tokens in memory."""
        return self.memory_depth * self.segment_length

    @property
    def key_count(self) -> int:
        """S = M + L."""
        return self.memory_length + self.segment_length

    @property
    def offset(self) -> IntArray:
        """(S,) place of each key counted from the start of the current segment, -M..L-1."""
        return np.arange(-self.memory_length, self.segment_length)

    @property
    def encoded(self) -> IntArray:
        """(S,) absolute position each key was given when its own segment was processed, 0..L-1."""
        return self.offset % self.segment_length

    @property
    def segments_ago(self) -> IntArray:
        """(S,) 0 for the current segment, 1 for the one before it, … up to D."""
        return -(self.offset // self.segment_length)

    @property
    def distance(self) -> IntArray:
        """(L, S) true distance M + i - j: how many tokens back key j lies from query i."""
        return np.arange(self.segment_length)[:, None] - self.offset[None, :]

    @property
    def encoded_distance(self) -> IntArray:
        """(L, S) i - encoded(j): the distance that the absolute encodings suggest."""
        return np.arange(self.segment_length)[:, None] - self.encoded[None, :]

    @property
    def error(self) -> IntArray:
        """(L, S) distance - encoded_distance = L·segments_ago(j): always whole segments."""
        return self.distance - self.encoded_distance

    @property
    def visible(self) -> BoolArray:
        """(L, S) True where query i may attend to key j (causality: distance >= 0)."""
        return self.distance >= 0

    @property
    def collision_count(self) -> int:
        """Pairs of keys that carry the same absolute position: L·D(D+1)/2, counted."""
        carriers = np.bincount(self.encoded)
        return int((carriers * (carriers - 1) // 2).sum())

    def twins(self, key: int) -> IntArray:
        """Keys that carry the same absolute position as `key`, itself excluded, oldest first.

        Raises: ValueError if `key` is not one of the S keys.

        >>> position_conflict(segment_length=8, memory_depth=2).twins(5)
        array([13, 21])
        """
        if not 0 <= key < self.key_count:
            raise ValueError(f"need a key in 0..{self.key_count - 1}, got {key}")
        is_twin = self.encoded == self.encoded[key]
        is_twin[key] = False
        return np.flatnonzero(is_twin)

    def visible_carriers(self, query: int) -> IntArray:
        """(S,) how many keys that `query` can see carry each key's encoding, itself included.

        0 for keys that the query cannot see. A key is ambiguous when the count is above 1.
        """
        is_visible = self.visible[query]
        carriers = np.bincount(self.encoded[is_visible], minlength=self.segment_length)
        counts: IntArray = np.where(is_visible, carriers[self.encoded], 0)
        return counts


def position_conflict(*, segment_length: int, memory_depth: int) -> PositionConflict:
    """The conflict for one segment length L and memory depth D.

    Raises: ValueError unless L >= 1 and D >= 0 are whole numbers.
    Source: Dai et al. 2019, section 3.3.

    >>> conflict = position_conflict(segment_length=3, memory_depth=1)
    >>> conflict.encoded, conflict.offset
    (array([0, 1, 2, 0, 1, 2]), array([-3, -2, -1,  0,  1,  2]))
    """
    for name, value, least in (
        ("segment_length", segment_length, 1),
        ("memory_depth", memory_depth, 0),
    ):
        if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
            raise ValueError(f"need a whole number {name} >= {least}, got {value!r}")
    return PositionConflict(segment_length=int(segment_length), memory_depth=int(memory_depth))
