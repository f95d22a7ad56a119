"""What the relative shift costs, what it saves, and its form without a copy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.lib.stride_tricks import as_strided

from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.shift import ShiftStage, rel_shift, valid_entries


def shift_view(scores: FloatArray) -> FloatArray:
    """The shift without a copy: the same memory, read with rows one number shorter.

    Element (i, j) is found at address L-1 + i·(S-1) + j. Entries with j > M+i belong to the next
    query, as in `rel_shift_steps`, but each of them one column earlier: there is no padded zero.

    Args: scores: (L, S), column r = distance S-1-r.
    Returns: (L, S), a read-only view, or a view of a copy if the rows do not lie end to end.
    Raises: ValueError unless there are two axes with S >= L.

    >>> shift_view(np.array([[2.0, 1.0, 0.0], [2.0, 1.0, 0.0]]))   # L=2, M=1
    array([[1., 0., 2.],
           [2., 1., 0.]])
    """
    scores = np.ascontiguousarray(scores)
    if scores.ndim != 2 or scores.shape[1] < scores.shape[0]:
        raise ValueError(f"need (L, S) with S >= L, got shape {scores.shape}")
    L, S = scores.shape
    step = scores.itemsize
    return as_strided(scores.reshape(-1)[L - 1 :], (L, S), ((S - 1) * step, step), writeable=False)


def shift_view_address(*, query: int, key: int, segment_length: int, key_count: int) -> int:
    """Where `shift_view` finds element (query, key): an address in the L·S numbers, from 0.

    >>> divmod(shift_view_address(query=0, key=1, segment_length=2, key_count=3), 3)
    (0, 2)
    """
    return segment_length - 1 + query * (key_count - 1) + key


def written_bytes(stages: Sequence[ShiftStage]) -> tuple[int, ...]:
    """Bytes that each line of the shift writes: the new array, or 0 for a view of the one before.

    Found by asking NumPy whether the two arrays share memory. The first stage is given, so 0.
    """
    return (
        0,
        *(
            0 if np.shares_memory(before.scores, after.scores) else after.scores.nbytes
            for before, after in pairwise(stages)
        ),
    )


def scores_by_shift(query: FloatArray, table: FloatArray, weight: FloatArray) -> FloatArray:
    """b + d of one head by projecting each of the S distances once, and shifting.

    Args:
        query: (L, d_head), q_i + v.
        table: (S, C), R of the distances S-1, …, 0.
        weight: (d_head, C), the head's projection of R.
    Returns: (L, S), 0 where j > M+i.
    """
    relative_key = table @ weight.T  # (S, d_head)
    return rel_shift(query @ relative_key.T)  # (L, S)


def scores_by_pair(query: FloatArray, table: FloatArray, weight: FloatArray) -> FloatArray:
    """The same the naive way: look R[M+i-j] up for every pair, and project all L·S of them.

    A pair with j > M+i has no distance; it takes R[0] along and is set to 0 at the end.
    """
    L, S = query.shape[0], table.shape[0]
    distance = np.maximum(S - L + np.arange(L)[:, None] - np.arange(S)[None, :], 0)  # (L, S)
    looked_up = table[S - 1 - distance]  # (L, S, C)
    projected = looked_up @ weight.T  # (L, S, d_head)
    scores = (projected @ query[:, :, None])[..., 0]  # (L, S)
    is_valid = valid_entries(segment_length=L, key_count=S)
    return np.where(is_valid, scores, 0).astype(scores.dtype)
