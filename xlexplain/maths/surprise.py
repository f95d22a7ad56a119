"""How surprising a text was, in bits, and what a model expected instead."""

from __future__ import annotations

import numpy as np

from xlexplain.maths.arrays import FloatArray, IntArray
from xlexplain.maths.traces import ForwardTrace, softmax


def surprise_bits(trace: ForwardTrace) -> FloatArray:
    """(T,) bits that each token cost, -log2 of its probability given those before it.

    The first token is predicted by nothing: its entry is nan.
    """
    ids = np.concatenate([segment.ids for segment in trace.segments])
    logits = np.concatenate([segment.logits for segment in trace.segments]).astype(np.float64)
    log_normalizer = np.logaddexp.reduce(logits[:-1], axis=1)
    nats = log_normalizer - logits[np.arange(len(ids) - 1), ids[1:]]
    return np.concatenate([[np.nan], nats / np.log(2)])


def mean_bits(bits: FloatArray) -> float:
    """Bits a token, over those that were predicted; nan if there are none."""
    predicted = bits[1:]
    return float(predicted.mean()) if len(predicted) else float("nan")


def most_likely(logits: FloatArray, *, count: int) -> tuple[IntArray, FloatArray]:
    """The `count` likeliest next tokens after one query, and their probabilities, falling.

    Args: logits: (V,).

    >>> ids, probs = most_likely(np.log(np.array([0.2, 0.7, 0.1])), count=2)
    >>> ids.tolist(), probs.round(3).tolist()
    ([1, 0], [0.7, 0.2])
    """
    probs = softmax(logits.astype(np.float64))
    ids = np.argsort(-probs, kind="stable")[:count]
    return ids, probs[ids]
