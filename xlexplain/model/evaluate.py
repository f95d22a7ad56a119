"""Bits per character, by streaming."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from xlexplain.maths.arrays import FloatArray, IntArray
from xlexplain.model.transformer_xl import TransformerXL


@torch.no_grad()
def loss_bits(
    model: TransformerXL,
    ids: IntArray,
    *,
    segment_length: int,
    memory_length: int,
    same_length: bool = False,
    clamp_length: int = 0,
) -> FloatArray:
    """Bits that each token cost, given those before it, streamed in segments from an empty memory.

    Args:
        ids: (T,) or (lanes, T), T >= 2.
        same_length, clamp_length: as the model takes them.
    Returns: (T-1,) or (lanes, T-1); entry t is the cost of token t+1.
    Raises: ValueError for a shorter text.
    """
    if ids.shape[-1] < 2:
        raise ValueError(f"need at least two tokens, got {ids.shape[-1]}")
    lanes = torch.from_numpy(np.atleast_2d(ids))
    inputs, targets = lanes[:, :-1], lanes[:, 1:]
    stream = model.stream(
        inputs,
        segment_length=segment_length,
        memory_length=memory_length,
        same_length=same_length,
        clamp_length=clamp_length,
    )
    logits = torch.cat(list(stream), dim=1)  # (lanes, T-1, V)
    nats = F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")  # (lanes, T-1)
    bits: FloatArray = (nats / np.log(2)).numpy().reshape(*ids.shape[:-1], -1)
    return bits


def bits_per_character(
    model: TransformerXL,
    ids: IntArray,
    *,
    segment_length: int,
    memory_length: int,
    same_length: bool = False,
    clamp_length: int = 0,
    lane_count: int = 32,
) -> float:
    """Mean bits a token of a long text, read as `lane_count` streams of equal length side by side.

    The few tokens that do not fill a lane are left out.
    """
    lanes = ids[: len(ids) // lane_count * lane_count].reshape(lane_count, -1)
    bits = loss_bits(
        model,
        lanes,
        segment_length=segment_length,
        memory_length=memory_length,
        same_length=same_length,
        clamp_length=clamp_length,
    )
    return float(bits.mean(dtype=np.float64))
