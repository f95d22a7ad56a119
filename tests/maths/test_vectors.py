"""Position vectors: which keys share one, and how alike they are."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xlexplain.maths import position_conflict
from xlexplain.maths.twins import twin_difference
from xlexplain.maths.vectors import ENCODINGS, Encoding, equal_pairs, key_vectors, similarity

lengths, depths = st.integers(2, 12), st.integers(0, 4)
widths = st.sampled_from([4, 8, 16, 64])


@settings(deadline=None)
@given(lengths, depths, widths, st.sampled_from(ENCODINGS), st.data())
def test_keys_share_a_vector_as_their_positions_say(
    length: int, depth: int, width: int, encoding: Encoding, data: st.DataObject
) -> None:
    conflict = position_conflict(segment_length=length, memory_depth=depth)
    query = data.draw(st.integers(0, length - 1))
    vectors = key_vectors(conflict, encoding, query=query, width=width)
    assert vectors.shape == (conflict.key_count, width)
    shared = 0
    for one, other in combinations(range(conflict.key_count), 2):
        are_equal = bool((vectors[one] == vectors[other]).all())
        expected = encoding != "relative" and (one - other) % length == 0
        assert are_equal == expected
        shared += are_equal
    assert equal_pairs(vectors) == shared


@given(lengths, depths, widths, st.data())
def test_relative_vectors_are_those_of_the_distance_from_the_query(
    length: int, depth: int, width: int, data: st.DataObject
) -> None:
    conflict = position_conflict(segment_length=length, memory_depth=depth)
    query = data.draw(st.integers(0, length - 1))
    vectors = key_vectors(conflict, "relative", query=query, width=width)
    for key in range(conflict.key_count):
        distance = depth * length + query - key
        for pair in range(width // 2):
            angle = distance / 10000 ** (2 * pair / width)
            assert vectors[key, pair] == pytest.approx(math.sin(angle), abs=1e-9)
            assert vectors[key, width // 2 + pair] == pytest.approx(math.cos(angle), abs=1e-9)


@given(lengths, depths, widths, st.sampled_from(ENCODINGS))
def test_similarity_is_a_cosine(length: int, depth: int, width: int, encoding: Encoding) -> None:
    conflict = position_conflict(segment_length=length, memory_depth=depth)
    vectors = key_vectors(conflict, encoding, query=0, width=width)
    alike = similarity(vectors)
    np.testing.assert_allclose(alike, alike.T, atol=1e-12)
    np.testing.assert_allclose(np.diag(alike), 1)
    one, other = 0, conflict.key_count - 1
    by_hand = sum(a * b for a, b in zip(vectors[one], vectors[other], strict=True)) / (
        math.hypot(*vectors[one]) * math.hypot(*vectors[other])
    )
    assert alike[one, other] == pytest.approx(by_hand)


@given(lengths, st.integers(1, 4), widths)
def test_relative_similarity_is_one_band(length: int, depth: int, width: int) -> None:
    conflict = position_conflict(segment_length=length, memory_depth=depth)
    alike = similarity(key_vectors(conflict, "relative", query=length - 1, width=width))
    for offset in range(conflict.key_count):
        np.testing.assert_allclose(np.diag(alike, offset), alike[0, offset], atol=1e-9)


@given(lengths, st.integers(1, 4), widths)
def test_absolute_similarity_repeats_block_by_block(length: int, depth: int, width: int) -> None:
    conflict = position_conflict(segment_length=length, memory_depth=depth)
    for encoding in ("sinusoidal", "learned"):
        alike = similarity(key_vectors(conflict, encoding, query=0, width=width))
        block = alike[:length, :length]
        np.testing.assert_allclose(alike, np.tile(block, (depth + 1, depth + 1)), atol=1e-12)


def test_wrong_requests_say_what_is_needed() -> None:
    conflict = position_conflict(segment_length=4, memory_depth=1)
    with pytest.raises(ValueError, match="need one of sinusoidal, learned, relative, got 'rotary'"):
        key_vectors(conflict, "rotary", query=0, width=8)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="need an even width"):
        key_vectors(conflict, "sinusoidal", query=0, width=7)


@settings(deadline=None)
@given(
    st.integers(1, 6),
    st.integers(0, 3),
    st.text("ab", min_size=24, max_size=24),
    st.integers(0, 99),
)
def test_twins_are_compared_pair_by_pair(length: int, depth: int, text: str, seed: int) -> None:
    conflict = position_conflict(segment_length=length, memory_depth=depth)
    S, M = conflict.key_count, conflict.memory_length
    weights = np.random.default_rng(seed).random((2, length, S))
    pairs, largest = 0, 0.0
    for query in range(length):
        for one, other in combinations(range(M + query + 1), 2):
            if (one - other) % length == 0 and text[one] == text[other]:
                pairs += 1
                gaps = np.abs(weights[:, query, one] - weights[:, query, other])
                largest = max(largest, float(gaps.max()))
    found = twin_difference(weights, conflict, tokens=text[:S])
    assert found.pairs == pairs
    assert found.largest == pytest.approx(largest)
