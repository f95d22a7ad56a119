"""A Transformer-XL with some of the four terms of its scores switched off.

The model's own weights and its own order of operations; a term that is off contributes 0. With all
terms on the result equals the model's exactly.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Collection
from dataclasses import replace
from typing import cast

import torch
from torch import Tensor, nn

from xlexplain.maths import TERMS
from xlexplain.model.transformer_xl import (
    Attention,
    Layer,
    LayerMemory,
    LayerRecord,
    Mask,
    TransformerXL,
    shift_copy,
)


class SwitchedAttention(nn.Module):
    """An attention layer whose terms a, b, c, d can each be off, head by head.

    It lets the trained layer run and record, and goes on from the record: sums that lost no term
    are the recorded ones, the others are made anew from the recorded vectors.

    Args:
        attention: the layer as trained, relative.
        is_on: (4, H) True where that term counts, in the order of `TERMS`.
    """

    is_on: Tensor

    def __init__(self, attention: Attention, is_on: Tensor) -> None:
        super().__init__()
        self.trained = attention
        self.register_buffer("is_on", is_on[:, :, None, None])  # (4, H, 1, 1)

    def forward(
        self,
        hidden: Tensor,
        memory: LayerMemory,
        *,
        u: Tensor,
        v: Tensor,
        relative: Tensor,
        mask: Mask,
        records: list[LayerRecord] | None = None,
    ) -> tuple[Tensor, LayerMemory]:
        """hidden (B, L, C), relative (S, C) → (B, L, C), and the memory followed by the segment."""
        recorded: list[LayerRecord] = []
        _, context = self.trained(
            hidden,
            memory,
            u=u,
            v=v,
            relative=relative,
            mask=mask,
            records=recorded,
        )
        record = self.switch(recorded[0], u=u, v=v)
        if records is not None:
            records.append(record)
        return record.attended, context

    def switch(self, record: LayerRecord, *, u: Tensor, v: Tensor) -> LayerRecord:
        """The record as it would be without the terms that are off."""
        query, key, relative_key = record.query, record.key, record.relative_key
        if relative_key is None or record.bd_by_distance is None:
            raise ValueError("need the record of a relative layer")
        a, b, c, d = self.is_on.unbind()
        ac = torch.where(a & c, record.ac, (a * query + c * u[:, None, :]) @ key.mT)
        bd_by_distance = torch.where(
            b & d,
            record.bd_by_distance,
            (b * query + d * v[:, None, :]) @ relative_key.mT,
        )
        B, H, L, d_head = query.shape
        scores = (ac + shift_copy(bd_by_distance)) * d_head**-0.5  # (B, H, L, S)
        probs = scores.masked_fill(record.is_masked, -math.inf).softmax(dim=-1)
        mixed = (probs @ record.value).transpose(1, 2).reshape(B, L, H * d_head)
        return replace(
            record,
            ac=ac,
            bd_by_distance=bd_by_distance,
            probs=probs,
            attended=self.trained.output(mixed),
        )


def without_terms(
    model: TransformerXL,
    off: Collection[str],
    *,
    layer: int | None = None,
    head: int | None = None,
) -> TransformerXL:
    """A copy of a relative model with the terms named in `off` switched off.

    Args:
        off: some of "a", "b", "c", "d".
        layer, head: where (counted from 0); None switches all layers, all heads.
    Returns: a model for `trace_text`. Its traces hold the switched ac, bd and probs beside the
        whole query, key and relative vectors, so their `terms()` are those before switching.
    Raises: ValueError for an unknown term, layer or head, or a model without relative positions.
    """
    unknown = sorted(set(off) - set(TERMS))
    if unknown:
        raise ValueError(f"need terms among {', '.join(TERMS)}, got {', '.join(unknown)}")
    if model.config.position != "relative":
        raise ValueError("need a relative model: an absolute one has the term a only")
    layers = choose(layer, count=model.config.n_layer, name="layer")
    heads = choose(head, count=model.config.n_head, name="head")
    is_on = torch.ones(len(TERMS), model.config.n_head, dtype=torch.bool)
    for term in off:
        is_on[TERMS.index(term), heads] = False
    switched = copy.deepcopy(model)
    for index in layers:
        block = cast(Layer, switched.layers[index])
        block.attention = SwitchedAttention(block.attention, is_on)  # type: ignore[assignment]
    return switched


def choose(index: int | None, *, count: int, name: str) -> list[int]:
    """One index, or all of them for None. Raises: ValueError if there is no such one."""
    if index is None:
        return list(range(count))
    if not 0 <= index < count:
        raise ValueError(f"need a {name} in 0..{count - 1}, got {index}")
    return [index]
