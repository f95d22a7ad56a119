"""The four variants on one budget: `python -m xlexplain.model.study --help`.

First the same learning-rate search for each variant: short runs of seed 0 at every rate of
`SEARCHED_RATES`, judged by held-out bits per character at L = 16 and the depth the variant is
trained for. Then every variant with every seed at its own best rate. At the end one seed of each is
stored as the shipped model, its card holding the figures of all seeds.
"""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch

from xlexplain.maths.spelling import spell_out_what_is_lacking
from xlexplain.model import corpus as corpora
from xlexplain.model.evaluate import bits_per_character
from xlexplain.model.train import Run, TrainConfig, finish, train, warn_of_another_text
from xlexplain.model.weights import (
    FOLDER,
    VARIANTS,
    Pretrained,
    read_object,
    read_pretrained,
    write_atomically,
    write_pretrained,
)

SEARCHED_RATES = (1e-3, 2e-3, 4e-3)
SEARCH_STEPS = 1_000
SHIPPED_SEED = 0
JUDGED_LENGTH, JUDGED_DEPTH = 16, 2
LONGEST = 32, 2  # L and D of what the training text costs


def search_run(variant: str, rate: float, folder: Path) -> dict[str, Any]:
    """One short run of the search; its held-out bits per character.

    A result in the folder is taken if it is of the same configuration and text.
    """
    torch.set_num_threads(1)
    config = replace(TrainConfig(), steps=SEARCH_STEPS, learning_rate=rate)
    run = Run(variant, 0, config, corpora.python_reference(), folder / f"search-{rate:g}")
    result = run.folder / f"{variant}.json"
    stored: dict[str, Any] = read_object(result) if result.exists() else {}
    if stored.get("run") != run.identity():
        for model, vocabulary, _ in train(run):  # noqa: B007
            pass
        model.eval()
        depth = JUDGED_DEPTH if model.config.has_memory else 0
        bits = bits_per_character(
            model,
            vocabulary.encode(run.corpus.held_out),
            segment_length=JUDGED_LENGTH,
            memory_length=depth * JUDGED_LENGTH,
        )
        stored = {"run": run.identity(), "bits": round(bits, 4)}
        write_atomically(result, json.dumps(stored).encode())
    return {"learning_rate": rate, "bits": stored["bits"]}


def full_run(variant: str, seed: int, rate: float, folder: Path) -> None:
    """One full run, continued if it was begun and left alone if it is done.

    Raises: ValueError if the folder has the checkpoint of a run with other settings or text.
    """
    torch.set_num_threads(1)
    config = replace(TrainConfig(), learning_rate=rate)
    run = Run(variant, seed, config, corpora.python_reference(), folder)
    if run.is_finished:
        return
    for model, vocabulary, progress in train(run):  # noqa: B007
        pass
    finish(run, model, vocabulary, progress, command="python -m xlexplain.model.study")


def best_rates(searches: dict[str, list[dict[str, Any]]]) -> dict[str, float]:
    """The rate with the fewest bits, for each variant."""
    return {
        variant: float(min(found, key=lambda one: one["bits"])["learning_rate"])
        for variant, found in searches.items()
    }


def collect(
    variant: str, search: list[dict[str, Any]], seeds: range, *, folder: Path, target: Path
) -> None:
    """Store one seed as the shipped model, with the figures of all seeds on its card."""
    runs = [read_pretrained(f"{variant}-seed{seed}", folder=folder) for seed in seeds]
    shipped = runs[seeds.index(SHIPPED_SEED)]
    per_seed = [run.card["held_out_bits"] for run in runs]
    table = {
        L: {D: spread([bits[L][D] for bits in per_seed]) for D in row}
        for L, row in per_seed[0].items()
    }
    kept = ("variant", "corpus", "training", "float16_cost_bits")
    card = {
        **{key: shipped.card[key] for key in kept},
        "shipped_seed": SHIPPED_SEED,
        "seeds": list(seeds),
        "seconds_per_seed": [run.card["training"]["seconds"] for run in runs],
        "learning_rate_search": search,
        "held_out_bits": table,
        "training_text_bits": training_text_bits(shipped),
        "command": f"python -m xlexplain.model.study --seeds {len(seeds)} --ship",
    }
    write_pretrained(shipped.model, shipped.vocabulary, card, name=variant, folder=target)


def training_text_bits(shipped: Pretrained) -> dict[str, Any]:
    """What as much of the training text costs as is held out: what was learned by heart."""
    L, D = LONGEST
    corpus = corpora.python_reference()
    ids = shipped.vocabulary.encode(corpus.train[: len(corpus.held_out)])
    bits = bits_per_character(shipped.model, ids, segment_length=L, memory_length=D * L)
    return {"segment_length": L, "memory_depth": D, "bits": round(bits, 4)}


def spread(bits: list[float]) -> dict[str, Any]:
    """Mean and single values of the seeds."""
    return {"mean": round(float(np.mean(bits)), 4), "seeds": bits}


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("runs"),
    show_default=True,
    help="Folder for checkpoints and the single runs.",
)
@click.option("--workers", type=click.IntRange(1), default=2, show_default=True)
@click.option("--seeds", type=click.IntRange(1), default=3, show_default=True)
@click.option("--ship", is_flag=True, help="Replace the shipped models by what comes out.")
def main(out: Path, workers: int, seeds: int, ship: bool) -> None:
    """Search, train all variants with all seeds, and collect. Continues where it was stopped."""
    spell_out_what_is_lacking()
    try:
        warn_of_another_text()
        study(out, workers=workers, seeds=seeds, target=FOLDER if ship else out / "collected")
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from error


def study(out: Path, *, workers: int, seeds: int, target: Path) -> None:
    """All of it, with a line for each run that is done."""
    with ProcessPoolExecutor(workers) as pool:
        pending = {
            pool.submit(search_run, variant, rate, out): variant
            for variant in VARIANTS
            for rate in SEARCHED_RATES
        }
        searches: dict[str, list[dict[str, Any]]] = {variant: [] for variant in VARIANTS}
        for done in as_completed(pending):
            searches[pending[done]].append(done.result())
            click.echo(f"{pending[done]}: {done.result()}")
        for found in searches.values():
            found.sort(key=lambda one: one["learning_rate"])
        rates = best_rates(searches)
        click.echo(f"learning rates: {rates}")
        running = {
            pool.submit(full_run, variant, seed, rates[variant], out): f"{variant}, seed {seed}"
            for seed in range(seeds)
            for variant in VARIANTS
        }
        for finished in as_completed(running):
            finished.result()
            click.echo(f"done: {running[finished]}")
    for variant in VARIANTS:
        collect(variant, searches[variant], range(seeds), folder=out, target=target)
    click.echo(f"stored in {target}; trained with {asdict(TrainConfig())}")


if __name__ == "__main__":
    main()
