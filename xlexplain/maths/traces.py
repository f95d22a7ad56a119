"""What one forward pass computed, as plain arrays.

The model records; everything that follows from the record by arithmetic is derived here. One batch
lane only. Shapes use the alphabet H heads, L queries, S = m + L keys, d_head, C model width.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from xlexplain.maths.arrays import BoolArray, FloatArray, IntArray
from xlexplain.maths.shift import rel_shift

TERMS = ("a", "b", "c", "d")


@dataclass(frozen=True)
class AttentionTrace:
    """One attention layer on one segment.

    Attributes:
        query: (H, L, d_head), without biases.
        key: (H, S, d_head).
        value: (H, S, d_head).
        relative_key: (H, S, d_head), row r = distance S-1-r; None in an absolute model.
        u, v: (H, d_head), the content and the position bias; None in an absolute model.
        ac: (H, L, S) terms a + c, before scaling.
        bd_by_distance: (H, L, S) terms b + d before the shift; None in an absolute model.
        probs: (H, L, S) attention weights, 0 on masked keys.
        is_masked: (L, S) True where query i may not attend to key j.
        memory: (m, C) the stored states that the layer was given.
        hidden: (L, C) the layer's input.
        attended: (L, C) what attention adds to that input, before LayerNorm.
    """

    query: FloatArray
    key: FloatArray
    value: FloatArray
    relative_key: FloatArray | None
    u: FloatArray | None
    v: FloatArray | None
    ac: FloatArray
    bd_by_distance: FloatArray | None
    probs: FloatArray
    is_masked: BoolArray
    memory: FloatArray
    hidden: FloatArray
    attended: FloatArray

    @property
    def scale(self) -> float:
        """1/√d_head."""
        return 1.0 / float(np.sqrt(self.query.shape[-1]))

    @property
    def bd(self) -> FloatArray:
        """(H, L, S) terms b + d lined up with their keys, 0 where masked by causality."""
        if self.bd_by_distance is None:
            return np.zeros_like(self.ac)
        return rel_shift(self.bd_by_distance)

    @property
    def scores(self) -> FloatArray:
        """(H, L, S) (a + b + c + d)/√d_head, as they enter the softmax; -inf where masked."""
        return np.where(self.is_masked, -np.inf, (self.ac + self.bd) * self.scale)

    def terms(self) -> dict[str, FloatArray]:
        """The four terms of A^rel, each (H, L, S), before scaling, 0 beyond causality for b and d.

        Computed from the recorded vectors by another route than the model's: one product a term.
        An absolute model has only a.
        Source: Dai et al. 2019, section 3.3.
        """
        a = np.einsum("hid,hjd->hij", self.query, self.key)
        if self.relative_key is None or self.u is None or self.v is None:
            zero = np.zeros_like(a)
            return {"a": a, "b": zero, "c": zero, "d": zero}
        b = np.einsum("hid,hrd->hir", self.query, self.relative_key)
        c = np.einsum("hd,hjd->hj", self.u, self.key)  # one value per key, the same for all queries
        d = np.einsum("hd,hrd->hr", self.v, self.relative_key)  # one value per distance
        return {
            "a": a,
            "b": rel_shift(b),
            "c": np.broadcast_to(c[:, None, :], a.shape),
            "d": rel_shift(np.broadcast_to(d[:, None, :], a.shape)),
        }


@dataclass(frozen=True)
class SegmentTrace:
    """One segment's pass through the model.

    Attributes:
        ids: (L,) token ids of the segment; the last segment of a text may be shorter.
        start: position of its first token in the text.
        memory_length: m, tokens in memory when it was processed.
        embedded: (L, C) what enters layer 1.
        layers: one trace a layer.
        hidden: (L, C) what leaves the last layer.
        logits: (L, V).
    """

    ids: IntArray
    start: int
    memory_length: int
    embedded: FloatArray
    layers: tuple[AttentionTrace, ...]
    hidden: FloatArray
    logits: FloatArray

    @property
    def first_key(self) -> int:
        """Position in the text of key 0."""
        return self.start - self.memory_length


@dataclass(frozen=True)
class ForwardTrace:
    """A text streamed through a model in segments.

    Attributes:
        tokens: the text's tokens as a reader sees them, ▢ for one that the model does not know.
        unknown: the distinct characters that the model does not know, in order of appearance.
        segment_length: L as asked for.
        memory_length: M as asked for, in tokens.
        segments: in order of processing.
    """

    tokens: tuple[str, ...]
    unknown: tuple[str, ...]
    segment_length: int
    memory_length: int
    segments: tuple[SegmentTrace, ...]

    def query_tokens(self, segment: int) -> tuple[str, ...]:
        """The L tokens of a segment."""
        trace = self.segments[segment]
        return self.tokens[trace.start : trace.start + len(trace.ids)]

    def key_tokens(self, segment: int) -> tuple[str, ...]:
        """The S tokens that a segment's queries can attend to, memory first."""
        trace = self.segments[segment]
        return self.tokens[trace.first_key : trace.start + len(trace.ids)]


def softmax(scores: FloatArray) -> FloatArray:
    """Softmax over the last axis; -inf gets weight 0. At least one entry a row must be finite."""
    shifted = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))
