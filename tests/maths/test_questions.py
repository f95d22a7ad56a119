"""Questions about the settings: what is right is right by brute force."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xlexplain.maths import PositionConflict, position_conflict
from xlexplain.maths.questions import KINDS, Question, questions

rounds = st.integers(0, 50)
conflicts = st.builds(
    lambda length, depth: position_conflict(segment_length=length, memory_depth=depth),
    st.integers(1, 10),
    st.integers(0, 4),
)


def asked(conflict: PositionConflict, data: st.DataObject) -> list[Question]:
    query = data.draw(st.integers(0, conflict.segment_length - 1))
    return questions(conflict, query=query, round_number=data.draw(rounds))


def right_by_hand(question: Question, keys: tuple[int, ...]) -> bool:
    """The same judgement from positions in the text alone."""
    L = question.conflict.segment_length
    now = question.conflict.memory_length + question.query
    if any(key > now for key in keys):
        return False
    if question.kind == "alike":
        return keys[0] % L == keys[1] % L
    if question.kind == "distance":
        return now - keys[0] == question.distance
    return keys[0] // L == now // L


@settings(deadline=None)
@given(conflicts, st.data())
def test_every_answer_is_judged_as_by_hand(conflict: PositionConflict, data: st.DataObject) -> None:
    for question in asked(conflict, data):
        for keys in combinations(range(conflict.key_count), question.picks):
            expected = right_by_hand(question, keys)
            assert question.is_right(keys) == question.is_right(keys[::-1]) == expected


@given(conflicts, st.data())
def test_there_are_three_and_each_can_be_answered(
    conflict: PositionConflict, data: st.DataObject
) -> None:
    three = asked(conflict, data)
    assert tuple(question.kind for question in three) == KINDS
    for question in three:
        assert question.is_right(question.answer())
        assert question.is_right([]) == (question.answer() == [])


@given(conflicts, st.data())
def test_only_without_memory_are_there_none(
    conflict: PositionConflict, data: st.DataObject
) -> None:
    alike, *others = asked(conflict, data)
    assert alike.is_right([]) == (conflict.memory_depth == 0)
    assert not any(question.is_right([]) for question in others)


@given(st.integers(2, 10), st.integers(1, 4), rounds)
def test_with_memory_the_distance_reaches_into_it(length: int, depth: int, number: int) -> None:
    conflict = position_conflict(segment_length=length, memory_depth=depth)
    asked_for = questions(conflict, query=0, round_number=number)[1].distance
    assert length <= asked_for <= depth * length + length - 1


def test_rounds_ask_anew_and_the_first_asks_from_the_chosen_query() -> None:
    conflict = position_conflict(segment_length=8, memory_depth=2)
    asked_in = [
        tuple((one.query, one.distance) for one in questions(conflict, query=3, round_number=n))
        for n in range(8)
    ]
    assert asked_in[0][0] == (3, 0)
    assert len(set(asked_in)) == len(asked_in)
    again = questions(conflict, query=3, round_number=5)
    assert tuple((one.query, one.distance) for one in again) == asked_in[5]


def test_one_key_twice_is_no_pair() -> None:
    question = questions(position_conflict(segment_length=8, memory_depth=1), query=5)[0]
    assert not question.is_right([5, 5])
    assert not question.is_right([5])


def test_what_is_not_a_key_or_a_query_is_refused() -> None:
    conflict = position_conflict(segment_length=8, memory_depth=1)
    with pytest.raises(ValueError, match=r"need keys in 0\.\.15, got 16"):
        questions(conflict, query=5)[0].is_right([5, 16])
    with pytest.raises(ValueError, match=r"need a query in 0\.\.7, got 8"):
        questions(conflict, query=8)
