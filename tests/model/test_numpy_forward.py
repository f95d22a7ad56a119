"""The shipped models against a forward pass in NumPy that loops over single pairs (i, j)."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from xlexplain.maths.arrays import FloatArray
from xlexplain.model import load_pretrained
from xlexplain.model.weights import VARIANTS

L, D = 5, 2
TEXT = "The for statement is used to iterate over the elements"


def sinusoid(position: int, width: int) -> FloatArray:
    """(C,) sines, then cosines, of one position."""
    angles = [position / 10_000 ** (2 * n / width) for n in range(width // 2)]
    return np.array([*map(math.sin, angles), *map(math.cos, angles)])


def layer_norm(x: FloatArray, gain: FloatArray, bias: FloatArray) -> FloatArray:
    centred: FloatArray = x - x.mean()
    return centred / math.sqrt((centred**2).mean() + 1e-5) * gain + bias


def numpy_segment(
    weights: dict[str, FloatArray],
    ids: list[int],
    memory: list[list[FloatArray]],
    *,
    heads: int,
    layers: int,
) -> tuple[FloatArray, list[list[FloatArray]]]:
    """Logits (L, V) of one segment, and the memory with the segment's inputs appended.

    `memory` holds, for each layer, a list of (C,) vectors. Relative if there are weights for it.
    """
    C = weights["embedding.weight"].shape[1]
    d_head = C // heads
    is_relative = "u" in weights
    hidden = [weights["embedding.weight"][token] * math.sqrt(C) for token in ids]
    if not is_relative:
        hidden = [x + sinusoid(position, C) for position, x in enumerate(hidden)]
    kept = []
    for n in range(layers):
        own = {
            name.removeprefix(f"layers.{n}."): array
            for name, array in weights.items()
            if name.startswith(f"layers.{n}.")
        }
        context = [*memory[n], *hidden]
        kept.append(context)
        both = [own["attention.key_value.weight"] @ x for x in context]
        out = []
        for i, x in enumerate(hidden):
            q = own["attention.query.weight"] @ x
            heard = np.zeros(C)
            for h in range(heads):
                part = slice(h * d_head, (h + 1) * d_head)
                scores = []
                for j in range(len(memory[n]) + i + 1):  # the keys up to the query itself
                    key = both[j][:C][part]
                    if is_relative:
                        distance = len(memory[n]) + i - j
                        R = own["attention.relative_key.weight"] @ sinusoid(distance, C)
                        score = (q[part] + weights["u"][h]) @ key
                        score += (q[part] + weights["v"][h]) @ R[part]
                    else:
                        score = q[part] @ key
                    scores.append(score / math.sqrt(d_head))
                shares = np.exp(np.array(scores) - max(scores))
                shares /= shares.sum()
                for j, share in enumerate(shares):
                    heard[part] += share * both[j][C:][part]
            a = own["attention.output.weight"] @ heard
            x = layer_norm(x + a, own["attention_norm.weight"], own["attention_norm.bias"])
            inner = np.maximum(own["feed_in.weight"] @ x + own["feed_in.bias"], 0)
            y = own["feed_out.weight"] @ inner + own["feed_out.bias"]
            out.append(layer_norm(x + y, own["feed_norm.weight"], own["feed_norm.bias"]))
        hidden = out
    logits = [weights["unembedding.weight"] @ x + weights["unembedding.bias"] for x in hidden]
    return np.array(logits), kept


@pytest.mark.parametrize("variant", VARIANTS)
def test_numpy_loops_agree_with_the_shipped_weights(variant: str) -> None:
    model = load_pretrained(variant).double()
    weights = {name: tensor.numpy() for name, tensor in model.state_dict().items()}
    assert model.vocabulary is not None
    ids = model.vocabulary.encode(TEXT)[: 4 * L]
    layers, M = model.config.n_layer, D * L
    memory: list[list[FloatArray]] = [[] for _ in range(layers)]
    stream = model.stream(torch.from_numpy(ids)[None], segment_length=L, memory_length=M)
    for number, logits in enumerate(stream):
        segment = ids[number * L : (number + 1) * L].tolist()
        ours, memory = numpy_segment(
            weights, segment, memory, heads=model.config.n_head, layers=layers
        )
        memory = [states[-M:] for states in memory]
        np.testing.assert_allclose(logits[0].numpy(), ours, atol=1e-10)
