"""Terms switched off one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.traces import readable_model
from xlexplain.maths import TERMS, AttentionTrace, softmax
from xlexplain.model import trace_text
from xlexplain.model.ablation import without_terms

TEXT = "abcdefabcfedabc"


@pytest.mark.parametrize("length", [1, 4, 15])
@pytest.mark.parametrize("depth", [0, 1, 3])
def test_with_every_term_on_nothing_changes(length: int, depth: int) -> None:
    model = readable_model()
    plain = trace_text(model, TEXT, segment_length=length, memory_depth=depth)
    same = trace_text(without_terms(model, ()), TEXT, segment_length=length, memory_depth=depth)
    for left, right in zip(plain.segments, same.segments, strict=True):
        np.testing.assert_array_equal(left.logits, right.logits)
        for before, after in zip(left.layers, right.layers, strict=True):
            np.testing.assert_array_equal(before.probs, after.probs)


@settings(deadline=None, max_examples=16)
@given(st.sets(st.sampled_from(TERMS)))
def test_the_first_layer_attends_by_the_terms_that_are_left(off: set[str]) -> None:
    model = readable_model()
    switched = trace_text(
        without_terms(model, off), TEXT, segment_length=5, memory_depth=1
    ).segments[1]
    plain = trace_text(model, TEXT, segment_length=5, memory_depth=1).segments[1]
    layer = plain.layers[0]
    left = [values for name, values in layer.terms().items() if name not in off]
    scores = sum(left, start=np.zeros_like(layer.ac)) * layer.scale
    expected = softmax(np.where(layer.is_masked, -np.inf, scores))
    np.testing.assert_allclose(switched.layers[0].probs, expected, atol=1e-12)


def heads_that_differ(left: AttentionTrace, right: AttentionTrace) -> list[bool]:
    return [bool(abs(left.probs[h] - right.probs[h]).max() > 1e-9) for h in range(2)]


def test_one_head_is_switched_and_the_others_are_not() -> None:
    model = readable_model()
    plain = trace_text(model, TEXT, segment_length=5, memory_depth=1).segments[-1]
    switched = trace_text(
        without_terms(model, "b", layer=1, head=0), TEXT, segment_length=5, memory_depth=1
    ).segments[-1]
    assert heads_that_differ(plain.layers[0], switched.layers[0]) == [False, False]
    assert heads_that_differ(plain.layers[1], switched.layers[1]) == [True, False]
    assert abs(plain.logits - switched.logits).max() > 1e-9


def test_the_model_itself_stays_as_it_was() -> None:
    model = readable_model()
    before = trace_text(model, TEXT).segments[-1].logits
    without_terms(model, TERMS)
    np.testing.assert_array_equal(trace_text(model, TEXT).segments[-1].logits, before)


def test_what_cannot_be_switched_is_refused() -> None:
    model = readable_model()
    with pytest.raises(ValueError, match="need terms among a, b, c, d, got e"):
        without_terms(model, "ae")
    with pytest.raises(ValueError, match=r"need a layer in 0\.\.1, got 2"):
        without_terms(model, "a", layer=2)
    with pytest.raises(ValueError, match=r"need a head in 0\.\.1, got -1"):
        without_terms(model, "a", head=-1)
    with pytest.raises(ValueError, match="need a relative model"):
        without_terms(readable_model(position="absolute"), "a")
