"""The live b + d scores that the relative-shift page works on."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from xlexplain.maths import AttentionTrace, ForwardTrace
from xlexplain.maths.arrays import FloatArray
from xlexplain.ui import controls, frame, models, texts
from xlexplain.ui.settings import Settings

MODEL = "relative"
MOST_TEXT = 320
DEFAULT_SEGMENT = 5


@dataclass(frozen=True)
class LiveScores:
    """One head's b + d on one segment of the reader's text.

    Attributes:
        settings: which, and the query and key that are looked at.
        layer_trace: everything that the layer computed on this segment.
        query_tokens, key_tokens: (L,) and (S,) as a reader sees them; at the text's ends a segment
            has fewer than chosen.
    """

    settings: Settings
    layer_trace: AttentionTrace = field(compare=False)  # follows from the settings
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]

    @property
    def by_distance(self) -> FloatArray:
        """(L, S) float32, before the shift; column r = distance S-1-r."""
        scores = self.layer_trace.bd_by_distance
        if scores is None:
            raise ValueError("need a trace of a model with relative positions")
        one: FloatArray = scores[self.settings.head]
        return one

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
        chosen = (self.settings.segment_length, self.settings.memory_length)
        return (self.query_count, self.memory_present) != chosen

    @property
    def segments_ago(self) -> list[int]:
        """(S,) how many segments ago each key was read; 0 for the current one."""
        offset = np.arange(-self.memory_present, self.query_count)
        return [int(ago) for ago in np.maximum(0, -(offset // self.settings.segment_length))]

    @property
    def signature(self) -> str:
        """Names these scores: the same signature, the same numbers."""
        one = self.settings
        lengths = f"{one.segment_length},{one.memory_length}"
        return f"{lengths},{one.segment},{one.layer},{one.head},{hash(one.text)}"


def choose_scores(
    row: DeltaGenerator, text: str, *, segment_length: int, memory_depth: int
) -> LiveScores:
    """Run the model on the text, and let the reader choose a segment, a layer, a head, a cell."""
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
        layer, head = controls.layer_index(), controls.head_index()
    query, key = choose_cell(trace, segment=segment)
    settings = Settings(
        segment_length=segment_length,
        memory_depth=memory_depth,
        segment=segment,
        query=query,
        key=key,
        layer=layer,
        head=head,
        text=text,
        palette=frame.palette(),
    )
    return live_scores(trace, settings)


def choose_cell(trace: ForwardTrace, *, segment: int) -> tuple[int, int]:
    """The query and key of the address, which clicks on cells and two widgets further down set.

    By default a cell near the border to the left-overs, so that a window shows both sides.
    """
    L, memory = len(trace.segments[segment].ids), trace.segments[segment].memory_length
    query = 10 if L >= 16 else L // 3
    chosen = (
        controls.hidden_number(controls.Range("Query", "query", 0, L - 1, query)),
        controls.hidden_number(
            controls.Range("Key", "key", 0, memory + L - 1, memory + max(0, query - 1))
        ),
    )
    return chosen


def live_scores(trace: ForwardTrace, settings: Settings) -> LiveScores:
    """One head's scores on one segment of a text that the model has read."""
    return LiveScores(
        settings=settings,
        layer_trace=trace.segments[settings.segment].layers[settings.layer],
        query_tokens=tuple(map(texts.visible, trace.query_tokens(settings.segment))),
        key_tokens=tuple(map(texts.visible, trace.key_tokens(settings.segment))),
    )
