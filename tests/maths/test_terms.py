"""The four terms of A^rel: what the model adds up, found again from its vectors one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.traces import ALPHABET, trace_of
from xlexplain.maths import AttentionTrace, ForwardTrace, softmax
from xlexplain.maths.attention_views import (
    above_average,
    attention_by_distance,
    even_memory_share,
    memory_share,
)
from xlexplain.maths.cells import check_row, largest_residuals, row_terms
from xlexplain.maths.surprise import mean_bits, most_likely, surprise_bits

texts = st.text(alphabet=ALPHABET[1:] + "?", min_size=1, max_size=24)
lengths = st.integers(1, 6)
depths = st.integers(0, 3)


def last_layer(trace: ForwardTrace) -> AttentionTrace:
    return trace.segments[-1].layers[-1]


@settings(deadline=None, max_examples=12)
@given(texts, lengths, depths)
def test_terms_sum_to_what_the_model_adds_up(text: str, length: int, depth: int) -> None:
    trace = trace_of(text, segment_length=length, memory_depth=depth)
    for segment in trace.segments:
        for layer in segment.layers:
            terms = layer.terms()
            np.testing.assert_allclose(terms["a"] + terms["c"], layer.ac, atol=1e-9)
            np.testing.assert_allclose(terms["b"] + terms["d"], layer.bd, atol=1e-9)
            np.testing.assert_allclose(softmax(layer.scores), layer.probs, atol=1e-12)
            assert (layer.probs[:, layer.is_masked] == 0).all()


@settings(deadline=None, max_examples=12)
@given(texts, lengths, depths)
def test_terms_equal_a_loop_that_looks_up_each_distance(text: str, length: int, depth: int) -> None:
    layer = last_layer(trace_of(text, segment_length=length, memory_depth=depth))
    assert layer.relative_key is not None
    assert layer.u is not None
    assert layer.v is not None
    H, L, S = layer.ac.shape
    terms = layer.terms()
    for h in range(H):
        for i in range(L):
            row = row_terms(layer, head=h, query=i)
            for j in range(S):
                distance = (S - L) + i - j
                if distance < 0:
                    continue
                relative = layer.relative_key[h, S - 1 - distance]
                expected = {
                    "a": sum(
                        x * y for x, y in zip(layer.query[h, i], layer.key[h, j], strict=True)
                    ),
                    "b": sum(x * y for x, y in zip(layer.query[h, i], relative, strict=True)),
                    "c": sum(x * y for x, y in zip(layer.u[h], layer.key[h, j], strict=True)),
                    "d": sum(x * y for x, y in zip(layer.v[h], relative, strict=True)),
                }
                for name, value in expected.items():
                    assert terms[name][h, i, j] == pytest.approx(value, abs=1e-9)
                    assert row[name][j] == pytest.approx(value, abs=1e-9)


@settings(deadline=None, max_examples=12)
@given(texts, lengths, depths, st.sampled_from(["relative", "absolute"]))
def test_a_recomputed_row_equals_the_models(
    text: str, length: int, depth: int, position: str
) -> None:
    trace = trace_of(text, segment_length=length, memory_depth=depth, position=position)
    layer = last_layer(trace)
    for query in range(layer.ac.shape[1]):
        cells = check_row(layer, head=1, query=query)
        assert sum(cell.weight for cell in cells) == pytest.approx(1)
        for key, cell in enumerate(cells):
            assert cell.is_masked == (cell.distance < 0)
            assert cell.weight == pytest.approx(layer.probs[1, query, key], abs=1e-12)
            if not cell.is_masked:
                assert cell.score == pytest.approx(layer.scores[1, query, key], abs=1e-9)
    assert max(largest_residuals(layer, head=1).values()) < 1e-9


def test_a_wrong_number_of_the_model_shows_as_a_residual() -> None:
    layer = last_layer(trace_of("abcabc", segment_length=3, memory_depth=1))
    ac = layer.ac.copy()
    ac[1, 2, 0] += 0.5
    layer = replace(layer, ac=ac)
    assert largest_residuals(layer, head=1)["ac"] == pytest.approx(0.5)
    assert check_row(layer, head=1, query=2)[0].residuals()["total"] == pytest.approx(0.5)


def test_a_row_that_does_not_exist_is_refused() -> None:
    layer = last_layer(trace_of("abc", segment_length=3, memory_depth=0))
    with pytest.raises(ValueError, match=r"need a head in 0\.\.1 and a query in 0\.\.2, got 2, 0"):
        check_row(layer, head=2, query=0)


@settings(deadline=None, max_examples=12)
@given(texts, lengths, depths)
def test_mean_attention_by_distance_equals_a_walk_over_all_pairs(
    text: str, length: int, depth: int
) -> None:
    trace = trace_of(text, segment_length=length, memory_depth=depth)
    layers = [segment.layers[0] for segment in trace.segments]
    seen: dict[int, list[float]] = {}
    for layer in layers:
        _, L, S = layer.probs.shape
        for i in range(L):
            for j in range(S):
                if S - L + i >= j:
                    seen.setdefault(S - L + i - j, []).append(float(layer.probs[1, i, j]))
    found = attention_by_distance(layers)[1]
    assert len(found) == max(seen) + 1
    np.testing.assert_allclose(found, [np.mean(seen[r]) for r in range(len(found))], atol=1e-12)


@settings(deadline=None, max_examples=12)
@given(texts, lengths, depths)
def test_memory_and_segment_share_all_attention(text: str, length: int, depth: int) -> None:
    trace = trace_of(text, segment_length=length, memory_depth=depth)
    segment = trace.segments[-1]
    for layer in segment.layers:
        rest = layer.probs[:, :, segment.memory_length :].sum(axis=-1)
        np.testing.assert_allclose(memory_share(layer) + rest, 1)
        m = segment.memory_length
        expected = [m / (m + i + 1) for i in range(layer.probs.shape[1])]
        np.testing.assert_allclose(even_memory_share(layer), expected)


@settings(deadline=None)
@given(st.lists(st.floats(-20, 20), min_size=2, max_size=9), st.integers(1, 9))
def test_what_all_keys_share_does_not_change_the_weights(scores: list[float], seen: int) -> None:
    row = np.array(scores)
    is_seen = np.arange(len(row)) < seen
    centred = above_average(row, is_seen)
    assert centred[is_seen].sum() == pytest.approx(0, abs=1e-9)
    weights = softmax(np.where(is_seen, row, -np.inf))
    np.testing.assert_allclose(softmax(np.where(is_seen, centred, -np.inf)), weights, atol=1e-9)


@settings(deadline=None, max_examples=12)
@given(texts, lengths, depths)
def test_surprise_equals_minus_log2_of_each_tokens_probability(
    text: str, length: int, depth: int
) -> None:
    trace = trace_of(text, segment_length=length, memory_depth=depth)
    bits = surprise_bits(trace)
    ids = [int(one) for segment in trace.segments for one in segment.ids]
    logits = [row for segment in trace.segments for row in segment.logits]
    assert np.isnan(bits[0])
    assert len(bits) == len(text)
    for t in range(1, len(text)):
        assert bits[t] == pytest.approx(-np.log2(softmax(logits[t - 1])[ids[t]]))
    if len(text) > 1:
        assert mean_bits(bits) == pytest.approx(float(np.mean(bits[1:])))
    else:
        assert np.isnan(mean_bits(bits))


@given(st.lists(st.floats(-8, 8), min_size=1, max_size=12), st.integers(1, 5))
def test_the_likeliest_come_first(logits: list[float], count: int) -> None:
    ids, probs = most_likely(np.array(logits), count=count)
    assert len(ids) == min(count, len(logits))
    assert (np.diff(probs) <= 0).all()
    left_out = np.delete(softmax(np.array(logits)), ids)
    assert (left_out <= probs[-1] + 1e-12).all()
