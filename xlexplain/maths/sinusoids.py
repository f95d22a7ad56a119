"""Sinusoidal position vectors, absolute and relative."""

from __future__ import annotations

import numpy as np

from xlexplain.maths.arrays import FloatArray, IntArray


def sinusoids(positions: IntArray | FloatArray, width: int) -> FloatArray:
    """Position vectors [sin | cos], concatenated and not interleaved.

    Args:
        positions: (N,) positions or distances, in tokens.
        width: C, even.
    Returns: (N, C) float64; entry p, i is sin(p·w_i), entry p, C/2 + i is cos(p·w_i), with
        w_i = 10000^(-2i/C).
    Raises: ValueError unless the width is even and positive.
    Source: Vaswani et al. 2017, section 3.5, in the order of the Transformer-XL code.

    >>> sinusoids(np.array([0]), 4)
    array([[0., 0., 1., 1.]])
    """
    if width < 2 or width % 2:
        raise ValueError(f"need an even width >= 2, got {width}")
    frequency = 10000.0 ** (-np.arange(0, width, 2) / width)  # (C/2,)
    angle = np.asarray(positions, np.float64)[:, None] * frequency  # (N, C/2)
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=1)


def relative_sinusoids(key_count: int, width: int, *, clamp_length: int = 0) -> FloatArray:
    """(S, C) vectors R of the distances S-1, S-2, …, 0, the largest first.

    Args: clamp_length: distances above it are treated as equal to it; 0 clamps nothing.

    >>> relative_sinusoids(8, 2)[-1]   # distance 0
    array([0., 1.])
    """
    distance = np.arange(key_count - 1, -1, -1)
    if clamp_length > 0:
        distance = np.minimum(distance, clamp_length)
    return sinusoids(distance, width)
