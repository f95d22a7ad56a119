"""Traces of a small model with random weights, for tests of what is computed from traces."""

from __future__ import annotations

from tests.model.conftest import small_model
from xlexplain.maths import ForwardTrace
from xlexplain.model import TransformerXL, Vocabulary, trace_text

ALPHABET = "▢abcdefghijkl"


def readable_model(**changes: str) -> TransformerXL:
    """The small model, reading the letters a to l."""
    model = small_model(**changes)
    model.vocabulary = Vocabulary(ALPHABET)
    return model


def trace_of(text: str, *, segment_length: int, memory_depth: int, **changes: str) -> ForwardTrace:
    """A text through that model."""
    return trace_text(
        readable_model(**changes), text, segment_length=segment_length, memory_depth=memory_depth
    )
