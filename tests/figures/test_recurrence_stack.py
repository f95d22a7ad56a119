"""What the streaming figure is given."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlexplain.figures.recurrence_stack import DEEPEST, Recurrence, alternative, stack_data
from xlexplain.figures.theme import DARK, LIGHT, Palette
from xlexplain.maths import reach

settings = st.builds(Recurrence, st.integers(2, 32), st.integers(0, 4), st.integers(1, DEEPEST))


def data_of(recurrence: Recurrence) -> dict[str, object]:
    return stack_data(
        recurrence, tokens=["a"] * recurrence.length, segment=1, query=0, words={}, palette=LIGHT
    )


@given(settings)
def test_rows_begin_where_the_layer_above_reads(recurrence: Recurrence) -> None:
    """Walked state by state: row k of the field begins at the earliest state that row k+1 reads."""
    L, M = recurrence.segment_length, recurrence.memory_length
    data = data_of(recurrence)
    for token in (0, L - 1, L, recurrence.length // 2, recurrence.length - 1):
        earliest = token
        for begin in data["earliest"][token]:  # type: ignore[index]
            readable = [q for q in range(recurrence.length) if earliest // L * L - M <= q]
            earliest = min(readable)
            assert begin == earliest
        assert data["alone"][token] == token // L * L  # type: ignore[index]


@given(settings)
def test_there_is_room_for_the_whole_reach_and_a_segment_beyond(recurrence: Recurrence) -> None:
    last = recurrence.length - 1
    whole = recurrence.segment_length - 1 + recurrence.layer_count * recurrence.memory_length
    assert recurrence.reach(last) == whole
    assert last - whole >= recurrence.segment_length


@given(settings, st.data())
def test_text_alternative_holds_the_actual_numbers(
    recurrence: Recurrence, draw: st.DataObject
) -> None:
    position = draw.draw(st.integers(0, recurrence.length - 1))
    words = alternative(recurrence, position=position)
    found = {int(n): int(back) for back, n in re.findall(r"(\d+) after (\d+)", words)}
    assert found == {
        layers: reach(
            position,
            segment_length=recurrence.segment_length,
            memory_length=recurrence.memory_length,
            layer_count=layers,
        )
        for layers in range(1, recurrence.layer_count + 1)
    }
    assert f"Without memory it reaches {position % recurrence.segment_length} " in words


def test_segment_count_does_not_depend_on_the_layers() -> None:
    counts = {Recurrence(8, 3, layers).segment_count for layers in range(1, DEEPEST + 1)}
    assert len(counts) == 1


def test_largest_setting_weighs_little() -> None:
    assert len(json.dumps(data_of(Recurrence(32, 4, DEEPEST)))) < 30_000


def test_wrong_number_of_tokens_is_named() -> None:
    with pytest.raises(ValueError, match="need 48 tokens, got 3"):
        stack_data(Recurrence(8, 1, 4), tokens="abc", segment=0, query=0, words={}, palette=LIGHT)


def luminance(colour: str) -> float:
    parts = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_letters_and_signs_can_be_read_on_every_ground(palette: Palette) -> None:
    """The field's ground is 5 % of the ink over the page, as the style sheet has it."""
    for ago in range(5):
        assert contrast(palette.ink, palette.segment(ago)) >= 4.5
    assert contrast(palette.soft, palette.background) >= 4.5
    assert contrast(palette.query_ink, palette.query) >= 4.5
    assert contrast(palette.soft, over(palette.background, palette.ink, share=0.05)) >= 4.5


def over(ground: str, colour: str, *, share: float) -> str:
    """The colour that `share` of one colour over another makes."""
    mixed = [
        (1 - share) * int(ground[place : place + 2], 16)
        + share * int(colour[place : place + 2], 16)
        for place in (1, 3, 5)
    ]
    return "#" + "".join(f"{round(part):02x}" for part in mixed)
