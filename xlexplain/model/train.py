"""Train one variant: `python -m xlexplain.model.train --help`.

Training runs in episodes of a few segments. Each draws its own segment length, memory depth, and
places in the text, from (seed, number of the episode) alone, and starts with an empty memory. So a
checkpoint between two episodes needs only the weights, Adam's moments and the step.
"""

from __future__ import annotations

import json
import math
import platform
import shlex
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
import torch.nn.functional as F
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as save_tensors
from torch import Tensor

from xlexplain.maths.arrays import IntArray
from xlexplain.maths.spelling import spell_out_what_is_lacking
from xlexplain.model import corpus as corpora
from xlexplain.model.config import XLConfig
from xlexplain.model.corpus import Corpus, Vocabulary
from xlexplain.model.evaluate import bits_per_character
from xlexplain.model.transformer_xl import TransformerXL
from xlexplain.model.weights import (
    FOLDER,
    VARIANTS,
    read_object,
    rounded_to_half,
    write_atomically,
    write_pretrained,
)

EVALUATED_LENGTHS = (4, 8, 16, 32)
EVALUATED_DEPTHS = (0, 1, 2, 3, 4)


@dataclass(frozen=True)
class TrainConfig:
    """How to train. Any of these may stand in the JSON file given as `--config`.

    Attributes:
        steps: gradient steps, one a segment.
        learning_rate: Adam's, at its highest; it warms up over `warmup_steps` and then falls to 0
            on a cosine.
        tokens_per_step: lanes are chosen so that each step reads about this many tokens.
        segments_per_episode: segments read in a row before new places and lengths are drawn.
        shortest_segment, longest_segment, deepest_memory: the lengths that are drawn from.
        checkpoint_steps: at least so many steps lie between checkpoints.
        bfloat16: multiply matrices in bfloat16; weights, moments and losses stay in float32.
        model: sizes that differ from `XLConfig`'s defaults.
    """

    steps: int = 6_000
    learning_rate: float = 2e-3
    warmup_steps: int = 200
    weight_decay: float = 0.01
    clip_norm: float = 1.0
    tokens_per_step: int = 512
    segments_per_episode: int = 16
    shortest_segment: int = 2
    longest_segment: int = 32
    deepest_memory: int = 4
    checkpoint_steps: int = 200
    bfloat16: bool = True
    model: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("steps", "tokens_per_step", "segments_per_episode", "shortest_segment"):
            if not isinstance(getattr(self, name), int) or getattr(self, name) < 1:
                raise ValueError(f"need a whole number {name} >= 1, got {getattr(self, name)!r}")
        if self.longest_segment < self.shortest_segment or self.deepest_memory < 0:
            raise ValueError(
                "need shortest_segment <= longest_segment and deepest_memory >= 0, got "
                f"{self.shortest_segment}, {self.longest_segment}, {self.deepest_memory}"
            )
        if not self.learning_rate > 0:
            raise ValueError(f"need a learning_rate > 0, got {self.learning_rate!r}")

    def rate(self, step: int) -> float:
        """The learning rate of a step."""
        warm = min(1.0, (step + 1) / max(1, self.warmup_steps))
        return self.learning_rate * warm * 0.5 * (1 + math.cos(math.pi * step / self.steps))

    @classmethod
    def read(cls, path: Path | None) -> TrainConfig:
        """From a JSON file with some of the fields. Raises: ValueError for anything else in it."""
        if path is None:
            return cls()
        try:
            given = json.loads(path.read_text(encoding="utf-8"))
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"need JSON in {path}: {error}") from error
        known = {one.name for one in fields(cls)}
        if not isinstance(given, dict) or set(given) - known:
            raise ValueError(
                f"need a JSON object with some of {', '.join(sorted(known))} in {path}"
            )
        return cls(**given)


@dataclass(frozen=True)
class Progress:
    """Where a run stands."""

    step: int = 0
    episode: int = 0
    seconds: float = 0.0
    losses_bits: tuple[float, ...] = ()  # the mean loss of each episode


@dataclass(frozen=True)
class Run:
    """One variant with one seed on one text; all that decides the weights that come out."""

    variant: str
    seed: int
    config: TrainConfig
    corpus: Corpus
    folder: Path

    @property
    def checkpoint(self) -> Path:
        return self.folder / f"{self.variant}-seed{self.seed}.checkpoint.safetensors"

    @property
    def card(self) -> Path:
        return self.folder / f"{self.variant}-seed{self.seed}.json"

    @property
    def is_finished(self) -> bool:
        """Whether the folder holds the model of this very run: same configuration, same text."""
        if not self.card.is_file():
            return False
        found = read_object(self.card)
        wanted = {"seed": self.seed, **asdict(self.config)}
        training = {key: found.get("training", {}).get(key) for key in wanted}
        text = found.get("corpus", {}).get("sha256")
        return training == wanted and bool(text == self.corpus.sha256)

    def identity(self) -> str:
        """What a checkpoint must agree on to be continued."""
        return json.dumps(
            [self.variant, self.seed, asdict(self.config), self.corpus.sha256], sort_keys=True
        )

    def model_config(self, vocab_size: int) -> XLConfig:
        position, _, memory = self.variant.partition("-")
        return XLConfig(
            vocab_size=vocab_size,
            position="relative" if position == "relative" else "absolute",
            has_memory=not memory,
            **self.config.model,
        )


def episode_lengths(
    config: TrainConfig, draw: np.random.Generator, *, has_memory: bool
) -> tuple[int, int]:
    """L and D of one episode, both uniform; D = 0 for a model without memory."""
    L = int(draw.integers(config.shortest_segment, config.longest_segment + 1))
    D = int(draw.integers(0, config.deepest_memory + 1))
    return L, D if has_memory else 0


def train_episode(
    model: TransformerXL,
    optimizer: torch.optim.Optimizer,
    ids: IntArray,
    run: Run,
    progress: Progress,
) -> tuple[int, float]:
    """One episode; returns the steps it took and its mean loss in bits."""
    config = run.config
    draw = np.random.default_rng((run.seed, progress.episode))
    torch.manual_seed(int(draw.integers(2**62)))  # for dropout
    L, D = episode_lengths(config, draw, has_memory=model.config.has_memory)
    count = min(config.segments_per_episode, config.steps - progress.step, (len(ids) - 1) // L)
    lanes = max(1, config.tokens_per_step // L)
    starts = draw.integers(0, len(ids) - count * L, lanes)  # (B,)
    text = torch.from_numpy(ids[starts[:, None] + np.arange(count * L + 1)])  # (B, count·L + 1)
    memory = None
    losses = []
    for segment in range(count):
        for group in optimizer.param_groups:
            group["lr"] = config.rate(progress.step + segment)
        inputs = text[:, segment * L : (segment + 1) * L]  # (B, L)
        targets = text[:, segment * L + 1 : (segment + 1) * L + 1]
        with torch.autocast("cpu", torch.bfloat16, enabled=config.bfloat16):
            logits, memory = model(inputs, memory, memory_length=D * L)
        loss = F.cross_entropy(logits.float().flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(model.parameters(), config.clip_norm)
        optimizer.step()
        losses.append(loss.item() / math.log(2))
    return count, float(np.mean(losses))


def train(run: Run) -> Iterator[tuple[TransformerXL, Vocabulary, Progress]]:
    """Train, from the last checkpoint if there is one; yields after every episode.

    Raises: ValueError if the checkpoint in the run's folder was made with other settings.
    """
    vocabulary = Vocabulary.of(run.corpus.train)
    ids = vocabulary.encode(run.corpus.train)
    torch.manual_seed(run.seed)
    model = TransformerXL(run.model_config(len(vocabulary)))
    model.vocabulary = vocabulary
    optimizer = torch.optim.AdamW(
        model.parameters(),
        lr=run.config.learning_rate,
        betas=(0.9, 0.98),
        weight_decay=run.config.weight_decay,
        fused=True,
    )
    progress = restore(run, model, optimizer)
    saved_step = progress.step
    model.train()
    yield model, vocabulary, progress
    while progress.step < run.config.steps:
        began = time.perf_counter()
        steps, loss_bits = train_episode(model, optimizer, ids, run, progress)
        progress = Progress(
            step=progress.step + steps,
            episode=progress.episode + 1,
            seconds=progress.seconds + time.perf_counter() - began,
            losses_bits=(*progress.losses_bits, round(loss_bits, 4)),
        )
        is_last = progress.step >= run.config.steps
        if is_last or progress.step - saved_step >= run.config.checkpoint_steps:
            save(run, model, optimizer, progress)
            saved_step = progress.step
        yield model, vocabulary, progress


def save(
    run: Run, model: TransformerXL, optimizer: torch.optim.Optimizer, progress: Progress
) -> None:
    """Write the checkpoint: weights, moments, and where the run stands."""
    tensors: dict[str, Tensor] = {}
    for name, parameter in model.named_parameters():
        tensors[f"weight/{name}"] = parameter.detach()
        for key, value in optimizer.state[parameter].items():
            tensors[f"{key}/{name}"] = value
    metadata = {"run": run.identity(), "progress": json.dumps(asdict(progress))}
    write_atomically(run.checkpoint, save_tensors(tensors, metadata))


def restore(run: Run, model: TransformerXL, optimizer: torch.optim.Optimizer) -> Progress:
    """Read the checkpoint into model and optimizer; a fresh start if there is none.

    Raises: ValueError if it was made with other settings, or is no whole checkpoint.
    """
    if not run.checkpoint.exists():
        return Progress()
    instead = "give another --out, or --restart to begin again"
    try:
        with safe_open(run.checkpoint, framework="pt") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except SafetensorError as error:
        raise ValueError(f"{run.checkpoint} is no whole checkpoint ({error}); {instead}") from error
    if metadata.get("run") != run.identity():
        raise ValueError(
            f"{run.checkpoint} was made with other settings or another text; {instead}"
        )
    parameters = dict(model.named_parameters())
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(tensors[f"weight/{name}"])
            optimizer.state[parameter] = {
                key: tensors[f"{key}/{name}"] for key in ("step", "exp_avg", "exp_avg_sq")
            }
    stored = json.loads(metadata["progress"])
    return Progress(**{**stored, "losses_bits": tuple(stored["losses_bits"])})


def held_out_table(model: TransformerXL, ids: IntArray) -> dict[str, dict[str, float]]:
    """Held-out bits per character, {L: {D: bits}}."""
    return {
        str(L): {
            str(D): round(bits_per_character(model, ids, segment_length=L, memory_length=D * L), 4)
            for D in EVALUATED_DEPTHS
        }
        for L in EVALUATED_LENGTHS
    }


def finish(
    run: Run, model: TransformerXL, vocabulary: Vocabulary, progress: Progress, *, command: str
) -> None:
    """Measure the trained model on the held-out part and store it with its card.

    Args: command: what makes this model again, for the card.
    """
    model.eval()
    rounded = rounded_to_half(model)
    ids = vocabulary.encode(run.corpus.held_out)
    exact, stored = (
        bits_per_character(one, ids, segment_length=32, memory_length=64)
        for one in (model, rounded)
    )
    card = {
        "variant": run.variant,
        "corpus": {
            "name": run.corpus.name,
            "sha256": run.corpus.sha256,
            "python": platform.python_version(),
            "train_characters": len(run.corpus.train),
            "held_out_characters": len(run.corpus.held_out),
        },
        "training": {
            "seed": run.seed,
            **asdict(run.config),
            "seconds": round(progress.seconds),
            "machine": machine(),
            "losses_bits": progress.losses_bits[:: max(1, len(progress.losses_bits) // 100)],
        },
        "held_out_bits": held_out_table(rounded, ids),
        "float16_cost_bits": round(stored - exact, 6),
        "command": command,
    }
    write_pretrained(model, vocabulary, card, name=run.card.stem, folder=run.folder)


def machine() -> str:
    """The machine in a few words, for a figure's caption."""
    count = torch.get_num_threads()
    threads = f"{count} thread{'s' if count > 1 else ''}"
    return f"{platform.machine()}, {threads}, torch {torch.__version__}"


@click.command()
@click.option("--variant", type=click.Choice(VARIANTS), default="relative", show_default=True)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--steps", type=click.IntRange(1), help="Instead of the configuration's.")
@click.option(
    "--text",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A UTF-8 text to learn instead of the Python language reference.",
)
@click.option(
    "--config",
    "config_path",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A JSON file with fields of TrainConfig.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("runs"),
    show_default=True,
    help="Folder for checkpoint, weights and card.",
)
@click.option("--restart", is_flag=True, help="Begin again even if there is a checkpoint.")
def main(
    variant: str,
    seed: int,
    steps: int | None,
    text: Path | None,
    config_path: Path | None,
    out: Path,
    restart: bool,
) -> None:
    """Train a small Transformer-XL on characters.

    Killed at any moment, the same command continues from the last checkpoint and ends with the
    same weights as an unbroken run on the same machine.
    """
    spell_out_what_is_lacking()
    torch.set_num_threads(1)
    try:
        config = TrainConfig.read(config_path)
        if steps is not None:
            config = replace(config, steps=steps)
        if text is None:
            warn_of_another_text()
        corpus = corpora.from_file(text) if text else corpora.python_reference()
        run = Run(variant=variant, seed=seed, config=config, corpus=corpus, folder=out)
        if restart:
            run.checkpoint.unlink(missing_ok=True)
        options = {"--steps": steps, "--text": text, "--config": config_path}
        train_with_progress(run, command=command_of(run, options))
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(str(error)) from error


def warn_of_another_text() -> None:
    """Say so if this Python's reference is not the text that the shipped models learned."""
    learned = read_object(FOLDER / f"{VARIANTS[0]}.json")["corpus"]
    here = corpora.python_reference().sha256
    if here != learned["sha256"]:
        click.echo(
            f"Python {platform.python_version()} carries another language reference than "
            f"{learned['python']}, which the shipped models learned (sha256 {here[:12]}… instead "
            f"of {learned['sha256'][:12]}…): weights and figures will differ from theirs.",
            err=True,
        )


def command_of(run: Run, options: Mapping[str, object]) -> str:
    """What was called: variant, seed, and the options that were given.

    >>> command_of(Run("relative", 1, TrainConfig(), Corpus("", "", ""), Path()), {"--steps": 9})
    'python -m xlexplain.model.train --variant relative --seed 1 --steps 9'
    """
    given = {"--variant": run.variant, "--seed": run.seed, **options}
    words = [str(word) for pair in given.items() if pair[1] is not None for word in pair]
    return shlex.join(["python", "-m", "xlexplain.model.train", *words])


def train_with_progress(run: Run, *, command: str) -> None:
    """Train and store, with a bar that shows loss and time left."""
    name = f"{run.variant}, seed {run.seed}"
    with click.progressbar(length=run.config.steps, label=name) as bar:
        for model, vocabulary, progress in train(run):  # noqa: B007
            bar.label = name + shown_loss(progress)
            bar.update(progress.step - bar.pos)
    finish(run, model, vocabulary, progress, command=command)
    click.echo(f"stored in {run.folder}/{run.variant}-seed{run.seed}.safetensors and .json")


def shown_loss(progress: Progress) -> str:
    """The mean loss of the last 20 episodes."""
    if not progress.losses_bits:
        return ""
    return f", {np.mean(progress.losses_bits[-20:]):.3f} bits a character"


if __name__ == "__main__":
    main()
