"""How much each token of a text moves the state of a chosen one, measured on a model.

Three measurements, in float64, for the state after 1, 2, … n_layer layers:

- replaced: one earlier character is swapped for another and the text is read again. Where nothing
  reaches the chosen token the two runs agree in every bit.
- nudged: the derivative of the state by each token's embedding, followed through the memory. It is
  not rounded against the state itself, so an influence of 1e-30 is still above 0.
- trained: the same derivative as training sees it, where memory passes no gradient.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from xlexplain.maths.arrays import FloatArray, IntArray
from xlexplain.maths.influence import Influence
from xlexplain.model.transformer_xl import LayerMemory, Memory, Record, TransformerXL

LANES_MOST = 8  # replacements that run side by side, fewer for long segments


def in_double(model: TransformerXL) -> TransformerXL:
    """A float64 copy whose embeddings can be derived by."""
    double: TransformerXL = copy.deepcopy(model).double().eval()
    double.embedding.weight.requires_grad_(True)
    return double


def measure_influence(
    model: TransformerXL,
    ids: IntArray,
    *,
    position: int,
    segment_length: int,
    memory_length: int,
    places: IntArray,
) -> Influence:
    """Measure the influence of a text's tokens on the one at `position`.

    Args:
        model: as `in_double` returns it.
        ids: (T,) at least up to `position`; what follows the chosen token's segment is not read.
        places: positions to replace, at most the last one of the chosen token's segment.
    Raises: ValueError for a position outside the text, or a place outside what is read.
    """
    if not 0 <= position < len(ids):
        raise ValueError(f"need a position in 0..{len(ids) - 1}, got {position}")
    read = ids[: (position // segment_length + 1) * segment_length]
    places = np.unique(np.asarray(places, dtype=np.int64))
    if len(places) and not (places[0] >= 0 and places[-1] < len(read)):
        raise ValueError(f"need places in 0..{len(read) - 1}, got {places[0]}..{places[-1]}")
    lengths = {"segment_length": segment_length, "memory_length": memory_length}
    return Influence(
        position=position,
        **lengths,
        nudged=derivatives(model, read, position=position, is_detached=False, **lengths),
        trained=derivatives(model, read, position=position, is_detached=True, **lengths),
        places=places,
        replaced=changes(model, read, position=position, places=places, **lengths),
    )


def derivatives(
    model: TransformerXL,
    ids: IntArray,
    *,
    position: int,
    segment_length: int,
    memory_length: int,
    is_detached: bool,
) -> FloatArray:
    """(n_layer, T) length of the derivative of a state's direction by each token's embedding.

    Args: is_detached: stop at the memory, as training does.
    """
    records: list[Record] = []
    memory: Memory | None = None
    with torch.enable_grad():
        for segment in segments_of(ids, segment_length):
            before = memory or model.empty_memory(1)
            _, memory = model(segment[None], before, memory_length=memory_length, record=records)
            if not is_detached:
                memory = attached_memory(before, records[-1], memory_length=memory_length)
    inside = position % segment_length
    rows = []
    for state in states_after_layers(records[-1]):
        gradients = torch.autograd.grad(
            state[0, inside] @ direction(state.shape[-1]),
            [record.embedded for record in records],
            retain_graph=True,
            materialize_grads=True,  # 0 where nothing reaches the state
        )
        rows.append(torch.cat([gradient[0].norm(dim=-1) for gradient in gradients]))
    lengths: FloatArray = torch.stack(rows).numpy()
    return lengths


def changes(
    model: TransformerXL,
    ids: IntArray,
    *,
    position: int,
    segment_length: int,
    memory_length: int,
    places: IntArray,
) -> FloatArray:
    """(n_layer, K) largest change of the state at `position` when one token is replaced.

    Every run has the same number of lanes as the undisturbed one it is compared with, lane by
    lane: a row of a matrix product then takes the same route through the processor in both, and
    equal inputs give equal bits.
    """
    segments = list(segments_of(ids, segment_length))
    lane_count = lanes_for(segment_length)
    inside = position % segment_length

    def run(first: Tensor, start: int, memory: Memory) -> tuple[Tensor, list[Memory]]:
        """States (n_layer, lanes, C) at `position`, and the memory before each segment."""
        memories = [memory]
        records: list[Record] = []
        for place in range(start, len(segments)):
            lanes = first if place == start else segments[place].expand(lane_count, -1)
            is_last = place == len(segments) - 1
            _, memory = model(
                lanes, memory, memory_length=memory_length, record=records if is_last else None
            )
            memories.append(memory)
        return torch.stack([state[:, inside] for state in states_after_layers(*records)]), memories

    found = np.zeros((len(model.layers), len(places)))
    with torch.no_grad():
        calm, memories = run(segments[0].expand(lane_count, -1), 0, model.empty_memory(lane_count))
        for chosen in lane_groups(places, segment_length=segment_length, lane_count=lane_count):
            start = int(places[chosen[0]]) // segment_length
            lanes = segments[start].repeat(lane_count, 1)
            rows = torch.arange(len(chosen))
            inner = torch.from_numpy(places[chosen] % segment_length)
            lanes[rows, inner] = (lanes[rows, inner] + 1) % model.config.vocab_size
            disturbed, _ = run(lanes, start, memories[start])
            found[:, chosen] = (disturbed - calm).abs().amax(-1)[:, : len(chosen)].numpy()
    return found


def segments_of(ids: IntArray, segment_length: int) -> Iterator[Tensor]:
    """The text's segments, each (<= L,)."""
    tensor = torch.from_numpy(np.asarray(ids, dtype=np.int64))
    for start in range(0, len(ids), segment_length):
        yield tensor[start : start + segment_length]


def lanes_for(segment_length: int) -> int:
    """How many replacements run side by side: enough rows for the processor, none idle."""
    return max(1, min(segment_length, LANES_MOST, 128 // segment_length))


def lane_groups(places: IntArray, *, segment_length: int, lane_count: int) -> Iterator[IntArray]:
    """Indices into `places`, at most `lane_count` at a time, each group within one segment.

    >>> groups = lane_groups(np.array([0, 1, 9, 30]), segment_length=8, lane_count=2)
    >>> [group.tolist() for group in groups]
    [[0, 1], [2], [3]]
    """
    segment = places // segment_length
    for one in np.unique(segment):
        members = np.flatnonzero(segment == one)
        for start in range(0, len(members), lane_count):
            yield members[start : start + lane_count]


def attached_memory(before: Memory, record: Record, *, memory_length: int) -> Memory:
    """The memory for the next segment with its derivatives left on."""
    return tuple(
        LayerMemory(torch.cat([old.states, layer.hidden], dim=1)).last(memory_length)
        for old, layer in zip(before, record.layers, strict=True)
    )


def states_after_layers(record: Record) -> list[Tensor]:
    """(B, L, C) what leaves layer 1, 2, … n_layer."""
    return [*(layer.hidden for layer in record.layers[1:]), record.hidden]


def direction(width: int) -> Tensor:
    """(C,) one fixed direction without zeros, to turn a state into a number."""
    generator = torch.Generator().manual_seed(0)
    return torch.randn(width, dtype=torch.float64, generator=generator)
