"""Transformer-XL (Dai et al. 2019) in one file, top to bottom.

Axes: B batch, H heads, L queries (the segment), m memory present, S = m + L keys, C model width,
d_head head width, V vocabulary. Batch-major: (B, time, C). The memory is a value that is passed in
and returned, never changed in place.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from xlexplain.maths import relative_sinusoids, sinusoids
from xlexplain.model.config import XLConfig
from xlexplain.model.corpus import Vocabulary

# A matrix product computes the rows that are left over from a full block by other instructions,
# which may round the last bit differently. A recorded pass fills the block, so that equal tokens
# at equal absolute positions get equal scores to the last bit, wherever they stand: on one thread,
# as the app runs it, for more threads part the rows among them.
ROUNDING_BLOCK = 16


@dataclass(frozen=True)
class Origin:
    """The weight that made a tensor, as it was then; what it made is used again only by the same.

    Attributes:
        numbers: the weight's, kept so that their place in memory is nobody else's.
        version: how often they had been changed.
    """

    numbers: Tensor
    version: int

    @classmethod
    def of(cls, weight: Tensor) -> Origin | None:
        """None for a weight made in inference mode, whose changes are not counted."""
        return None if weight.is_inference() else cls(weight.detach(), weight._version)

    def is_still(self, weight: Tensor) -> bool:
        """Whether this is the weight, unchanged."""
        return (
            not weight.is_inference()
            and self.numbers.data_ptr() == weight.data_ptr()
            and self.version == weight._version
        )


@dataclass(frozen=True)
class LayerMemory:
    """What one layer keeps of the tokens before the segment, without gradient.

    Attributes:
        states: (B, m, C) the inputs it had for them.
        projected: (B, m, 2·H·d_head) the keys and values of these states side by side, which need
            not be made again while nothing is learned; None where they were not kept.
        origin: of `projected`.
    """

    states: Tensor
    projected: Tensor | None = None
    origin: Origin | None = None

    def last(self, length: int) -> LayerMemory:
        """The last `length` time steps, all of them if there are fewer."""
        start = max(0, self.states.shape[1] - length)
        if start == 0:
            return self
        projected = None if self.projected is None else self.projected[:, start:]
        return LayerMemory(self.states[:, start:], projected, self.origin)


Memory = tuple[LayerMemory, ...]  # one a layer


@dataclass(frozen=True)
class LayerRecord:
    """The tensors one attention layer computed; see `AttentionTrace` for names and shapes."""

    query: Tensor
    key: Tensor
    value: Tensor
    relative_key: Tensor | None
    ac: Tensor
    bd_by_distance: Tensor | None
    probs: Tensor
    is_masked: Tensor
    memory: Tensor
    hidden: Tensor
    attended: Tensor


def shift_view(by_distance: Tensor) -> Tensor:
    """(B, H, L, S) scores by distance → by key, without copying: a view one step narrower a row.

    Element (i, j) is by_distance[i, j + L-1-i], at address i·(S-1) + j + L-1. Entries with
    j > m + i belong to the next query and must be masked.
    """
    B, H, L, S = by_distance.shape
    by_distance = by_distance.contiguous()
    return by_distance.as_strided(
        (B, H, L, S), (H * L * S, L * S, S - 1, 1), by_distance.storage_offset() + L - 1
    )


def shift_copy(by_distance: Tensor) -> Tensor:
    """The same by padding and re-reading, the paper's way; cheaper to differentiate."""
    return shift_padded(F.pad(by_distance, (1, 0)))


def shift_padded(padded: Tensor) -> Tensor:
    """(B, H, L, S+1) scores by distance S, …, 0 → (B, H, L, S) by key."""
    B, H, L, row = padded.shape
    return padded.view(B, H, row, L)[:, :, 1:].reshape(B, H, L, row - 1)


def attention_mask(
    *, query_count: int, key_count: int, memory_length: int, same_length: bool
) -> Tensor:
    """(L, S) True = blocked.

    Causal: blocked iff j > i + m. `same_length` also blocks j <= i + m - M, so that every query
    sees the same number of keys; with M = 0 that would block all of them, so it is causal then.
    """
    i = torch.arange(query_count)[:, None]
    j = torch.arange(key_count)[None, :]
    m = key_count - query_count
    is_blocked = j > i + m
    if same_length and memory_length > 0:
        is_blocked = is_blocked | (j <= i + m - memory_length)
    return is_blocked


@dataclass(frozen=True)
class Mask:
    """What is added to scores: 0, or −inf where a query may not look.

    Attributes:
        by_key: (L, S).
        by_distance: (L, W), for the first W of the S + 1 distances S, …, 0. It hides what the
            relative shift would move to another query's row, and so every key of the future.
    """

    by_key: Tensor
    by_distance: Tensor

    @classmethod
    def hiding(cls, is_blocked: Tensor, dtype: torch.dtype) -> Mask:
        """From (L, S) True = blocked, which has to block the future."""
        L, S = is_blocked.shape
        j = torch.arange(S + 1)[None, :] + torch.arange(L)[:, None] - L  # key at each distance
        is_hidden = (j < 0) | is_blocked.gather(1, j.clamp(min=0))
        width = int(is_hidden.any(dim=0).nonzero().max()) + 1
        zeros = torch.zeros(L, S, dtype=dtype)
        return cls(
            by_key=zeros.masked_fill(is_blocked, -math.inf),
            by_distance=zeros.new_zeros(L, width).masked_fill_(is_hidden[:, :width], -math.inf),
        )


# What these three make is kept for all callers, so it must not depend on the mode that the first of
# them is in: a tensor made in inference mode would be none that gradients can go through.
@lru_cache(maxsize=64)
@torch.inference_mode(mode=False)
def additive_mask(
    *,
    query_count: int,
    key_count: int,
    memory_length: int,
    same_length: bool,
    dtype: torch.dtype,
    device: torch.device,
) -> Mask:
    """The attention mask as something to add; kept for segments of the same size."""
    is_blocked = attention_mask(
        query_count=query_count,
        key_count=key_count,
        memory_length=memory_length,
        same_length=same_length,
    )
    mask = Mask.hiding(is_blocked, dtype)
    return Mask(mask.by_key.to(device), mask.by_distance.to(device))


@lru_cache(maxsize=64)
@torch.inference_mode(mode=False)
def relative_table(
    key_count: int, width: int, clamp_length: int, dtype: torch.dtype, device: torch.device
) -> Tensor:
    """(S, C) vectors R of distances S-1, …, 0, computed in float64 and rounded once."""
    table = torch.from_numpy(relative_sinusoids(key_count, width, clamp_length=clamp_length))
    return table.to(device, dtype)


@lru_cache(maxsize=64)
@torch.inference_mode(mode=False)
def absolute_table(
    query_count: int, width: int, dtype: torch.dtype, device: torch.device
) -> Tensor:
    """(L, C) vectors P of positions 0, …, L-1."""
    return torch.from_numpy(sinusoids(np.arange(query_count), width)).to(device, dtype)


def fill(states: Tensor, block: int) -> Tensor:
    """(B, time, ·) with zeros after the last time step, up to a full block."""
    missing = -states.shape[1] % block
    return F.pad(states, (0, 0, 0, missing)) if missing else states


@dataclass(frozen=True)
class DistanceKeys:
    """What `Attention` keeps for the next segment.

    Attributes:
        keys: (H, S+1, d_head) see `Attention._distance_keys`.
        relative: (S, C) the R they were made from. origin: the W_r.
    """

    keys: Tensor
    relative: Tensor
    origin: Origin | None


class Attention(nn.Module):
    """Multi-head attention over memory and segment, with relative or no positions in the score."""

    def __init__(self, config: XLConfig) -> None:
        super().__init__()
        C, H, d_head = config.d_model, config.n_head, config.d_head
        self.n_head, self.d_head = H, d_head
        self.is_relative = config.position == "relative"
        self.query = nn.Linear(C, H * d_head, bias=False)
        self.key_value = nn.Linear(C, 2 * H * d_head, bias=False)
        self.output = nn.Linear(H * d_head, C, bias=False)
        self._kept: DistanceKeys | None = None
        if self.is_relative:
            self.relative_key = nn.Linear(C, H * d_head, bias=False)

    def forward(
        self,
        hidden: Tensor,
        memory: LayerMemory,
        *,
        u: Tensor | None,
        v: Tensor | None,
        relative: Tensor | None,
        mask: Mask,
        records: list[LayerRecord] | None = None,
    ) -> tuple[Tensor, LayerMemory]:
        """hidden (B, L, C), relative (S, C) → (B, L, C), and the memory followed by the segment."""
        B, L, _ = hidden.shape
        H, d_head = self.n_head, self.d_head
        states = torch.cat([memory.states, hidden], dim=1)  # (B, S, C)
        S = states.shape[1]
        is_learning, is_recorded = torch.is_grad_enabled(), records is not None
        block = ROUNDING_BLOCK if is_recorded else 1
        projected = self.key_value(states) if is_learning else self._project(hidden, memory, block)
        filled = fill(projected, block)
        key, value = filled.view(B, -1, 2, H, d_head).permute(2, 0, 3, 1, 4)
        query = self.query(hidden).view(B, L, H, d_head).transpose(1, 2)  # (B, H, L, d_head)

        content_query = query if u is None else query + u[:, None, :]  # q_i + u
        position_query = query if v is None else query + v[:, None, :]  # q_i + v

        if not is_learning and not is_recorded:
            bias = mask.by_key
            if relative is not None:
                bias = self._position_bias(position_query, relative, mask, query.dtype)
            attended = F.scaled_dot_product_attention(content_query, key, value, bias)
        else:
            scores = ac = (content_query @ key.mT)[..., :S]  # a + c: (B, H, L, S)
            key, value = key[:, :, :S], value[:, :, :S]  # (B, H, S, d_head)
            relative_key = bd_by_distance = None
            if relative is not None:
                distance_keys = self._distance_keys(relative, query.dtype)
                padded = position_query @ distance_keys.mT  # b + d: (B, H, L, S+1)
                relative_key, bd_by_distance = distance_keys[:, 1:], padded[..., 1:]
                scores = ac + shift_padded(padded)
            scores = torch.add(mask.by_key, scores, alpha=d_head**-0.5)
            probs = scores.softmax(dim=-1)  # (B, H, L, S)
            attended = probs @ value  # (B, H, L, d_head)
        merged: Tensor = self.output(
            attended.transpose(1, 2).reshape(B, L, H * d_head)
        )  # (B, L, C)
        if records is not None:
            records.append(
                LayerRecord(
                    query=query,
                    key=key,
                    value=value,
                    relative_key=relative_key,
                    ac=ac,
                    bd_by_distance=bd_by_distance,
                    probs=probs,
                    is_masked=mask.by_key.isneginf(),
                    memory=memory.states,
                    hidden=hidden,
                    attended=merged,
                )
            )
        if is_learning:
            return merged, LayerMemory(states.detach())
        return merged, LayerMemory(states, projected, Origin.of(self.key_value.weight))

    def _project(self, hidden: Tensor, memory: LayerMemory, block: int) -> Tensor:
        """Keys and values of memory and segment, (B, S, 2·H·d_head); the memory's only once."""
        L = hidden.shape[1]
        known, origin = memory.projected, memory.origin
        fresh = self.key_value(fill(hidden, block))[:, :L]
        is_ours = origin is not None and origin.is_still(self.key_value.weight)
        if known is None or not is_ours or known.dtype != fresh.dtype:  # autocast changes the dtype
            known = self.key_value(memory.states)
        return torch.cat([known, fresh], dim=1)

    def _position_bias(
        self, position_query: Tensor, relative: Tensor, mask: Mask, dtype: torch.dtype
    ) -> Tensor:
        """(b + d) / √d_head by key, −inf where masked: (B, H, L, S) over memory of (B, H, L, S+1).

        The relative shift without a copy, for attention whose weights nobody asks for: with one
        distance more than there are keys, a view that steps S numbers a row finds every key.
        """
        keys = self._distance_keys(relative, dtype)
        bias: Tensor = position_query * self.d_head**-0.5 @ keys.mT
        bias[..., : mask.by_distance.shape[1]] += mask.by_distance
        B, H, L, row = bias.shape
        S = row - 1
        return bias.as_strided((B, H, L, S), (H * L * row, L * row, S, 1), L)

    def _distance_keys(self, relative: Tensor, dtype: torch.dtype) -> Tensor:
        """W_r·R for the distances S, …, 0: (H, S+1, d_head). Distance S, which no key has, gets 0.

        Kept for the next segment while nothing is learned.

        Args: dtype: what products with weights have here.
        """
        weight = self.relative_key.weight
        kept = self._kept  # read once: other threads may run the same model
        is_learning = torch.is_grad_enabled()
        if (
            kept is not None
            and kept.origin is not None
            and not is_learning
            and kept.relative is relative
            and kept.keys.dtype == dtype
            and kept.origin.is_still(weight)
        ):
            return kept.keys
        keys: Tensor = F.pad(self.relative_key(relative), (0, 0, 1, 0))
        keys = keys.view(-1, self.n_head, self.d_head).transpose(0, 1)
        self._kept = None if is_learning else DistanceKeys(keys, relative, Origin.of(weight))
        return keys


class Layer(nn.Module):
    """Attention and feed-forward, each followed by residual and LayerNorm (post-norm)."""

    def __init__(self, config: XLConfig) -> None:
        super().__init__()
        C = config.d_model
        self.attention = Attention(config)
        self.attention_norm = nn.LayerNorm(C)
        self.feed_in = nn.Linear(C, config.d_inner)
        self.feed_out = nn.Linear(config.d_inner, C)
        self.feed_norm = nn.LayerNorm(C)
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self,
        hidden: Tensor,
        memory: LayerMemory,
        *,
        u: Tensor | None,
        v: Tensor | None,
        relative: Tensor | None,
        mask: Mask,
        records: list[LayerRecord] | None = None,
    ) -> tuple[Tensor, LayerMemory]:
        """hidden (B, L, C) → (B, L, C), and the memory followed by the segment."""
        attended, context = self.attention(
            hidden, memory, u=u, v=v, relative=relative, mask=mask, records=records
        )
        hidden = self.attention_norm(hidden + self.dropout(attended))
        inner = self.dropout(F.relu_(self.feed_in(hidden)))  # (B, L, d_inner)
        return self.feed_norm(hidden + self.dropout(self.feed_out(inner))), context


@dataclass(frozen=True)
class Record:
    """What one recorded forward pass leaves behind, beside its result."""

    embedded: Tensor  # (B, L, C) what enters layer 1
    layers: list[LayerRecord]
    hidden: Tensor  # (B, L, C) what leaves the last layer


class TransformerXL(nn.Module):
    """A Transformer-XL language model; any segment and memory length at call time.

    Source: Dai et al. 2019, sections 3.2 and 3.3. One pair u, v serves all layers. There is no
    final LayerNorm and the output weights are not tied to the embedding.

    Keys made for one segment are used again for the next while the weights stay as they are, and
    by this model only; a memory of another model's states is read with this model's weights. A
    weight written through `.data` does not count as changed, so write with `copy_` under `no_grad`.
    """

    def __init__(self, config: XLConfig) -> None:
        super().__init__()
        self.config = config
        self.vocabulary: Vocabulary | None = None  # the characters that the ids stand for
        C, H, d_head = config.d_model, config.n_head, config.d_head
        self.embedding = nn.Embedding(config.vocab_size, C)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.n_layer))
        self.unembedding = nn.Linear(C, config.vocab_size)
        self.dropout = nn.Dropout(config.dropout)
        self.u: nn.Parameter | None = None  # content bias
        self.v: nn.Parameter | None = None  # position bias
        if config.position == "relative":
            self.u = nn.Parameter(torch.empty(H, d_head))
            self.v = nn.Parameter(torch.empty(H, d_head))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw fresh weights: normal with variance 1/fan-in, so that layers start at unit scale.

        Biases, u and v included, start at 0 and LayerNorm at the identity.
        """
        for name, parameter in self.named_parameters():
            if "norm" in name:
                nn.init.constant_(parameter, float(name.endswith("weight")))
            elif name.endswith("weight"):
                nn.init.normal_(parameter, std=parameter.shape[-1] ** -0.5)
            else:
                nn.init.zeros_(parameter)

    def empty_memory(self, batch_size: int) -> Memory:
        """What a stream starts with: states (B, 0, C) for each layer."""
        states = self.embedding.weight.new_empty(batch_size, 0, self.config.d_model)
        return tuple(LayerMemory(states) for _ in self.layers)

    def forward(
        self,
        ids: Tensor,
        memory: Memory | None = None,
        *,
        memory_length: int,
        same_length: bool = False,
        clamp_length: int = 0,
        record: list[Record] | None = None,
    ) -> tuple[Tensor, Memory]:
        """One segment.

        Args:
            ids: (B, L) token ids, L >= 1.
            memory: what the previous segment returned; None starts a stream. It is not changed.
            memory_length: M >= 0, how many states to read from the memory and to keep for the next
                segment, in tokens.
            same_length: let each query see only the M nearest keys, itself included; with M = 0
                it changes nothing.
            clamp_length: treat distances above it as equal to it; 0 clamps nothing.
            record: a list that receives what was computed.
        Returns: logits (B, L, V) and the memory for the next segment, without gradient.
        Raises: ValueError for ids that are not (B, L >= 1) whole numbers of the vocabulary, a
            negative M, a memory of another batch size, layer count, width or dtype, or anything
            on another device than the weights.
        """
        self._check_ids(ids)
        if memory_length < 0:
            raise ValueError(f"need a memory length >= 0 tokens, got {memory_length}")
        B, L = ids.shape
        C = self.config.d_model
        memory = self.empty_memory(B) if memory is None else memory
        self._check_memory(memory, batch_size=B)
        read = tuple(layer.last(memory_length) for layer in memory)
        S = read[0].states.shape[1] + L

        hidden = self.embedding(ids) * math.sqrt(C)  # (B, L, C)
        relative = None
        if self.config.position == "relative":
            table = relative_table(S, C, clamp_length, hidden.dtype, hidden.device)
            relative = self.dropout(table)  # (S, C)
        else:
            hidden = hidden + absolute_table(L, C, hidden.dtype, hidden.device)
        embedded = hidden = self.dropout(hidden)
        mask = additive_mask(
            query_count=L,
            key_count=S,
            memory_length=memory_length,
            same_length=same_length,
            dtype=hidden.dtype,
            device=hidden.device,
        )

        layer_records: list[LayerRecord] | None = None if record is None else []
        kept = []
        for layer, remembered in zip(self.layers, read, strict=True):
            hidden, context = layer(
                hidden,
                remembered,
                u=self.u,
                v=self.v,
                relative=relative,
                mask=mask,
                records=layer_records,
            )
            kept.append(context.last(memory_length))
        if record is not None and layer_records is not None:
            record.append(Record(embedded=embedded, layers=layer_records, hidden=hidden))
        return self.unembedding(hidden), tuple(kept)

    def stream(
        self,
        ids: Tensor,
        *,
        segment_length: int,
        memory_length: int,
        same_length: bool = False,
        clamp_length: int = 0,
        record: list[Record] | None = None,
    ) -> Iterator[Tensor]:
        """Run (B, T) ids segment by segment from an empty memory; yields logits (B, <= L, V).

        The other arguments are those of `forward`.
        """
        if segment_length < 1:
            raise ValueError(f"need a segment length >= 1, got {segment_length}")
        memory: Memory | None = None
        for start in range(0, ids.shape[1], segment_length):
            segment = ids[:, start : start + segment_length]
            logits, memory = self(
                segment,
                memory,
                memory_length=memory_length,
                same_length=same_length,
                clamp_length=clamp_length,
                record=record,
            )
            yield logits

    def _check_ids(self, ids: Tensor) -> None:
        if ids.ndim != 2 or ids.shape[1] < 1:
            raise ValueError(f"need ids of shape (B, L >= 1), got {tuple(ids.shape)}")
        if ids.dtype not in (torch.int64, torch.int32):
            raise ValueError(f"need ids of dtype int64 or int32, got {ids.dtype}")
        device = self.embedding.weight.device
        if ids.device != device:
            raise ValueError(f"need ids on {device}, where the weights are, got {ids.device}")
        if ids.is_meta or not len(ids):
            return
        least, most = (int(one) for one in torch.aminmax(ids))
        size = self.config.vocab_size
        if least < 0 or most >= size:
            wrong = least if least < 0 else most
            raise ValueError(f"need ids from 0 to {size - 1}, {size} in all, got {wrong}")

    def _check_memory(self, memory: Memory, *, batch_size: int) -> None:
        if len(memory) != len(self.layers):
            raise ValueError(f"need a memory of {len(self.layers)} layers, got {len(memory)}")
        lanes, length, _ = memory[0].states.shape
        if lanes != batch_size:
            raise ValueError(
                f"need a memory of {batch_size} lanes as the ids have, got {lanes}; "
                "pass memory=None to start a new stream"
            )
        weight = self.embedding.weight
        needed = (lanes, length, self.config.d_model), weight.dtype, weight.device
        for layer in memory:
            states = layer.states
            found = tuple(states.shape), states.dtype, states.device
            if found != needed:
                raise ValueError(
                    f"need a memory of shape {needed[0]}, {needed[1]} on {needed[2]}, "
                    f"as this model makes it, got {found[0]}, {found[1]} on {found[2]}"
                )
