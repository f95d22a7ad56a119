"""Three questions about the current settings, and what is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from xlexplain.maths.positions import PositionConflict

Kind = Literal["alike", "distance", "truth"]
KINDS: tuple[Kind, ...] = ("alike", "distance", "truth")


@dataclass(frozen=True)
class Question:
    """A question that is answered by pointing at keys.

    Attributes:
        kind: "alike" asks for two keys that the query cannot tell apart by position; "distance" for
            the key that lies `distance` back; "truth" for a key whose encoded distance is right.
        query: i, the token that asks.
        distance: tokens back, for the second kind; 0 otherwise.
    """

    conflict: PositionConflict
    kind: Kind
    query: int
    distance: int = 0

    @property
    def picks(self) -> int:
        """How many keys an answer has."""
        return 2 if self.kind == "alike" else 1

    @property
    def has_answer(self) -> bool:
        """Whether any keys are right; without memory no two keys look alike."""
        return self.kind != "alike" or self.conflict.memory_depth > 0

    def is_right(self, keys: Sequence[int]) -> bool:
        """Whether these keys answer the question; no keys at all says that there are none.

        Keys that the query cannot see are never right.
        Raises: ValueError for a key that is not one of the S keys.
        """
        conflict, i = self.conflict, self.query
        for key in keys:
            if not 0 <= key < conflict.key_count:
                raise ValueError(f"need keys in 0..{conflict.key_count - 1}, got {key}")
        if not keys:
            return not self.has_answer
        if len(set(keys)) != self.picks or any(conflict.distance[i, key] < 0 for key in keys):
            return False
        if self.kind == "alike":
            return bool(conflict.encoded[keys[0]] == conflict.encoded[keys[1]])
        if self.kind == "distance":
            return bool(conflict.distance[i, keys[0]] == self.distance)
        return bool(conflict.error[i, keys[0]] == 0)

    def answer(self) -> list[int]:
        """One right answer, or none. Two keys alike: the youngest two at the query's position."""
        M, L, i = self.conflict.memory_length, self.conflict.segment_length, self.query
        if self.kind == "alike":
            return [M + i - L, M + i] if self.has_answer else []
        return [M + i - self.distance]


def questions(conflict: PositionConflict, *, query: int, round_number: int = 0) -> list[Question]:
    """The three questions for these settings; every round asks from another query and distance.

    Raises: ValueError if `query` is not one of the L queries.
    """
    L, M = conflict.segment_length, conflict.memory_length
    if not 0 <= query < L:
        raise ValueError(f"need a query in 0..{L - 1}, got {query}")
    generator = np.random.default_rng([L, conflict.memory_depth, query, round_number])
    first = (query + round_number) % L
    second, third = (int(generator.integers(L)) for _ in range(2))
    nearest = L if M else 0  # a distance into the memory, so that encodings mislead
    farthest = M + second
    distance = int(generator.integers(min(nearest, farthest), farthest + 1))
    return [
        Question(conflict, "alike", first),
        Question(conflict, "distance", second, distance),
        Question(conflict, "truth", third),
    ]
