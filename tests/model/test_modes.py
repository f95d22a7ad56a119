"""What is kept between calls serves only what made it: modes, dtypes, devices, models."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np
import pytest
import torch

from tests.model.conftest import small_model, some_ids
from xlexplain.model import TransformerXL, load_pretrained, trace_text
from xlexplain.model.transformer_xl import (
    LayerMemory,
    Memory,
    absolute_table,
    additive_mask,
    relative_table,
)

M = 5
MODES: dict[str, Callable[[], AbstractContextManager[object]]] = {
    "plain": torch.enable_grad,
    "no grad": torch.no_grad,
    "inference": torch.inference_mode,
    "autocast": lambda: torch.autocast("cpu", torch.bfloat16),
}


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    forget()


def forget() -> None:
    for table in (relative_table, absolute_table, additive_mask):
        table.cache_clear()


def stream(model: TransformerXL, *, memory: Memory | None = None) -> tuple[torch.Tensor, Memory]:
    """Logits of two segments, and the memory after them."""
    logits = []
    for segment in some_ids(1, 8).split(4, dim=1):
        out, memory = model(segment, memory, memory_length=M)
        logits.append(out.detach())
    assert memory is not None
    return torch.cat(logits, dim=1), memory


@pytest.mark.parametrize("first", MODES)
@pytest.mark.parametrize("second", MODES)
@pytest.mark.parametrize("position", ["relative", "absolute"])
def test_the_mode_of_an_earlier_call_changes_nothing(
    first: str, second: str, position: str
) -> None:
    model, fresh = (small_model(position=position).float() for _ in range(2))
    with torch.no_grad(), MODES[first]():
        stream(model)
    with torch.no_grad(), MODES[second]():
        again, _ = stream(model)
    forget()
    with torch.no_grad(), MODES[second]():
        wanted, _ = stream(fresh)
    assert again.dtype == wanted.dtype
    assert torch.equal(again, wanted)


@pytest.mark.parametrize("first", MODES)
@pytest.mark.parametrize("position", ["relative", "absolute"])
def test_gradients_come_after_any_mode_and_with_its_memory(first: str, position: str) -> None:
    model, fresh = (small_model(position=position).float() for _ in range(2))
    with torch.no_grad(), MODES[first]():
        _, memory = stream(model)
    bare = tuple(LayerMemory(layer.states.clone()) for layer in memory)
    gradients = []
    for one, given in ((model, memory), (fresh, bare)):
        one.requires_grad_(True)
        logits, _ = one(some_ids(1, 4, seed=3), given, memory_length=M)
        logits.square().sum().backward()
        gradients.append(one.layers[0].attention.key_value.weight.grad)
    assert torch.equal(gradients[0], gradients[1])
    assert gradients[0].abs().max() > 0


def test_memory_of_a_pass_in_autocast_is_projected_anew_in_float32() -> None:
    model = small_model().float()
    with torch.no_grad():
        with torch.autocast("cpu", torch.bfloat16):
            _, memory = stream(model)
        bare = tuple(LayerMemory(layer.states) for layer in memory)
        logits, wanted = (model(some_ids(1, 4), one, memory_length=M)[0] for one in (memory, bare))
    assert torch.equal(logits, wanted)


def test_memory_of_another_model_is_read_with_this_one_s_weights() -> None:
    theirs, ours = small_model(seed=1), small_model(seed=2)
    with torch.no_grad():
        _, memory = stream(theirs)
        bare = tuple(LayerMemory(layer.states) for layer in memory)
        logits, wanted = (ours(some_ids(1, 4), one, memory_length=M)[0] for one in (memory, bare))
    np.testing.assert_allclose(logits, wanted, atol=1e-12)


def test_memory_of_a_shipped_model_passed_to_another() -> None:
    theirs, ours = load_pretrained("relative"), load_pretrained("relative-no-memory")
    ids = torch.from_numpy(theirs.vocabulary.encode("hello world"))[None]  # type: ignore[union-attr]
    with torch.no_grad():
        _, memory = theirs(ids, memory_length=11)
        bare = tuple(LayerMemory(layer.states) for layer in memory)
        logits, wanted = (ours(ids, one, memory_length=11)[0] for one in (memory, bare))
    np.testing.assert_allclose(logits, wanted, atol=1e-5)


def test_weights_that_were_rounded_and_widened_again_are_others() -> None:
    model = small_model().float()
    fresh = small_model().float().half().float()
    with torch.no_grad():
        _, memory = stream(model)
        model.half().float()
        bare = tuple(LayerMemory(layer.states) for layer in memory)
        logits = model(some_ids(1, 4), memory, memory_length=M)[0]
        wanted = fresh(some_ids(1, 4), bare, memory_length=M)[0]
    np.testing.assert_allclose(logits, wanted, atol=1e-6)


def test_a_model_made_in_inference_mode_runs_outside_of_it() -> None:
    with torch.inference_mode():
        model = small_model()
    with torch.no_grad():
        logits, _ = stream(model)
        wanted, _ = stream(small_model())
    assert torch.equal(logits, wanted)


@pytest.mark.parametrize("position", ["relative", "absolute"])
@pytest.mark.parametrize("same_length", [False, True])
def test_tables_follow_the_model_to_its_device(position: str, same_length: bool) -> None:
    model = small_model(position=position).to("meta")
    memory = None
    with torch.no_grad():
        for segment in some_ids(1, 8).to("meta").split(4, dim=1):
            logits, memory = model(segment, memory, memory_length=M, same_length=same_length)
    assert logits.device.type == "meta"
    assert logits.shape == (1, 4, 13)


def test_ids_or_memory_elsewhere_than_the_weights_are_named() -> None:
    with pytest.raises(ValueError, match="ids on meta, where the weights are, got cpu"):
        small_model().to("meta")(some_ids(1, 4), memory_length=M)
    model = small_model()
    _, memory = stream(model)
    elsewhere = tuple(LayerMemory(layer.states.to("meta")) for layer in memory)
    with pytest.raises(ValueError, match=r"\(1, 5, 16\), torch.float64 on cpu.* on meta"):
        model(some_ids(1, 4), elsewhere, memory_length=M)


@pytest.mark.parametrize("wrong", ["width", "dtype", "a layer's length"])
def test_a_memory_that_does_not_fit_is_named(wrong: str) -> None:
    model = small_model()
    _, memory = stream(model)
    states = [layer.states for layer in memory]
    changed = {
        "width": [one[..., :-1] for one in states],
        "dtype": [one.float() for one in states],
        "a layer's length": [states[0], states[1][:, 1:]],
    }[wrong]
    with pytest.raises(ValueError, match="need a memory of shape"):
        model(some_ids(1, 4), tuple(LayerMemory(one) for one in changed), memory_length=M)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (torch.tensor([[999]]), "ids from 0 to 12, 13 in all, got 999"),
        (torch.tensor([[0, -1]]), "got -1"),
        (torch.tensor([[0.5]]), "int64 or int32, got torch.float32"),
    ],
)
def test_ids_that_stand_for_nothing_are_named(ids: torch.Tensor, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        small_model()(ids, memory_length=2)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("name", ["relative", "absolute"])
def test_a_trace_of_a_model_of_few_bits_is_float32(name: str, dtype: torch.dtype) -> None:
    trace = trace_text(load_pretrained(name).to(dtype), "hello", segment_length=3, memory_depth=1)
    wanted = trace_text(load_pretrained(name), "hello", segment_length=3, memory_depth=1)
    for one, other in zip(trace.segments, wanted.segments, strict=True):
        assert one.logits.dtype == one.layers[0].ac.dtype == np.float32
        np.testing.assert_allclose(one.logits, other.logits, atol=0.5)


def test_a_trace_in_autocast_is_float32() -> None:
    with torch.autocast("cpu", torch.bfloat16):
        trace = trace_text(load_pretrained(), "hello")
    assert trace.segments[0].layers[0].probs.dtype == np.float32
