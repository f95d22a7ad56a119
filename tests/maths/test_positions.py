"""Laws of positions over cached segments, against loops over every pair."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xlexplain.maths import PositionConflict, position_conflict, segment_name

lengths = st.integers(1, 20)
depths = st.integers(0, 5)
conflicts = st.builds(
    lambda length, depth: position_conflict(segment_length=length, memory_depth=depth),
    lengths,
    depths,
)


def segments(conflict: PositionConflict) -> list[list[tuple[int, int]]]:
    """(age, place in its segment) of every key, by writing the segments down one after another."""
    ages = range(conflict.memory_depth, -1, -1)
    return [[(age, place) for place in range(conflict.segment_length)] for age in ages]


def keys(conflict: PositionConflict) -> list[tuple[int, int]]:
    return [key for segment in segments(conflict) for key in segment]


def test_the_sources_own_rows() -> None:
    conflict = position_conflict(segment_length=8, memory_depth=1)
    assert conflict.encoded.tolist() == [0, 1, 2, 3, 4, 5, 6, 7] * 2
    assert conflict.offset.tolist() == [*range(-8, 0), *range(8)]
    assert conflict.segments_ago.tolist() == [1] * 8 + [0] * 8
    assert conflict.twins(5).tolist() == [13]
    assert conflict.collision_count == 8
    assert conflict.distance[5, [5, 13]].tolist() == [8, 0]  # offset 5 is not distance 5


@given(conflicts)
def test_every_key_keeps_the_number_of_its_own_segment(conflict: PositionConflict) -> None:
    assert conflict.encoded.tolist() == [place for _, place in keys(conflict)]
    assert conflict.segments_ago.tolist() == [age for age, _ in keys(conflict)]
    assert conflict.key_count == len(keys(conflict))


@given(conflicts)
def test_distance_counts_tokens_one_by_one(conflict: PositionConflict) -> None:
    L, M = conflict.segment_length, conflict.memory_length
    for i in range(L):
        for j in range(conflict.key_count):
            steps = len(range(j, M + i)) if j <= M + i else -len(range(M + i, j))
            assert conflict.distance[i, j] == steps
            assert conflict.visible[i, j] == (steps >= 0)


@given(conflicts)
def test_offset_differs_from_distance_by_the_query_only(conflict: PositionConflict) -> None:
    queries = np.arange(conflict.segment_length)[:, None]
    np.testing.assert_array_equal(conflict.distance + conflict.offset, queries + 0 * conflict.error)


@given(conflicts)
def test_error_is_whole_segments(conflict: PositionConflict) -> None:
    expected = conflict.segment_length * np.array([age for age, _ in keys(conflict)])
    for row in conflict.distance - conflict.encoded_distance:
        np.testing.assert_array_equal(row, expected)
    np.testing.assert_array_equal(conflict.error, conflict.distance - conflict.encoded_distance)


@given(conflicts)
def test_no_two_keys_lie_equally_far_back(conflict: PositionConflict) -> None:
    for row in conflict.distance:
        assert len(set(row.tolist())) == conflict.key_count


@given(conflicts)
def test_collisions_are_counted_pair_by_pair(conflict: PositionConflict) -> None:
    L, D = conflict.segment_length, conflict.memory_depth
    pairs = sum(a == b for a, b in combinations(conflict.encoded.tolist(), 2))
    assert conflict.collision_count == pairs == L * D * (D + 1) // 2
    assert np.bincount(conflict.encoded).tolist() == [D + 1] * L


@given(conflicts, st.data())
def test_twins_are_all_others_of_the_same_position(
    conflict: PositionConflict, data: st.DataObject
) -> None:
    key = data.draw(st.integers(0, conflict.key_count - 1))
    twins = conflict.twins(key).tolist()
    places = [place for _, place in keys(conflict)]
    assert twins == [
        other
        for other in range(conflict.key_count)
        if other != key and places[other] == places[key]
    ]
    assert len(twins) == conflict.memory_depth
    assert all(key in conflict.twins(twin) for twin in twins)


@given(conflicts, st.data())
def test_only_visible_carriers_count(conflict: PositionConflict, data: st.DataObject) -> None:
    query = data.draw(st.integers(0, conflict.segment_length - 1))
    seen = [j for j in range(conflict.key_count) if j <= conflict.memory_length + query]
    places = [place for _, place in keys(conflict)]
    expected = [
        sum(places[other] == places[j] for other in seen) if j in seen else 0
        for j in range(conflict.key_count)
    ]
    assert conflict.visible_carriers(query).tolist() == expected


@given(lengths)
def test_without_memory_what_is_told_is_true(length: int) -> None:
    conflict = position_conflict(segment_length=length, memory_depth=0)
    np.testing.assert_array_equal(conflict.distance, conflict.encoded_distance)
    assert conflict.collision_count == 0
    assert all(not len(conflict.twins(key)) for key in range(length))


@settings(max_examples=20)
@given(st.integers(0, 9))
def test_segments_are_named_by_age(age: int) -> None:
    assert segment_name(age) == ("τ" if age == 0 else f"τ−{age}")


@pytest.mark.parametrize(
    ("length", "depth", "said"),
    [
        (0, 1, "segment_length >= 1, got 0"),
        (-3, 1, "segment_length >= 1, got -3"),
        (8, -1, "memory_depth >= 0, got -1"),
        (2.5, 1, "segment_length >= 1, got 2.5"),
        (8, "1", "memory_depth >= 0, got '1'"),
        (True, 1, "segment_length >= 1, got True"),
    ],
)
def test_impossible_settings_are_refused(length: int, depth: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        position_conflict(segment_length=length, memory_depth=depth)


@pytest.mark.parametrize("key", [-1, 16])
def test_only_keys_have_twins(key: int) -> None:
    with pytest.raises(ValueError, match=r"need a key in 0\.\.15"):
        position_conflict(segment_length=8, memory_depth=1).twins(key)
