"""Position vectors of the keys, as each kind of encoding gives them."""

from __future__ import annotations

from typing import Literal

import numpy as np

from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.positions import PositionConflict
from xlexplain.maths.sinusoids import sinusoids

Encoding = Literal["sinusoidal", "learned", "relative"]
ENCODINGS: tuple[Encoding, ...] = ("sinusoidal", "learned", "relative")
LEARNED_SEED = 2019


def key_vectors(
    conflict: PositionConflict, encoding: Encoding, *, query: int, width: int
) -> FloatArray:
    """The position vector that stands for each key.

    Args:
        encoding: "sinusoidal" and "learned" are absolute: the vector of the position encoded(j).
            "learned" is a table of L random rows with a fixed seed, in place of whatever a table
            learns: its rows do not matter here, only that keys share them. "relative" is the
            sinusoid of the distance M+i-j, negative for keys after the query.
        query: i, 0..L-1; absolute vectors do not depend on it.
        width: C, even.
    Returns: (S, C).
    Raises: ValueError for another encoding or an odd width.
    Source: Dai et al. 2019, section 3.3.
    """
    if encoding == "sinusoidal":
        return sinusoids(conflict.encoded, width)
    if encoding == "learned":
        table = np.random.default_rng(LEARNED_SEED).standard_normal(
            (conflict.segment_length, width)
        )
        return np.asarray(table[conflict.encoded])
    if encoding == "relative":
        return sinusoids(conflict.distance[query], width)
    raise ValueError(f"need one of {', '.join(ENCODINGS)}, got {encoding!r}")


def similarity(vectors: FloatArray) -> FloatArray:
    """(S, S) dot products of (S, C) vectors, each divided by the vectors' lengths: 1 = the same.

    >>> similarity(np.array([[2.0, 0.0], [0.0, 3.0]]))
    array([[1., 0.],
           [0., 1.]])
    """
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(unit @ unit.T)


def equal_pairs(vectors: FloatArray) -> int:
    """Pairs of keys whose vectors are equal, number for number.

    >>> equal_pairs(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]))
    1
    """
    _, counts = np.unique(vectors, axis=0, return_counts=True)
    return int((counts * (counts - 1) // 2).sum())
