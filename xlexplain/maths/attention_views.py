"""What attention does on the whole: by distance, into memory, above the average key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from xlexplain.maths.arrays import BoolArray, FloatArray
from xlexplain.maths.traces import AttentionTrace


def above_average(scores: FloatArray, is_seen: BoolArray) -> FloatArray:
    """Scores minus their row's mean over the seen keys; 0 on keys that are not seen.

    The softmax gives the same weights for both: what all keys share does not count.

    Args: scores: (..., S). is_seen: (..., S), at least one True a row.

    >>> above_average(np.array([1.0, 3.0, 9.0]), np.array([True, True, False]))
    array([-1.,  1.,  0.])
    """
    count = is_seen.sum(axis=-1, keepdims=True)
    mean = np.where(is_seen, scores, 0).sum(axis=-1, keepdims=True) / count
    return np.where(is_seen, scores - mean, 0)


def attention_by_distance(layers: Sequence[AttentionTrace]) -> FloatArray:
    """Mean weight that each head gives to the key at each distance.

    Args: layers: the same layer on one or more segments.
    Returns: (H, greatest S); entry h, r averages over all queries that have a key r tokens back.
    """
    H = layers[0].probs.shape[0]
    S = max(layer.probs.shape[2] for layer in layers)
    total, count = np.zeros((H, S)), np.zeros(S)
    for layer in layers:
        _, rows, columns = layer.probs.shape
        for query in range(rows):
            farthest = columns - rows + query
            total[:, : farthest + 1] += layer.probs[:, query, farthest::-1]
            count[: farthest + 1] += 1
    return total / np.maximum(count, 1)


def memory_share(layer: AttentionTrace) -> FloatArray:
    """(H, L) share of each query's attention that goes to keys in memory."""
    memory_length = layer.probs.shape[2] - layer.probs.shape[1]
    share: FloatArray = layer.probs[:, :, :memory_length].sum(axis=-1)
    return share


def even_memory_share(layer: AttentionTrace) -> FloatArray:
    """(L,) that share if a query looked at every key that it sees alike."""
    memory_length = layer.probs.shape[2] - layer.probs.shape[1]
    is_seen = ~layer.is_masked
    return np.asarray(is_seen[:, :memory_length].sum(axis=1) / is_seen.sum(axis=1))


def repeated_token(tokens: Sequence[str], is_seen: Sequence[bool]) -> list[int]:
    """The keys of the token that the query sees most often; [] if none is seen twice.

    >>> repeated_token("abcab", [True, True, True, True, False])
    [0, 3]
    """
    counts = Counter(token for token, seen in zip(tokens, is_seen, strict=True) if seen)
    token, count = max(counts.items(), key=lambda item: item[1])
    if count < 2:
        return []
    return [key for key, one in enumerate(tokens) if one == token and is_seen[key]]
