"""The live b + d scores that the relative-shift page works on."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from xlexplain.maths import AttentionTrace, ForwardTrace
from xlexplain.maths.arrays import FloatArray
from xlexplain.ui import controls, models, texts

MODEL = "relative"
MOST_TEXT = 320
DEFAULT_SEGMENT = 5


@dataclass(frozen=True)
class LiveScores:
    """One head's b + d on one segment of the reader's text.

    Attributes:
        by_distance: (L, S) float32, before the shift; column r = distance S-1-r.
        layer_trace: everything that the layer computed on this segment.
        query_tokens, key_tokens: (L,) and (S,) as a reader sees them.
        segment, layer, head: which, from 0.
        segment_length, memory_length: as chosen; at the text's ends a segment has less.
        text: what was read.
    """

    by_distance: FloatArray = field(compare=False)  # follows from the others
    layer_trace: AttentionTrace = field(compare=False)
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    segment: int
    layer: int
    head: int
    segment_length: int
    memory_length: int
    text: str

    @property
    def query_count(self) -> int:
        """L of this segment."""
        return len(self.query_tokens)

    @property
    def key_count(self) -> int:
        """S of this segment."""
        return len(self.key_tokens)

    @property
    def memory_present(self) -> int:
        """M of this segment."""
        return self.key_count - self.query_count

    @property
    def is_short(self) -> bool:
        """Whether it has fewer queries or less memory than chosen."""
        chosen = (self.segment_length, self.memory_length)
        return (self.query_count, self.memory_present) != chosen

    @property
    def segments_ago(self) -> list[int]:
        """(S,) how many segments ago each key was read; 0 for the current one."""
        offset = np.arange(-self.memory_present, self.query_count)
        return [int(ago) for ago in np.maximum(0, -(offset // self.segment_length))]

    @property
    def signature(self) -> str:
        """Names these scores: the same signature, the same numbers."""
        lengths = f"{self.segment_length},{self.memory_length}"
        return f"{lengths},{self.segment},{self.layer},{self.head},{hash(self.text)}"


def choose_scores(
    row: DeltaGenerator, text: str, *, segment_length: int, memory_depth: int
) -> LiveScores:
    """Run the model on the text, and let the reader choose a segment, a layer and a head."""
    trace = models.trace(MODEL, text, segment_length=segment_length, memory_depth=memory_depth)
    texts.notice_unknown(trace.unknown, vocab_size=models.pretrained(MODEL).model.config.vocab_size)
    full_segments = len(text) // segment_length
    with row:
        segment = controls.bounded_slider(
            "Segment",
            "segment",
            most=len(trace.segments) - 1,
            default=max(0, min(DEFAULT_SEGMENT, full_segments - 1)),
            help="τ: which piece of the text the model is reading.",
        )
        layer = controls.layer_index()
        head = controls.head_index()
    return live_scores(trace, text, segment=segment, layer=layer, head=head)


def live_scores(
    trace: ForwardTrace, text: str, *, segment: int, layer: int, head: int
) -> LiveScores:
    """One head's scores on one segment of a text that the model with relative positions has read.

    Raises: ValueError for a trace of another model.
    """
    layer_trace = trace.segments[segment].layers[layer]
    scores = layer_trace.bd_by_distance
    if scores is None:
        raise ValueError("need a trace of a model with relative positions")
    return LiveScores(
        by_distance=scores[head],
        layer_trace=layer_trace,
        query_tokens=tuple(map(texts.visible, trace.query_tokens(segment))),
        key_tokens=tuple(map(texts.visible, trace.key_tokens(segment))),
        segment=segment,
        layer=layer,
        head=head,
        segment_length=trace.segment_length,
        memory_length=trace.memory_length,
        text=text,
    )
