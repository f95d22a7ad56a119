"""Our model beside Hugging Face's, same weights, same outputs: `python -m benchmarks.model --help`.

Both run in one process, one after the other in turn, so that whatever else the machine does hits
both; what counts is the ratio of the medians.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import click
import torch
import torch.nn.functional as F
from torch import Tensor

from benchmarks.hugging_face import Theirs, with_our_weights
from xlexplain.model.config import XLConfig
from xlexplain.model.transformer_xl import Memory, Record, TransformerXL

VOCAB_SIZE = 97
SEGMENTS = 6
TOLERANCE = 1e-5


@dataclass(frozen=True)
class Case:
    """One row of the table: layers, C, H, L, M, B."""

    n_layer: int
    d_model: int
    n_head: int
    segment_length: int
    memory_length: int
    batch_size: int

    def model(self) -> TransformerXL:
        """A fresh model of these sizes with random biases u and v too."""
        torch.manual_seed(0)
        config = XLConfig(
            vocab_size=VOCAB_SIZE,
            d_model=self.d_model,
            n_layer=self.n_layer,
            n_head=self.n_head,
            d_head=self.d_model // self.n_head,
            d_inner=4 * self.d_model,
        )
        model = TransformerXL(config).eval()
        with torch.no_grad():
            for bias in (model.u, model.v):
                assert bias is not None
                bias.normal_()
        return model

    def ids(self, seed: int) -> Tensor:
        """(B, L) random tokens."""
        generator = torch.Generator().manual_seed(seed)
        shape = (self.batch_size, self.segment_length)
        return torch.randint(VOCAB_SIZE, shape, generator=generator)

    def __str__(self) -> str:
        return (
            f"{self.n_layer} layers, C={self.d_model}, H={self.n_head}, L={self.segment_length}, "
            f"M={self.memory_length}, B={self.batch_size}"
        )


CASES = (
    *(Case(4, 128, 4, 64, M, B) for B in (1, 16) for M in (64, 128, 256)),
    *(Case(2, 64, 2, 16, M, 1) for M in (16, 32, 64)),
)


@torch.no_grad()
def largest_difference(case: Case) -> float:
    """Largest difference of the hidden states over some segments, float32."""
    ours = case.model()
    theirs = with_our_weights(ours, memory_length=case.memory_length)
    our_memory: Memory | None = None
    their_memory: list[Tensor] | None = None
    differences = []
    for seed in range(SEGMENTS):
        record: list[Record] = []
        ids = case.ids(seed)
        _, our_memory = ours(ids, our_memory, memory_length=case.memory_length, record=record)
        hidden, their_memory = theirs(ids, their_memory)
        differences.append((record[0].hidden - hidden).abs().max())
    return float(torch.stack(differences).max())  # NaN stays


def full_memories(case: Case, ours: TransformerXL, theirs: Theirs) -> tuple[Memory, list[Tensor]]:
    """Both models' memories, filled to M."""
    our_memory: Memory | None = None
    their_memory: list[Tensor] | None = None
    with torch.no_grad():
        for seed in range(1 + case.memory_length // case.segment_length):
            _, our_memory = ours(case.ids(seed), our_memory, memory_length=case.memory_length)
            _, their_memory = theirs(case.ids(seed), their_memory)
    assert our_memory is not None
    assert their_memory is not None
    return our_memory, their_memory


def medians(calls: dict[str, Callable[[], object]], *, rounds: int) -> dict[str, float]:
    """Median seconds of each call, taken in turn."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for number in range(rounds + 3):
        for name, call in calls.items():
            began = time.perf_counter()
            call()
            if number >= 3:  # the first rounds warm up
                seconds[name].append(time.perf_counter() - began)
    return {name: median(values) for name, values in seconds.items()}


def measure(case: Case, *, rounds: int) -> dict[str, float]:
    """Theirs ÷ ours for a forward pass and a training step, and recorded ÷ plain for ours."""
    ours = case.model()
    theirs = with_our_weights(ours, memory_length=case.memory_length)
    our_memory, their_memory = full_memories(case, ours, theirs)
    ids = case.ids(99)
    M = case.memory_length

    def forward(record: list[Record] | None = None) -> None:
        with torch.no_grad():
            ours(ids, our_memory, memory_length=M, record=record)

    def their_forward() -> None:
        with torch.no_grad():  # ours ends with logits too; give theirs the same product
            F.linear(theirs(ids, their_memory)[0], ours.unembedding.weight, ours.unembedding.bias)

    def step() -> None:
        logits, _ = ours(ids, our_memory, memory_length=M)
        torch.autograd.backward(F.cross_entropy(logits.flatten(0, 1), ids.flatten()))
        ours.zero_grad()

    def their_step() -> None:
        hidden, _ = theirs(ids, their_memory)
        logits = F.linear(hidden, ours.unembedding.weight, ours.unembedding.bias)
        torch.autograd.backward(F.cross_entropy(logits.flatten(0, 1), ids.flatten()))
        theirs.model.zero_grad()

    quick = medians(
        {"ours": forward, "theirs": their_forward, "recorded": lambda: forward([])}, rounds=rounds
    )
    slow = medians({"ours": step, "theirs": their_step}, rounds=max(5, rounds // 3))
    return {
        "forward": quick["theirs"] / quick["ours"],
        "step": slow["theirs"] / slow["ours"],
        "recording": quick["recorded"] / quick["ours"],
    }


@click.command()
@click.option("--rounds", type=click.IntRange(5), default=60, show_default=True)
@click.option("--threads", type=click.IntRange(1), multiple=True, default=(1, 2), show_default=True)
def main(rounds: int, threads: tuple[int, ...]) -> None:
    """Print a Markdown table: how many times as fast as theirs, and that the outputs agree."""
    for count in threads:
        torch.set_num_threads(count)
        rows = []
        click.echo(f"\n{count} thread{'s' if count > 1 else ''}\n")
        click.echo("| sizes | max difference | forward | training step | recording costs |")
        click.echo("| --- | --- | --- | --- | --- |")
        for case in CASES:
            difference = largest_difference(case)
            if not difference <= TOLERANCE:
                raise click.ClickException(
                    f"need outputs within {TOLERANCE:.0e} of Hugging Face's, "
                    f"got {difference:.0e} for {case}"
                )
            rows.append(row := measure(case, rounds=rounds))
            click.echo(
                f"| {case} | {difference:.0e} | {row['forward']:.2f}× | {row['step']:.2f}× "
                f"| {row['recording']:.2f}× |"
            )
        for name in ("forward", "step", "recording"):
            values = [row[name] for row in rows]
            click.echo(
                f"{name}: median {median(values):.2f}, from {min(values):.2f} to {max(values):.2f}"
            )


if __name__ == "__main__":
    main()
