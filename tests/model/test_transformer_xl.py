"""Laws of the model; the numbers are the cases that implementations are known to get wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.conftest import small_model, some_ids
from xlexplain.maths import receptive_field, relative_sinusoids
from xlexplain.model import TransformerXL
from xlexplain.model.transformer_xl import (
    LayerMemory,
    Memory,
    Record,
    absolute_table,
    attention_mask,
    shift_copy,
    shift_view,
)


def run(
    model: TransformerXL, ids: torch.Tensor, *, L: int, M: int, memory: Memory | None = None
) -> torch.Tensor:
    """Logits of a stream cut into segments of L."""
    logits = []
    for segment in ids.split(L, dim=1):
        out, memory = model(segment, memory, memory_length=M)
        logits.append(out)
    return torch.cat(logits, dim=1)


@pytest.mark.parametrize("position", ["relative", "absolute"])
@pytest.mark.parametrize("memory_length", [0, 3, 8])
def test_1_no_query_sees_the_future(position: str, memory_length: int) -> None:
    model = small_model(position=position)
    ids = some_ids(1, 12)
    before = run(model, ids, L=4, M=memory_length)
    for changed in range(12):
        other = ids.clone()
        other[0, changed] = (other[0, changed] + 1) % 13
        after = run(model, other, L=4, M=memory_length)
        assert torch.equal(after[:, :changed], before[:, :changed])
        assert not torch.equal(after[:, changed], before[:, changed])


@given(L=st.integers(1, 12), M=st.integers(0, 20))
def test_2_both_shifts_put_distance_m_plus_i_minus_j_at_key_j(L: int, M: int) -> None:
    S = L + M
    distance_of_column = torch.arange(S - 1, -1, -1).double()
    raw = distance_of_column.expand(2, 3, L, S).contiguous()  # (B, H, L, S)
    wanted = M + np.arange(L)[:, None] - np.arange(S)[None, :]
    is_valid = wanted >= 0
    for shift in (shift_view, shift_copy):
        shifted = shift(raw).numpy()
        np.testing.assert_array_equal(shifted[..., is_valid], np.tile(wanted[is_valid], (2, 3, 1)))


def test_2_a_view_into_a_larger_tensor_is_shifted_from_its_own_start() -> None:
    raw = torch.randn(2, 3, 4, 9).double()
    np.testing.assert_array_equal(
        np.tril(shift_view(raw[1:]).numpy(), 5), np.tril(shift_copy(raw[1:].clone()).numpy(), 5)
    )


def test_3_distances_run_down_and_longer_ones_are_put_in_front() -> None:
    R = relative_sinusoids(8, 16)
    np.testing.assert_array_equal(R[-1], [0.0] * 8 + [1.0] * 8)
    np.testing.assert_allclose(R[0, 0], np.sin(7.0))
    np.testing.assert_array_equal(relative_sinusoids(20, 16)[-8:], R)


def test_5_memory_holds_the_last_m_inputs_of_each_layer(model: TransformerXL) -> None:
    ids = some_ids(2, 16)
    memory: Memory | None = None
    inputs: list[list[torch.Tensor]] = [[], []]
    start = 0
    for length in (1, 5, 3, 7):
        record: list[Record] = []
        segment = ids[:, start : start + length]
        _, memory = model(segment, memory, memory_length=6, record=record)
        start += length
        for layer in range(2):
            inputs[layer].append(record[0].layers[layer].hidden)
            assert torch.equal(memory[layer].states, torch.cat(inputs[layer], dim=1)[:, -6:])


@pytest.mark.parametrize("is_recorded", [True, False])
def test_6_same_length_without_memory_is_causal(model: TransformerXL, is_recorded: bool) -> None:
    ids = some_ids(1, 5)
    record: list[Record] | None = [] if is_recorded else None
    same, _ = model(ids, memory_length=0, same_length=True, record=record)
    causal, _ = model(ids, memory_length=0)
    assert torch.isfinite(same).all()
    np.testing.assert_allclose(same.numpy(), causal.numpy(), atol=1e-12)


@given(L=st.integers(1, 8), m=st.integers(0, 12), more=st.integers(0, 6))
def test_7_same_length_gives_every_query_the_same_number_of_keys(L: int, m: int, more: int) -> None:
    M = m + more
    is_blocked = attention_mask(
        query_count=L, key_count=m + L, memory_length=M, same_length=True
    ).numpy()
    for i in range(L):
        seen = np.flatnonzero(~is_blocked[i])
        assert seen[-1] == i + m
        wanted = min(M, i + m + 1) if M else i + m + 1
        assert len(seen) == wanted


@pytest.mark.parametrize("position", ["relative", "absolute"])
@pytest.mark.parametrize(("L", "M"), [(4, 6), (4, 4), (5, 3), (3, 1)])
def test_7_probabilities_reach_back_to_the_oldest_of_m_keys_and_sum_to_1(
    position: str, L: int, M: int
) -> None:
    model = small_model(position=position)
    memory: Memory | None = None
    for segment in some_ids(2, 4 * L).split(L, dim=1):
        record: list[Record] = []
        _, memory = model(segment, memory, memory_length=M, same_length=True, record=record)
        for layer in record[0].layers:
            np.testing.assert_allclose(layer.probs.sum(dim=-1).numpy(), 1.0, atol=1e-12)
            m = layer.probs.shape[-1] - L
            for i in range(L):
                seen = range(max(0, m + i - M + 1), m + i + 1)  # M keys, the query's own the last
                row = layer.probs[:, :, i]  # (B, H, S)
                assert all(torch.equal(one.nonzero()[:, 0], torch.tensor(seen)) for one in row[0])
                assert all(torch.equal(one.nonzero()[:, 0], torch.tensor(seen)) for one in row[1])


@pytest.mark.parametrize("options", [{"same_length": True}, {"clamp_length": 2}, {}])
def test_stream_is_forward_segment_by_segment(model: TransformerXL, options: Any) -> None:
    ids = some_ids(2, 11)
    plain = list(model.stream(ids, segment_length=4, memory_length=6))
    streamed = list(model.stream(ids, segment_length=4, memory_length=6, **options))
    memory: Memory | None = None
    for segment, logits in zip(ids.split(4, dim=1), streamed, strict=True):
        wanted, memory = model(segment, memory, memory_length=6, **options)
        assert torch.equal(logits, wanted)
    assert torch.equal(streamed[-1], plain[-1]) is not bool(options)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("position", ["relative", "absolute"])
def test_8_outputs_have_the_weights_dtype_and_masks_are_boolean(
    dtype: torch.dtype, position: str
) -> None:
    model = small_model(position=position).to(dtype)
    record: list[Record] = []
    logits, memory = model(some_ids(1, 4), memory_length=4, record=record)
    fused, _ = model(some_ids(1, 4), memory_length=4)
    assert logits.dtype == fused.dtype == memory[0].states.dtype == dtype
    assert record[0].layers[0].is_masked.dtype == torch.bool


def test_9_a_new_stream_knows_nothing_of_the_one_before(model: TransformerXL) -> None:
    first, second = some_ids(1, 24, seed=2), some_ids(1, 24, seed=3)
    alone = run(model, second, L=8, M=24)
    run(model, first, L=8, M=24)
    assert torch.equal(run(model, second, L=8, M=24), alone)


def test_10_lanes_do_not_mix_and_a_ragged_last_segment_works(model: TransformerXL) -> None:
    ids = some_ids(4, 11)
    order = torch.tensor([2, 0, 3, 1])
    together = run(model, ids, L=4, M=8)
    np.testing.assert_allclose(
        run(model, ids[order], L=4, M=8).numpy(), together[order].numpy(), atol=1e-12
    )
    alone = torch.cat([run(model, lane[None], L=4, M=8) for lane in ids])
    np.testing.assert_allclose(alone.numpy(), together.numpy(), atol=1e-12)


def test_10_a_changed_batch_size_is_a_clear_error(model: TransformerXL) -> None:
    _, memory = model(some_ids(4, 5), memory_length=5)
    with pytest.raises(ValueError, match="need a memory of 3 lanes as the ids have, got 4"):
        model(some_ids(3, 5), memory, memory_length=5)


def test_11_token_by_token_equals_one_pass(model: TransformerXL) -> None:
    ids = some_ids(2, 20)
    whole = run(model, ids, L=20, M=20)
    np.testing.assert_allclose(run(model, ids, L=1, M=20).numpy(), whole.numpy(), atol=1e-12)


def test_13_without_memory_segments_are_independent(model: TransformerXL) -> None:
    ids = some_ids(1, 12)
    _, memory = model(ids[:, :4], memory_length=0)
    assert all(layer.states.shape[1] == 0 for layer in memory)
    apart = torch.cat([model(part, memory_length=0)[0] for part in ids.split(4, dim=1)], dim=1)
    assert torch.equal(run(model, ids, L=4, M=0), apart)
    assert torch.isfinite(apart).all()


def test_14_lengths_are_free_at_every_call(model: TransformerXL) -> None:
    memory: Memory | None = None
    for L, M in ((3, 5), (7, 2), (1, 9), (4, 0), (2, 6)):
        logits, memory = model(some_ids(2, L), memory, memory_length=M)
        assert logits.shape == (2, L, 13)
        assert memory[0].states.shape[1] <= M


@settings(max_examples=15, deadline=None)
@given(
    L=st.integers(1, 6),
    M=st.integers(0, 7),
    layer_count=st.integers(1, 3),
    position=st.integers(0, 17),
)
def test_15_influence_stops_exactly_at_the_receptive_field(
    L: int, M: int, layer_count: int, position: int
) -> None:
    model = small_model(n_layer=layer_count)
    ids = some_ids(1, 18)
    perturbed = ids.repeat(18, 1)  # lane t has token t changed
    perturbed[range(18), range(18)] = (perturbed.diagonal() + 1) % 13
    change = run(model, perturbed, L=L, M=M) - run(model, ids.repeat(18, 1), L=L, M=M)
    influences = change[:, position].abs().amax(dim=1) > 0  # (18,) of the token in each lane
    earliest = receptive_field(
        position, segment_length=L, memory_length=M, layer_count=layer_count
    )[-1]
    assert influences.nonzero()[:, 0].tolist() == list(range(earliest, position + 1))


def test_16_a_call_leaves_the_callers_memory_alone(model: TransformerXL) -> None:
    _, memory = model(some_ids(1, 6), memory_length=6)
    tensors = [
        one for layer in memory for one in (layer.states, layer.projected) if one is not None
    ]
    copies = [one.clone() for one in tensors]
    first, _ = model(some_ids(1, 4, seed=5), memory, memory_length=6)
    second, _ = model(some_ids(1, 4, seed=5), memory, memory_length=6)
    assert torch.equal(first, second)
    assert all(torch.equal(one, copy) for one, copy in zip(tensors, copies, strict=True))


@pytest.mark.parametrize("position", ["relative", "absolute"])
def test_17_a_fresh_model_is_finite_and_follows_its_seed(position: str) -> None:
    from xlexplain.model import XLConfig

    config = XLConfig(vocab_size=13, position=position)  # type: ignore[arg-type]
    torch.manual_seed(7)
    first = TransformerXL(config)
    torch.manual_seed(7)
    second = TransformerXL(config)
    ids = some_ids(1, 8)
    logits, _ = first(ids, memory_length=8)
    assert torch.isfinite(logits).all()
    assert torch.equal(logits, second(ids, memory_length=8)[0])


def test_18_evaluation_draws_nothing() -> None:
    model = small_model(dropout=0.5)
    ids = some_ids(1, 8)
    assert torch.equal(model(ids, memory_length=0)[0], model(ids, memory_length=0)[0])
    model.train()
    assert not torch.equal(model(ids, memory_length=0)[0], model(ids, memory_length=0)[0])


@pytest.mark.parametrize("position", ["relative", "absolute"])
@pytest.mark.parametrize(("L", "M"), [(1, 0), (5, 3), (8, 16), (3, 2)])
def test_recording_changes_nothing(position: str, L: int, M: int) -> None:
    """The fused way without weights and the recorded one are the same function."""
    model = small_model(position=position)
    ids = some_ids(2, 3 * L)
    memory: Memory | None = None
    for segment in ids.split(L, dim=1):
        recorded, _ = model(segment, memory, memory_length=M, record=[])
        fused, memory = model(segment, memory, memory_length=M)
        np.testing.assert_allclose(recorded.numpy(), fused.numpy(), atol=1e-12)


def test_weights_learn_through_attention_over_memory_but_memory_does_not() -> None:
    model = small_model().requires_grad_(True)
    _, memory = model(some_ids(1, 6), memory_length=6)
    assert not any(layer.states.requires_grad for layer in memory)
    logits, _ = model(some_ids(1, 1, seed=9), memory, memory_length=6)
    torch.autograd.backward(logits.sum())
    layer = model.layers[0].attention
    assert model.u is not None
    for weight in (layer.key_value.weight, layer.relative_key.weight, model.u, model.v):
        assert weight.grad is not None
        assert weight.grad.abs().max() > 0


CHOP_LENGTHS = (1, 4, 6, 8, 12)


@pytest.mark.parametrize("L", CHOP_LENGTHS)
def test_cutting_the_text_changes_nothing_with_relative_positions(L: int) -> None:
    model = small_model()
    ids = some_ids(1, 24)
    uncut = run(model, ids, L=24, M=24)
    assert (run(model, ids, L=L, M=24) - uncut).abs().max() <= 1e-12


@pytest.mark.parametrize("L", CHOP_LENGTHS)
def test_cutting_the_text_changes_much_with_absolute_positions(L: int) -> None:
    model = small_model(position="absolute")
    ids = some_ids(1, 24)
    uncut = run(model, ids, L=24, M=24)
    assert (run(model, ids, L=L, M=24) - uncut).abs().max() > 0.1


@pytest.mark.parametrize("L", [2, 5, 8, 32])
@pytest.mark.parametrize("D", [1, 2, 4])
def test_absolute_twins_with_equal_tokens_get_exactly_equal_probabilities(L: int, D: int) -> None:
    ids = some_ids(1, L).repeat(1, D + 1)  # every segment repeats the same tokens
    for position, is_conflict in (("absolute", True), ("relative", False)):
        model = small_model(position=position).float()
        record: list[Record] = []
        for _ in model.stream(ids, segment_length=L, memory_length=D * L, record=record):
            pass
        probs = record[-1].layers[0].probs[0]  # (H, L, S)
        by_segment = probs[:, -1].reshape(2, D + 1, L)  # the last query sees every key
        is_equal = torch.equal(by_segment, by_segment[:, :1].expand_as(by_segment))
        assert is_equal is is_conflict


def test_absolute_positions_start_again_in_every_segment() -> None:
    model = small_model(position="absolute")
    ids = some_ids(1, 6)
    record: list[Record] = []
    for _ in model.stream(ids, segment_length=3, memory_length=3, record=record):
        pass
    embedding = model.embedding.weight[ids[0]] * 16**0.5
    wanted = embedding + absolute_table(3, 16, torch.float64, ids.device).repeat(2, 1)
    assert torch.equal(record[1].layers[0].memory[0], wanted[:3])
    assert torch.equal(record[1].embedded[0], wanted[3:])


@pytest.mark.parametrize(
    ("ids", "options", "message"),
    [
        (
            torch.zeros(3, dtype=torch.long),
            {"memory_length": 0},
            r"shape \(B, L >= 1\), got \(3,\)",
        ),
        (torch.zeros(1, 0, dtype=torch.long), {"memory_length": 0}, r"got \(1, 0\)"),
        (
            torch.zeros(1, 3, dtype=torch.long),
            {"memory_length": -1},
            "memory length >= 0 tokens, got -1",
        ),
        (
            torch.zeros(1, 3, dtype=torch.long),
            {"memory": (torch.zeros(1, 0, 16),), "memory_length": 1},
            "memory of 2 layers, got 1",
        ),
    ],
)
def test_bad_arguments_are_named(
    model: TransformerXL, ids: torch.Tensor, options: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        model(ids, **options)


def test_kept_relative_keys_follow_every_change_of_lengths_and_weights() -> None:
    model, fresh = small_model(), small_model()
    for M in (4, 8, 4):
        for segment in some_ids(1, 12).split(4, dim=1):
            model(segment, memory_length=M)
    with torch.no_grad():
        for one in (model, fresh):
            one.layers[0].attention.relative_key.weight.mul_(2.0)
    model(some_ids(1, 4), memory_length=4, clamp_length=2)
    ids = some_ids(1, 8)
    assert torch.equal(run(model, ids, L=4, M=4), run(fresh, ids, L=4, M=4))


def test_kept_keys_and_values_follow_a_change_of_weights() -> None:
    model = small_model()
    _, memory = model(some_ids(2, 6), memory_length=5)
    bare = tuple(LayerMemory(layer.states) for layer in memory)
    for _ in range(2):
        now, _ = model(some_ids(2, 3, seed=5), memory, memory_length=4)
        made_anew, _ = model(some_ids(2, 3, seed=5), bare, memory_length=4)
        np.testing.assert_allclose(now.numpy(), made_anew.numpy(), atol=1e-12)
        with torch.no_grad():
            model.layers[0].attention.key_value.weight.mul_(2.0)
