"""The relative shift: where every number comes from, and that it is the right one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xlexplain.maths import (
    distance_lookup,
    rel_shift,
    rel_shift_steps,
    relative_sinusoids,
    valid_entries,
)
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.shift_cost import (
    scores_by_pair,
    scores_by_shift,
    shift_view,
    shift_view_address,
    written_bytes,
)

lengths = st.tuples(st.integers(1, 12), st.integers(0, 20))  # L, M


def own_distances(L: int, M: int) -> FloatArray:
    """(L, S) scores whose value is their own distance."""
    return np.tile(np.arange(M + L - 1, -1, -1.0), (L, 1))


def some_scores(L: int, M: int, *lead: int) -> FloatArray:
    """Scores that are all different and none of them 0."""
    count = int(np.prod((*lead, L, M + L)))
    return (
        np.random.default_rng(L * 100 + M)
        .permutation(np.arange(1.0, count + 1))
        .reshape(*lead, L, M + L)
    )


@settings(deadline=None)
@given(lengths)
def test_column_j_holds_distance(size: tuple[int, int]) -> None:
    L, M = size
    shifted = rel_shift(own_distances(L, M))
    for i in range(L):
        for j in range(M + L):
            assert shifted[i, j] == max(M + i - j, 0)


@settings(deadline=None)
@given(lengths)
def test_shift_equals_a_loop_over_an_explicit_table(size: tuple[int, int]) -> None:
    L, M = size
    table = np.random.default_rng(M).normal(size=(M + L, 3))  # R, row = distance
    query = np.random.default_rng(L).normal(size=(L, 3))
    by_distance = query @ table[::-1].T
    expected = np.zeros((L, M + L))
    for i in range(L):
        for j in range(M + i + 1):
            expected[i, j] = query[i] @ table[M + i - j]
    np.testing.assert_allclose(rel_shift(by_distance), expected, rtol=1e-12, atol=1e-12)


@settings(deadline=None)
@given(lengths, st.integers(1, 3))
def test_leading_axes_are_shifted_one_by_one(size: tuple[int, int], heads: int) -> None:
    L, M = size
    scores = some_scores(L, M, heads, 2)
    shifted = rel_shift(scores)
    for h in range(heads):
        for b in range(2):
            np.testing.assert_array_equal(shifted[h, b], rel_shift(scores[h, b]))


@settings(deadline=None)
@given(lengths)
def test_every_cell_of_every_stage_is_traceable(size: tuple[int, int]) -> None:
    L, M = size
    scores = some_scores(L, M)
    given_values = scores.reshape(-1)
    for stage in rel_shift_steps(scores)[:-1]:
        assert stage.source.shape == stage.scores.shape
        expected = np.where(stage.source >= 0, given_values[np.maximum(stage.source, 0)], 0)
        np.testing.assert_array_equal(stage.scores, expected)


@settings(deadline=None)
@given(lengths)
def test_no_number_is_lost_or_doubled_on_the_way(size: tuple[int, int]) -> None:
    L, M = size
    S = M + L
    stages = rel_shift_steps(some_scores(L, M))
    everything = {*range(L * S), *range(-L, 0)}
    sources = [stage.source.reshape(-1).tolist() for stage in stages]
    assert all(len(one) == len(set(one)) for one in sources)
    assert set(sources[0]) == set(range(L * S))
    assert set(sources[1]) == set(sources[2]) == everything
    dropped = everything - set(sources[3])
    assert dropped == {-1, *range(L - 1)}  # query 0's pad and its L-1 farthest distances
    assert set(sources[4]) == set(sources[5]) == set(sources[3])


@settings(deadline=None)
@given(lengths)
def test_shapes_are_those_of_the_code(size: tuple[int, int]) -> None:
    L, M = size
    S = M + L
    shapes = [stage.scores.shape for stage in rel_shift_steps(some_scores(L, M))]
    assert shapes == [(L, S), (L, S + 1), (S + 1, L), (S, L), (L, S), (L, S)]


@settings(deadline=None)
@given(lengths)
def test_the_printed_code_computes_what_the_stages_hold(size: tuple[int, int]) -> None:
    L, M = size
    stages = rel_shift_steps(some_scores(L, M))
    names = {"np": np, "L": L, "S": M + L, "x": stages[0].scores}
    for stage in stages[1:]:
        exec(stage.code, names)
        np.testing.assert_array_equal(names["x"], stage.scores)


@settings(deadline=None)
@given(lengths)
def test_left_overs_come_from_the_next_query_and_are_zero_in_the_end(size: tuple[int, int]) -> None:
    L, M = size
    S = M + L
    *_, unmasked, masked = rel_shift_steps(some_scores(L, M))
    is_left_over = ~valid_entries(segment_length=L, key_count=S)
    np.testing.assert_array_equal(masked.is_masked, is_left_over)
    assert is_left_over.sum() == L * (L - 1) // 2
    assert not masked.scores[is_left_over].any()
    assert (masked.scores[~is_left_over] != 0).all()
    for i, j in np.argwhere(is_left_over):
        source = unmasked.source[i, j]
        assert (source // S if source >= 0 else -1 - source) == i + 1


@settings(deadline=None)
@given(lengths)
def test_lookup_names_the_column_that_the_shift_moves(size: tuple[int, int]) -> None:
    L, M = size
    S = M + L
    column = distance_lookup(segment_length=L, key_count=S)
    shifted = rel_shift_steps(some_scores(L, M))[-1]
    is_valid = valid_entries(segment_length=L, key_count=S)
    np.testing.assert_array_equal(column >= 0, is_valid)
    np.testing.assert_array_equal(shifted.source[is_valid] % S, column[is_valid])
    np.testing.assert_array_equal((shifted.source // S)[is_valid], np.nonzero(is_valid)[0])


@settings(deadline=None)
@given(lengths, st.data())
def test_one_changed_score_changes_one_entry_at_most(
    size: tuple[int, int], data: st.DataObject
) -> None:
    L, M = size
    i, r = data.draw(st.integers(0, L - 1)), data.draw(st.integers(0, M + L - 1))
    before = some_scores(L, M)
    after = before.copy()
    after[i, r] += 1
    key = r - (L - 1 - i)
    expected = [[i, key]] if key >= 0 else []
    assert np.argwhere(rel_shift(before) != rel_shift(after)).tolist() == expected


@settings(deadline=None)
@given(lengths)
def test_view_without_a_copy_agrees_on_every_visible_pair(size: tuple[int, int]) -> None:
    L, M = size
    S = M + L
    scores = some_scores(L, M)
    view = shift_view(scores)
    is_valid = valid_entries(segment_length=L, key_count=S)
    assert np.shares_memory(view, scores)
    np.testing.assert_array_equal(view[is_valid], rel_shift(scores)[is_valid])
    for i in range(L):
        for j in range(S):
            address = shift_view_address(query=i, key=j, segment_length=L, key_count=S)
            assert view[i, j] == scores.reshape(-1)[address]


def test_view_cannot_be_written_through() -> None:
    with pytest.raises(ValueError, match="read-only"):
        shift_view(np.zeros((2, 3)))[0, 0] = 1


@settings(deadline=None)
@given(lengths)
def test_only_the_pad_and_the_mask_write(size: tuple[int, int]) -> None:
    L, M = size
    scores = some_scores(L, M).astype(np.float32)
    S = M + L
    assert written_bytes(rel_shift_steps(scores)) == (0, 4 * L * (S + 1), 0, 0, 0, 4 * L * S)


@settings(deadline=None)
@given(lengths)
def test_projecting_every_pair_gives_what_the_shift_gives(size: tuple[int, int]) -> None:
    L, M = size
    random = np.random.default_rng(L + M)
    table = relative_sinusoids(M + L, 6)
    query, weight = random.normal(size=(L, 4)), random.normal(size=(4, 6))
    np.testing.assert_allclose(
        scores_by_pair(query, table, weight), scores_by_shift(query, table, weight), atol=1e-12
    )


@pytest.mark.parametrize("shape", [(3,), (3, 2), (2, 4, 3)])
def test_what_cannot_be_shifted_is_named(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"need (S >= L|at least two axes)"):
        rel_shift(np.zeros(shape))
    with pytest.raises(ValueError, match=r"need \(L, S\) with S >= L"):
        shift_view(np.zeros(shape))
