"""The reach formulas against paths that are walked one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlexplain.maths import earliest_read, reach, receptive_field


def heard(
    position: int, *, segment_length: int, memory_length: int, layer_count: int
) -> list[set[int]]:
    """Positions that the state of `position` depends on after 0, 1, … layers.

    Simulates the cache instead of using a formula: it is a list that segments are appended to and
    cut from, and what a state depends on is handed up from the states that it reads.
    """
    count = position // segment_length * segment_length + segment_length
    cache: list[list[set[int]]] = [[] for _ in range(layer_count)]  # per layer: inputs, as sets
    found: list[set[int]] = []
    for start in range(0, count, segment_length):
        states = [{place} for place in range(start, start + segment_length)]
        if start <= position < start + segment_length:
            found.append(states[position - start])
        for layer in range(layer_count):
            above = [
                set().union(*cache[layer], *states[: inside + 1])
                for inside in range(segment_length)
            ]
            appended = cache[layer] + states
            cache[layer] = appended[max(0, len(appended) - memory_length) :]
            states = above
            if start <= position < start + segment_length:
                found.append(states[position - start])
    return found


lengths = st.fixed_dictionaries(
    {
        "segment_length": st.integers(1, 7),
        "memory_length": st.integers(0, 15),
        "layer_count": st.integers(1, 4),
    }
)


@given(position=st.integers(0, 60), settings=lengths)
def test_receptive_field_is_what_paths_through_the_cache_reach(
    position: int, settings: dict[str, int]
) -> None:
    field = receptive_field(position, **settings)
    for earliest, positions in zip(field, heard(position, **settings), strict=True):
        assert positions == set(range(earliest, position + 1))


@given(position=st.integers(0, 60), settings=lengths)
def test_reach_is_the_distance_to_the_earliest_position(
    position: int, settings: dict[str, int]
) -> None:
    assert reach(position, **settings) == position - min(heard(position, **settings)[-1])


@given(
    segment_length=st.integers(1, 32),
    memory_depth=st.integers(0, 4),
    layer_count=st.integers(1, 6),
    inside=st.integers(0, 31),
)
def test_far_from_the_start_reach_is_place_plus_layers_times_memory(
    segment_length: int, memory_depth: int, layer_count: int, inside: int
) -> None:
    inside %= segment_length
    memory_length = memory_depth * segment_length
    position = segment_length * memory_depth * layer_count + inside
    assert (
        reach(
            position,
            segment_length=segment_length,
            memory_length=memory_length,
            layer_count=layer_count,
        )
        == inside + layer_count * memory_length
    )


@given(position=st.integers(0, 500), segment_length=st.integers(1, 32), layers=st.integers(1, 6))
def test_without_memory_depth_adds_nothing(position: int, segment_length: int, layers: int) -> None:
    assert (
        reach(position, segment_length=segment_length, memory_length=0, layer_count=layers)
        == position % segment_length
    )


@pytest.mark.parametrize("bad", [{"position": -1}, {"segment_length": 0}, {"memory_length": -1}])
def test_lengths_that_make_no_sense_are_named(bad: dict[str, int]) -> None:
    good = {"position": 3, "segment_length": 4, "memory_length": 4} | bad
    with pytest.raises(ValueError, match="got"):
        earliest_read(good.pop("position"), **good)
