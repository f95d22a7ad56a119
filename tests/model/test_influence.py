"""Theory and measurement of the reach, on the shipped model and on random ones."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from xlexplain.maths import receptive_field
from xlexplain.maths.arrays import BoolArray, IntArray
from xlexplain.maths.influence import Influence
from xlexplain.model import TransformerXL, XLConfig, load_pretrained
from xlexplain.model.influence import derivatives, direction, in_double, measure_influence
from xlexplain.model.transformer_xl import Memory, Record

LAYERS = 4
FAINT = 1e-11  # derivatives below it may not show in a state rounded to 16 digits


@pytest.fixture(scope="module")
def model() -> TransformerXL:
    torch.set_num_threads(1)  # the matrices are small; threads would wait for each other
    return in_double(load_pretrained("relative"))


def an_untrained_model() -> TransformerXL:
    torch.manual_seed(0)
    return TransformerXL(
        XLConfig(vocab_size=9, d_model=8, n_layer=LAYERS, n_head=2, d_head=4, d_inner=8)
    )


def a_text(length: int, *, seed: int, vocab_size: int) -> IntArray:
    return np.random.default_rng(seed).integers(0, vocab_size, length)


def theory(position: int, *, length: int, segment_length: int, memory_length: int) -> BoolArray:
    """(n_layer, T) True where the formula says that a token is heard."""
    field = receptive_field(
        position, segment_length=segment_length, memory_length=memory_length, layer_count=LAYERS
    )
    place = np.arange(length)
    return np.stack([(earliest <= place) & (place <= position) for earliest in field[1:]])


def measured(
    model: TransformerXL,
    *,
    position: int,
    segment_length: int,
    memory_length: int,
    places: IntArray,
) -> Influence:
    ids = a_text(position + segment_length, seed=position, vocab_size=model.config.vocab_size)
    return measure_influence(
        model,
        ids,
        position=position,
        segment_length=segment_length,
        memory_length=memory_length,
        places=places,
    )


@settings(max_examples=10, deadline=None)
@given(segment_length=st.integers(2, 6), memory_depth=st.integers(0, 4), where=st.floats(0, 1))
def test_replacing_a_token_changes_exactly_the_states_that_the_formula_says(
    model: TransformerXL, segment_length: int, memory_depth: int, where: float
) -> None:
    length = (LAYERS * memory_depth + 2) * segment_length
    position = round(where * (length - 1))
    memory_length = memory_depth * segment_length
    read = (position // segment_length + 1) * segment_length
    heard = theory(
        position, length=read, segment_length=segment_length, memory_length=memory_length
    )
    influence = measured(
        model,
        position=position,
        segment_length=segment_length,
        memory_length=memory_length,
        places=np.arange(read),
    )
    np.testing.assert_array_equal(influence.nudged > 0, heard)
    np.testing.assert_array_equal(influence.replaced[~heard], 0)
    # within reach a change is seen unless it drowns in the rounding of the state, which is about 1
    assert (influence.replaced[influence.nudged > FAINT] > 0).all()
    assert (influence.nudged[heard] > FAINT).mean() > 0.8


@pytest.mark.parametrize("memory_depth", range(5))
def test_theory_is_measured_reach_at_every_setting_that_the_page_offers(
    model: TransformerXL, memory_depth: int
) -> None:
    for segment_length in range(2, 33):
        memory_length = memory_depth * segment_length
        length = (LAYERS * memory_depth + 2) * segment_length
        inside = segment_length - 1 if segment_length % 2 else segment_length // 3
        position = length - segment_length + inside
        heard = theory(
            position, length=length, segment_length=segment_length, memory_length=memory_length
        )
        nudged = derivatives(
            model,
            a_text(length, seed=length, vocab_size=model.config.vocab_size),
            position=position,
            segment_length=segment_length,
            memory_length=memory_length,
            is_detached=False,
        )
        np.testing.assert_array_equal(nudged > 0, heard)
        reach = position - np.array([np.flatnonzero(row)[0] for row in nudged])
        expected = inside + np.arange(1, LAYERS + 1) * memory_length
        np.testing.assert_array_equal(reach, expected)


@settings(max_examples=12, deadline=None)
@given(segment_length=st.integers(1, 6), memory_length=st.integers(0, 11), where=st.floats(0, 1))
def test_memory_of_any_length_and_models_that_never_trained(
    segment_length: int, memory_length: int, where: float
) -> None:
    length = 10 * segment_length
    position = round(where * (length - 1))
    read = (position // segment_length + 1) * segment_length
    influence = measured(
        in_double(an_untrained_model()),
        position=position,
        segment_length=segment_length,
        memory_length=memory_length,
        places=np.arange(read),
    )
    heard = theory(
        position, length=read, segment_length=segment_length, memory_length=memory_length
    )
    np.testing.assert_array_equal(influence.nudged > 0, heard)
    np.testing.assert_array_equal(influence.replaced[~heard], 0)


def test_training_hears_only_the_chosen_tokens_segment(model: TransformerXL) -> None:
    influence = measured(
        model, position=27, segment_length=8, memory_length=16, places=np.array([20])
    )
    for row in influence.trained:
        np.testing.assert_array_equal(np.flatnonzero(row), np.arange(24, 28))
    assert (influence.replaced > 0).all()


def test_without_memory_the_two_derivatives_are_the_same(model: TransformerXL) -> None:
    influence = measured(
        model, position=13, segment_length=5, memory_length=0, places=np.array([], dtype=np.int64)
    )
    np.testing.assert_array_equal(influence.nudged, influence.trained)


def test_the_derivative_is_the_limit_of_a_small_nudge() -> None:
    """By finite differences on one entry of one token's embedding at a time."""
    small = in_double(an_untrained_model())
    ids = np.array([5, 6, 4, 3, 1, 7, 2, 8])  # distinct: a row of the embedding is one token
    lengths = {"segment_length": 4, "memory_length": 4}
    found = derivatives(small, ids, position=6, is_detached=False, **lengths)[-1]
    C = small.config.d_model

    def projected(nudge: torch.Tensor, token: int) -> float:
        memory: Memory | None = None
        records: list[Record] = []
        with torch.no_grad():
            small.embedding.weight[token] += nudge
            for start in (0, 4):
                segment = torch.from_numpy(ids[start : start + 4])[None]
                _, memory = small(segment, memory, memory_length=4, record=records)
            small.embedding.weight[token] -= nudge
        return float(records[-1].hidden[0, 2] @ direction(C))

    step = 1e-7
    for place in range(7):
        token = int(ids[place])
        slope = [
            (projected(step * axis, token) - projected(-step * axis, token)) / (2 * step * C**0.5)
            for axis in torch.eye(C, dtype=torch.float64)  # the model multiplies by √C
        ]
        np.testing.assert_allclose(np.linalg.norm(slope), found[place], rtol=1e-4)


@pytest.mark.parametrize(("position", "places"), [(-1, [0]), (99, [0]), (3, [-1]), (3, [8])])
def test_positions_outside_the_text_are_named(
    model: TransformerXL, position: int, places: list[int]
) -> None:
    with pytest.raises(ValueError, match="need"):
        measure_influence(
            model,
            a_text(16, seed=0, vocab_size=9),
            position=position,
            segment_length=8,
            memory_length=8,
            places=np.array(places),
        )
