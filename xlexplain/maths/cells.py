"""One attention score taken apart and put together again, by another route than the model's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.traces import TERMS, AttentionTrace


@dataclass(frozen=True)
class CellCheck:
    """What query i scores key j with, recomputed in float64, beside what the model computed.

    Attributes:
        distance: M + i - j, in tokens; negative for a key that the query may not see.
        is_masked: True where the key gets no weight.
        a, b, c, d: the terms before scaling; b and d are 0 for a key after the query.
        scale: 1/√d_head.
        weight: the softmax weight over the keys that the query sees, 0 where masked.
        model_ac, model_bd, model_weight: the model's own numbers, b + d looked up by distance.
    """

    distance: int
    is_masked: bool
    a: float
    b: float
    c: float
    d: float
    scale: float
    weight: float
    model_ac: float
    model_bd: float
    model_weight: float

    @property
    def total(self) -> float:
        """a + b + c + d."""
        return self.a + self.b + self.c + self.d

    @property
    def score(self) -> float:
        """(a + b + c + d)/√d_head, what enters the softmax."""
        return self.total * self.scale

    def residuals(self) -> dict[str, float]:
        """How far each recomputed number lies from the model's, as absolute differences."""
        model_total = self.model_ac + self.model_bd
        return {
            "ac": abs(self.a + self.c - self.model_ac),
            "bd": abs(self.b + self.d - self.model_bd),
            "total": abs(self.total - model_total),
            "score": abs(self.total - model_total) * self.scale,
            "weight": abs(self.weight - self.model_weight),
        }


def row_terms(layer: AttentionTrace, *, head: int, query: int) -> dict[str, FloatArray]:
    """The four terms of one query against every key, each (S,) float64, before scaling.

    Every key's relative vector is looked up by its distance: no shift. b and d are 0 for keys
    after the query, and everywhere in an absolute model.
    """
    q = layer.query[head, query].astype(np.float64)  # (d_head,)
    keys = layer.key[head].astype(np.float64)  # (S, d_head)
    S = len(keys)
    a = keys @ q
    if layer.relative_key is None or layer.u is None or layer.v is None:
        zero = np.zeros(S)
        return {"a": a, "b": zero, "c": zero, "d": zero}
    distance = S - layer.query.shape[1] + query - np.arange(S)
    row = np.clip(S - 1 - distance, 0, S - 1)
    relative = layer.relative_key[head].astype(np.float64)[row]  # (S, d_head), R[distance]
    is_seen = distance >= 0
    return {
        "a": a,
        "b": np.where(is_seen, relative @ q, 0.0),
        "c": keys @ layer.u[head].astype(np.float64),
        "d": np.where(is_seen, relative @ layer.v[head].astype(np.float64), 0.0),
    }


def row_weights(layer: AttentionTrace, terms: dict[str, FloatArray], *, query: int) -> FloatArray:
    """(S,) softmax over the keys that the query sees; 0 on the others."""
    is_seen = ~layer.is_masked[query]
    scores = np.sum([terms[name] for name in TERMS], axis=0) * layer.scale  # (S,)
    weights = np.where(is_seen, np.exp(scores - scores[is_seen].max()), 0.0)
    return np.asarray(weights / weights.sum())


def check_row(layer: AttentionTrace, *, head: int, query: int) -> tuple[CellCheck, ...]:
    """Every cell of one query's row, recomputed.

    Raises: ValueError for a head or query that the layer does not have.
    """
    H, L, S = layer.ac.shape
    if not (0 <= head < H and 0 <= query < L):
        raise ValueError(
            f"need a head in 0..{H - 1} and a query in 0..{L - 1}, got {head}, {query}"
        )
    terms = row_terms(layer, head=head, query=query)
    weights = row_weights(layer, terms, query=query)

    def cell(key: int) -> CellCheck:
        distance = S - L + query - key
        return CellCheck(
            distance=distance,
            is_masked=bool(layer.is_masked[query, key]),
            **{name: float(values[key]) for name, values in terms.items()},
            scale=layer.scale,
            weight=float(weights[key]),
            model_ac=float(layer.ac[head, query, key]),
            model_bd=model_bd(layer, head=head, query=query, distance=distance),
            model_weight=float(layer.probs[head, query, key]),
        )

    return tuple(cell(key) for key in range(S))


def model_bd(layer: AttentionTrace, *, head: int, query: int, distance: int) -> float:
    """The model's b + d for one distance, from before the shift; 0 without one."""
    if layer.bd_by_distance is None or distance < 0:
        return 0.0
    column = layer.bd_by_distance.shape[2] - 1 - distance
    return float(layer.bd_by_distance[head, query, column])


def largest_residuals(layer: AttentionTrace, *, head: int) -> dict[str, float]:
    """The largest difference from the model over every cell that a head's queries see."""
    largest = {"ac": 0.0, "bd": 0.0, "total": 0.0, "score": 0.0, "weight": 0.0}
    for query in range(layer.ac.shape[1]):
        for cell in check_row(layer, head=head, query=query):
            if not cell.is_masked:
                for name, residual in cell.residuals().items():
                    largest[name] = max(largest[name], residual)
    return largest
