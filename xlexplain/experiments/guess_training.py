"""Training for the guessing law: one small model on an endless stream of random tokens."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from xlexplain.experiments.experiment import Result, Variant
from xlexplain.experiments.guess import WIDTH, GuessSettings
from xlexplain.experiments.seeding import seeded
from xlexplain.model import TransformerXL, XLConfig
from xlexplain.model.transformer_xl import Memory, additive_mask

REPORTS = 20
LOSS_POINTS = 100
WARMUP_STEPS = 100
QUICK_LANES, FINAL_LANES = 1024, 16_384


class LearnedPositions(TransformerXL):
    """The naive scheme with a learned vector for each position, as large as an embedding.

    The vectors start at unit scale. Started at a fiftieth of that, as is common, the scores barely
    tell positions apart, and some queries were still looking at the wrong one when training ended.
    """

    def __init__(self, config: XLConfig, *, segment_length: int) -> None:
        super().__init__(config)
        self.positions = nn.Parameter(torch.randn(segment_length, config.d_model))

    def forward(  # type: ignore[override]
        self, ids: Tensor, memory: Memory | None = None, *, memory_length: int
    ) -> tuple[Tensor, Memory]:
        """One segment of exactly L tokens: ids (B, L) → logits (B, L, V) and the next memory."""
        B, L = ids.shape
        memory = self.empty_memory(B) if memory is None else memory
        hidden = self.embedding(ids) * math.sqrt(self.config.d_model) + self.positions  # (B, L, C)
        mask = additive_mask(
            query_count=L,
            key_count=memory[0].states.shape[1] + L,
            memory_length=memory_length,
            same_length=False,
            dtype=hidden.dtype,
            device=hidden.device,
        )
        kept = []
        for layer, remembered in zip(self.layers, memory, strict=True):
            hidden, context = layer(hidden, remembered, u=None, v=None, relative=None, mask=mask)
            kept.append(context.last(memory_length))
        return self.unembedding(hidden), tuple(kept)


def fresh_model(settings: GuessSettings, variant: Variant) -> TransformerXL:
    """One head; relative as the product's model, or absolute with learned vectors."""
    config = XLConfig(
        vocab_size=settings.symbol_count,
        d_model=WIDTH,
        n_layer=settings.layers,
        n_head=1,
        d_head=WIDTH,
        d_inner=2 * WIDTH,
        position="relative" if variant == "relative" else "absolute",
    )
    if variant == "relative":
        return seeded(settings.seed, lambda: TransformerXL(config))
    return seeded(
        settings.seed, lambda: LearnedPositions(config, segment_length=settings.segment_length)
    )


def last_segment(
    model: TransformerXL, settings: GuessSettings, *, lanes: int, draw: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Read random streams (B, T) to their last segment: logits (B, L, V), right tokens (B, L).

    The memory is made anew by the present weights, without gradient. Memory that is carried from
    one training step to the next was made by other weights; as these drift, states show their age,
    and the loss falls below what the law allows until the learning rate does.
    """
    L, K = settings.segment_length, settings.back
    ids = torch.randint(settings.symbol_count, (lanes, stream_length(settings)), generator=draw)
    memory_length = settings.memory_depth * L
    memory: Memory | None = None
    with torch.no_grad():
        for start in range(0, ids.shape[1] - L, L):
            segment = ids[:, start : start + L]
            _, memory = model(segment, memory, memory_length=memory_length)
    logits, _ = model(ids[:, -L:], memory, memory_length=memory_length)
    return logits, ids[:, -L - K : -K]


def stream_length(settings: GuessSettings) -> int:
    """T, whole segments: enough that nothing in sight depends on where the stream began.

    Each layer reads D segments further back. States near the start of a stream are told apart from
    others, which would let two layers beat the law for a reason that has nothing to do with them.
    """
    reach_back = -(-settings.back // settings.segment_length)
    segments = max(settings.layers * settings.memory_depth, reach_back) + 1
    return segments * settings.segment_length


def train(settings: GuessSettings, variant: Variant) -> Iterator[Result]:
    """Train one variant; yields what is known, about 100 times.

    Accuracy is measured about 20 times, and on more tokens at the end.
    """
    model = fresh_model(settings, variant)
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.learning_rate, betas=(0.9, 0.98))
    draw = torch.Generator().manual_seed(settings.seed)
    report_every = max(1, settings.steps // REPORTS)
    point_every = max(1, settings.steps // LOSS_POINTS)
    found: Result = {"step": 0, "loss_steps": [], "loss_bits": [], "accuracy": [], "samples": 0}
    timing: dict[str, float | None] = {"seconds_to_99": None}
    found["timing"] = timing
    losses: list[float] = []
    seconds = 0.0
    began = time.thread_time()
    for step in range(1, settings.steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = rate(settings, step)
        logits, right = last_segment(model, settings, lanes=settings.lanes, draw=draw)
        loss = F.cross_entropy(logits.flatten(0, 1), right.flatten())
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item() / math.log(2))
        if step % point_every == 0:
            found["loss_steps"].append(step)
            found["loss_bits"].append(round(sum(losses) / len(losses), 4))
            losses.clear()
        if step % report_every == 0 or step == settings.steps:
            lanes = FINAL_LANES if step == settings.steps else QUICK_LANES
            seconds += time.thread_time() - began
            timing["seconds"] = round(seconds, 2)
            found["samples"] = lanes
            found["accuracy"] = accuracy(model, settings, lanes=lanes)
            if timing["seconds_to_99"] is None and min(found["accuracy"]) > 0.99:
                timing["seconds_to_99"] = timing["seconds"]
            began = time.thread_time()
        if step % point_every == 0 or step == settings.steps:
            found["step"] = step
            yield copy.deepcopy(found)


def rate(settings: GuessSettings, step: int) -> float:
    """The learning rate of a step: linear warm-up, then half a cosine down to 0."""
    warm = min(1.0, step / min(WARMUP_STEPS, settings.steps))
    return settings.learning_rate * warm * 0.5 * (1 + math.cos(math.pi * step / settings.steps))


@torch.no_grad()
def accuracy(model: TransformerXL, settings: GuessSettings, *, lanes: int) -> list[float]:
    """Share of right answers at each position, on fresh tokens with the memory full."""
    draw = torch.Generator().manual_seed(settings.seed + 1_000_003)
    chunk = min(lanes, 1024)
    right_count = torch.zeros(settings.segment_length)
    for _ in range(lanes // chunk):
        logits, right = last_segment(model, settings, lanes=chunk, draw=draw)
        right_count += (logits.argmax(-1) == right).sum(0)
    return [round(float(count) / lanes, 5) for count in right_count]
