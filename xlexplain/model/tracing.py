"""From a text to arrays: the only step from tensors to NumPy."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from xlexplain.maths import AttentionTrace, ForwardTrace, SegmentTrace
from xlexplain.model.corpus import UNKNOWN
from xlexplain.model.transformer_xl import LayerRecord, Record, TransformerXL


@torch.no_grad()
def trace_text(
    model: TransformerXL, text: str, *, segment_length: int = 8, memory_depth: int = 2
) -> ForwardTrace:
    """Stream a text through a model and keep everything that was computed.

    Args:
        text: at least one character; unknown ones are read as ▢ and named in the trace.
        segment_length: L, tokens. memory_depth: D, segments, so M = D·L.
    Raises: ValueError for an empty text, senseless lengths, or a model without a vocabulary.
    """
    if not text:
        raise ValueError("need a text of at least one character, got none")
    if memory_depth < 0:
        raise ValueError(f"need a memory depth >= 0, got {memory_depth}")
    vocabulary = model.vocabulary
    if vocabulary is None:
        raise ValueError("need a model with a vocabulary, as load_pretrained returns")
    ids = vocabulary.encode(text)
    memory_length = memory_depth * segment_length
    records: list[Record] = []
    logits = list(
        model.stream(
            torch.from_numpy(ids)[None].to(model.embedding.weight.device),
            segment_length=segment_length,
            memory_length=memory_length,
            record=records,
        )
    )
    segments = tuple(
        segment_trace(
            record,
            logits=segment_logits,
            ids=torch.from_numpy(ids[start : start + segment_length]),
            start=start,
            u=model.u,
            v=model.v,
        )
        for start, record, segment_logits in zip(
            range(0, len(ids), segment_length), records, logits, strict=True
        )
    )
    return ForwardTrace(
        tokens=tuple(char if index else UNKNOWN for char, index in zip(text, ids, strict=True)),
        unknown=vocabulary.unknown(text),
        segment_length=segment_length,
        memory_length=memory_length,
        segments=segments,
    )


def segment_trace(
    record: Record,
    *,
    logits: Tensor,
    ids: Tensor,
    start: int,
    u: Tensor | None,
    v: Tensor | None,
) -> SegmentTrace:
    """One recorded pass with a batch of one."""
    return SegmentTrace(
        ids=fixed(ids),
        start=start,
        memory_length=record.layers[0].memory.shape[1],
        embedded=lane(record.embedded),
        layers=tuple(attention_trace(layer, u=u, v=v) for layer in record.layers),
        hidden=lane(record.hidden),
        logits=lane(logits),
    )


def attention_trace(layer: LayerRecord, *, u: Tensor | None, v: Tensor | None) -> AttentionTrace:
    """One layer's record as arrays."""
    return AttentionTrace(
        query=lane(layer.query),
        key=lane(layer.key),
        value=lane(layer.value),
        relative_key=None if layer.relative_key is None else fixed(layer.relative_key),
        u=None if u is None else fixed(u.detach()),
        v=None if v is None else fixed(v.detach()),
        ac=lane(layer.ac),
        bd_by_distance=None if layer.bd_by_distance is None else lane(layer.bd_by_distance),
        probs=lane(layer.probs),
        is_masked=fixed(layer.is_masked),
        memory=lane(layer.memory),
        hidden=lane(layer.hidden),
        attended=lane(layer.attended),
    )


def lane(tensor: Tensor) -> Any:
    """The only lane of a batch of one."""
    return fixed(tensor[0])


def fixed(tensor: Tensor) -> Any:
    """A read-only array of the tensor's numbers: many readers share a trace.

    NumPy has no bfloat16 and computes float16 slowly, so both become float32.
    """
    if tensor.dtype in (torch.bfloat16, torch.float16):
        tensor = tensor.float()
    array = tensor.cpu().numpy()
    array.flags.writeable = False
    return array
