"""What attention does with keys that carry the same absolute position."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.positions import PositionConflict


@dataclass(frozen=True)
class TwinDifference:
    """How differently twins with equal tokens are treated.

    Attributes:
        pairs: pairs of such keys that a query sees, summed over queries.
        largest: the largest difference between two of them, over queries and heads; 0 for no pairs.
    """

    pairs: int
    largest: float


def most_attended(weights: FloatArray, conflict: PositionConflict, *, query: int) -> int | None:
    """The position whose keys get the most weight together, of those that a query sees twice.

    Args: weights: (S,) of that query.
    Returns: None if the query sees no position twice.

    >>> conflict = PositionConflict(segment_length=2, memory_depth=1)
    >>> most_attended(np.array([0.1, 0.7, 0.2, 0.0]), conflict, query=0)
    0
    """
    weight, count = np.zeros(conflict.segment_length), np.zeros(conflict.segment_length)
    seen = conflict.visible[query]
    np.add.at(weight, conflict.encoded[seen], weights[seen])
    np.add.at(count, conflict.encoded[seen], 1)
    return int(np.where(count > 1, weight, -1).argmax()) if count.max() > 1 else None


def twin_difference(
    weights: FloatArray, conflict: PositionConflict, *, tokens: Sequence[str]
) -> TwinDifference:
    """Compare the weights (or scores) that twins with equal tokens get from the same query.

    Args:
        weights: (H, L, S), finite on keys that the query sees.
        tokens: the S keys' tokens.

    >>> conflict = PositionConflict(segment_length=1, memory_depth=1)
    >>> twin_difference(np.array([[[0.25, 0.75]]]), conflict, tokens="aa")
    TwinDifference(pairs=1, largest=0.5)
    """
    keys_of: dict[tuple[int, str], list[int]] = defaultdict(list)
    for key, position in enumerate(conflict.encoded.tolist()):
        keys_of[position, tokens[key]].append(key)
    pairs, largest = 0, 0.0
    visible = conflict.visible
    for keys in keys_of.values():
        seen = visible[:, keys]  # (L, n)
        counts = seen.sum(axis=1)
        pairs += int((counts * (counts - 1) // 2).sum())
        is_compared = counts > 1
        if not is_compared.any():
            continue
        group = weights[:, is_compared][:, :, keys]  # (H, queries, n)
        hidden = ~seen[is_compared]
        highest = np.where(hidden, -np.inf, group).max(axis=-1)
        lowest = np.where(hidden, np.inf, group).min(axis=-1)
        largest = max(largest, float((highest - lowest).max()))
    return TwinDifference(pairs=pairs, largest=largest)
