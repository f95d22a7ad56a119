"""The relative shift: from scores by distance to scores by key."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from xlexplain.maths.arrays import BoolArray, FloatArray, IntArray


def valid_entries(*, segment_length: int, key_count: int) -> BoolArray:
    """(L, S) True where j <= i + M, the entries that the shift fills with their own row's scores.

    >>> valid_entries(segment_length=2, key_count=3).astype(int)
    array([[1, 1, 0],
           [1, 1, 1]])
    """
    memory_length = key_count - segment_length
    if memory_length < 0:
        raise ValueError(
            f"need S >= L (keys = memory + segment), got S={key_count}, L={segment_length}"
        )
    return np.tri(segment_length, key_count, memory_length, dtype=np.bool_)


def rel_shift(scores: FloatArray) -> FloatArray:
    """Line up scores by distance with the keys they belong to.

    Query row i slides left by L-1-i, so column j ends up holding distance M+i-j.
    Entries with j > M+i come from the next row; they are set to 0 here and masked later.

    Args: scores: (..., L, S), column r = distance S-1-r, the largest first.
    Returns: (..., L, S), column j = key j, oldest memory first.
    Raises: ValueError if S < L or there are fewer than two axes.
    Source: Dai et al. 2019, appendix B.

    >>> rel_shift(np.array([[2.0, 1.0, 0.0], [2.0, 1.0, 0.0]]))   # L=2, M=1
    array([[1., 0., 0.],
           [2., 1., 0.]])
    """
    return rel_shift_steps(scores)[-1].scores


@dataclass(frozen=True)
class ShiftStage:
    """The matrix after one line of the shift.

    Attributes:
        name: what has just happened, for a reader.
        code: the line of NumPy that did it, acting on `x`.
        scores: (..., rows, columns).
        source: (rows, columns) where each cell came from: the flat address i·S + r in the matrix
            that went in, or -(i+1) for the zero that was put in front of row i.
        is_masked: (rows, columns) True where the cell is left over from another query.
    """

    name: str
    code: str
    scores: FloatArray
    source: IntArray
    is_masked: BoolArray


def rel_shift_steps(scores: FloatArray) -> tuple[ShiftStage, ...]:
    """The relative shift one line at a time, every cell traceable to where it came from.

    Args: scores: (..., L, S), column r = distance S-1-r.
    Returns: six stages: the scores as they came, pad, re-read as (S+1) × L, drop the first row,
        re-read as L × S, mask. The last one's scores are `rel_shift(scores)`.
    Raises: ValueError if S < L or there are fewer than two axes.

    >>> [stage.source.tolist() for stage in rel_shift_steps(np.zeros((2, 2)))][:3]
    [[[0, 1], [2, 3]], [[-1, 0, 1], [-2, 2, 3]], [[-1, 0], [1, -2], [2, 3]]]
    """
    scores = np.asarray(scores)
    if scores.ndim < 2:
        raise ValueError(f"need at least two axes (query, distance), got shape {scores.shape}")
    *lead, L, S = scores.shape
    is_valid = valid_entries(segment_length=L, key_count=S)
    source = np.arange(L * S).reshape(L, S)
    zero_source = -1 - np.arange(L)[:, None]  # (L, 1)

    padded = np.concatenate([np.zeros((*lead, L, 1), scores.dtype), scores], -1)  # (..., L, S+1)
    padded_source = np.concatenate([zero_source, source], -1)
    reread = padded.reshape(*lead, S + 1, L)  # (..., S+1, L)
    dropped = reread[..., 1:, :]  # (..., S, L)
    shifted = dropped.reshape(*lead, L, S)  # (..., L, S)
    masked = np.where(is_valid, shifted, 0)  # (..., L, S)

    reread_source = padded_source.reshape(S + 1, L)
    shifted_source = reread_source[1:].reshape(L, S)

    def stage(
        name: str, code: str, scores: FloatArray, source: IntArray, mask: BoolArray | None = None
    ) -> ShiftStage:
        is_masked = np.zeros(source.shape, np.bool_) if mask is None else mask
        return ShiftStage(name, code, scores, source, is_masked)

    return (
        stage("Scores by distance", "x = (q + v) @ r.T", scores, source),
        stage("Pad one zero in front", "x = np.pad(x, ((0, 0), (1, 0)))", padded, padded_source),
        stage("Re-read as (S+1) × L", "x = x.reshape(S + 1, L)", reread, reread_source),
        stage("Drop the first row", "x = x[1:]", dropped, reread_source[1:]),
        stage("Re-read as L × S", "x = x.reshape(L, S)", shifted, shifted_source),
        stage(
            "Mask the left-overs", "x = x * np.tri(L, S, S - L)", masked, shifted_source, ~is_valid
        ),
    )


def distance_lookup(*, segment_length: int, key_count: int) -> IntArray:
    """(L, S) column of the unshifted matrix that holds distance M+i-j, or -1 where j > M+i.

    The direct look-up that the shift replaces: column r holds distance S-1-r, so key j of query i
    is found in column j + L-1-i.

    >>> distance_lookup(segment_length=2, key_count=3)
    array([[ 1,  2, -1],
           [ 0,  1,  2]])
    """
    query = np.arange(segment_length)[:, None]
    key = np.arange(key_count)[None, :]
    column = key + segment_length - 1 - query
    return np.where(valid_entries(segment_length=segment_length, key_count=key_count), column, -1)
