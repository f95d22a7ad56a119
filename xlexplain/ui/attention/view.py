"""What the page looks at: one query of one head in one segment of the reader's text."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import streamlit as st

from xlexplain.figures.attention_scores import QueryRow, query_row
from xlexplain.figures.theme import Palette
from xlexplain.maths import AttentionTrace, ForwardTrace, SegmentTrace
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.surprise import surprise_bits
from xlexplain.ui import models, texts
from xlexplain.ui.attention.choices import Choice

LONGEST_TEXT = 320
RELATIVE = "relative"
PAGE = "relative_attention"


@dataclass(frozen=True)
class View:
    """Settings, choices and the trace they choose from."""

    segment_length: int
    memory_depth: int
    text: str
    choice: Choice
    trace: ForwardTrace = field(compare=False)  # follows from the others
    palette: Palette

    @property
    def segment(self) -> SegmentTrace:
        return self.trace.segments[self.choice.segment]

    @property
    def layer(self) -> AttentionTrace:
        return self.segment.layers[self.choice.layer]

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """(S,) the keys' tokens as something to see."""
        return self.shown(self.trace.key_tokens(self.choice.segment))

    @cached_property
    def row(self) -> QueryRow:
        """The chosen query against all keys."""
        return query_row(
            self.layer,
            head=self.choice.head,
            query=self.choice.query,
            tokens=self.tokens,
            segment_length=self.segment_length,
        )

    @property
    def key(self) -> int:
        """The chosen key j, or the one with the largest weight."""
        return self.row.strongest if self.choice.key is None else self.choice.key

    @property
    def ages(self) -> list[int]:
        """(S,) segments ago of every key."""
        return [self.row.segments_ago(key) for key in range(len(self.tokens))]

    @property
    def place(self) -> int:
        """Where the chosen query stands in the text."""
        return self.segment.start + self.choice.query

    @staticmethod
    def shown(tokens: tuple[str, ...]) -> tuple[str, ...]:
        """Tokens as something to see."""
        return tuple(map(texts.visible, tokens))

    def trace_of(self, model: str, *, memory_depth: int | None = None) -> ForwardTrace:
        """The same text through another shipped model, or with another memory."""
        depth = self.memory_depth if memory_depth is None else memory_depth
        return models.trace(
            model, self.text, segment_length=self.segment_length, memory_depth=depth
        )

    def run_without(self, off: tuple[str, ...], *, layer: int | None, head: int | None) -> Switched:
        """The same text through the relative model with terms switched off."""
        return switched_run(
            self.text,
            segment_length=self.segment_length,
            memory_depth=self.memory_depth,
            off=off,
            layer=layer,
            head=head,
        )


@dataclass(frozen=True)
class Switched:
    """What is shown of a run with terms switched off; a whole trace would fill the cache.

    Attributes:
        bits: (T,) what each character cost, nan for the first.
        logits: (T, V).
        probs: one a segment and layer, (H, L, S).
    """

    bits: FloatArray
    logits: FloatArray
    probs: tuple[tuple[FloatArray, ...], ...]


@st.cache_data(max_entries=32, show_spinner="Running the model without them…")
def switched_run(
    text: str,
    *,
    segment_length: int,
    memory_depth: int,
    off: tuple[str, ...],
    layer: int | None,
    head: int | None,
) -> Switched:
    """A text through the relative model with terms off everywhere, in one layer or one head."""
    from xlexplain.model import trace_text
    from xlexplain.model.ablation import without_terms

    model = without_terms(models.pretrained(RELATIVE).model, off, layer=layer, head=head)
    trace = trace_text(model, text, segment_length=segment_length, memory_depth=memory_depth)
    return Switched(
        bits=surprise_bits(trace),
        logits=np.concatenate([segment.logits for segment in trace.segments]),
        probs=tuple(tuple(one.probs for one in segment.layers) for segment in trace.segments),
    )
