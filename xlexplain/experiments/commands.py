"""`python -m xlexplain experiments`: run them without a browser, and store the results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import click

from xlexplain.experiments import EXPERIMENTS, experiment
from xlexplain.experiments.experiment import Settings, Update
from xlexplain.experiments.record import (
    STORED,
    Record,
    make_record,
    read_folder,
    write_record,
)
from xlexplain.maths.words import counted

Task = tuple[str, Settings]
NAMES = tuple(one.name for one in EXPERIMENTS)


@click.group()
def experiments() -> None:
    """The experiments of the proof page, without a browser."""


@experiments.command("list")
@click.option(
    "--all", "show_all", is_flag=True, help="Every run that is stored, not one line each."
)
@click.option(
    "--out",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=STORED,
    help="Folder of the results; the page's if not given.",
)
def list_experiments(show_all: bool, out: Path) -> None:
    """What can be run, and what is stored."""
    found = read_folder(out)
    for one in EXPERIMENTS:
        own = [record for (name, _), record in found.records.items() if name == one.name]
        click.echo(f"{one.name:6}  {one.claim}")
        click.echo(f"        settings: {', '.join(one.settings().to_json())}")
        if not own:
            click.echo("        nothing stored")
        elif not show_all:
            dates = sorted(record.date for record in own)
            click.echo(f"        {counted(len(own), 'run')} stored, the last on {dates[-1]}")
        else:
            for record in own:
                click.echo(
                    f"        {record.file_name}  {record.date}  {record.seconds:.1f} s  "
                    f"{record.machine}"
                )
    if found.unreadable:
        lines = [f"{path}: {reason}" for path, reason in found.unreadable.items()]
        raise click.ClickException("\n".join(["need nothing but results in files:", *lines]))


@experiments.command("run")
@click.argument("names", nargs=-1, type=click.Choice(NAMES), metavar="[NAME]...")
@click.option(
    "--all", "run_all", is_flag=True, help="Every run that the page has stored results of."
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("runs/experiments"),
    show_default=True,
    help=f"Folder for the results; the page reads {STORED.relative_to(STORED.parents[2])}.",
)
@click.option(
    "--set",
    "pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting that differs from its default, back=5 say; twice to run it with both values.",
)
@click.option(
    "--seeds",
    type=click.IntRange(1, 100),
    default=1,
    show_default=True,
    help="Run each with this many seeds, from 0.",
)
@click.option(
    "--distributed",
    "address",
    metavar="ADDRESS",
    help="A Dask scheduler that hands the runs to its workers, tcp://127.0.0.1:8786 say.",
)
def run_experiments(
    names: tuple[str, ...],
    run_all: bool,
    out: Path,
    pairs: tuple[str, ...],
    seeds: int,
    address: str | None,
) -> None:
    """Run experiments and store what comes out.

    One NAME or several, or --all. Variants and seeds are runs of their own, and so is each
    combination of values where --set gives a setting several. The same settings give the same
    result on the same machine, but for what a clock measures.
    """
    try:
        if run_all:
            if pairs:
                raise click.UsageError("--all has its own settings")
            tasks = stored_tasks(names or NAMES, seeds=seeds)
        elif names:
            tasks = asked_tasks(names, pairs, seeds=seeds)
        else:
            raise click.UsageError(f"need --all or some of {', '.join(NAMES)}")
        if not tasks:
            raise click.UsageError("there is nothing to run among the stored ones")
        out.mkdir(parents=True, exist_ok=True)  # before hours of work, not after
        records = run_here(tasks) if address is None else run_there(tasks, address)
        for record in records:
            path = write_record(record, out)
            click.echo(f"stored {path}")
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from error


def stored_tasks(names: Iterable[str], *, seeds: int) -> tuple[Task, ...]:
    """The runs of which the page has stored results; with seeds > 1, each with so many instead."""
    return with_seeds(
        ((name, settings) for name in names for settings in experiment(name).stored), seeds=seeds
    )


def asked_tasks(names: Iterable[str], pairs: Sequence[str], *, seeds: int) -> tuple[Task, ...]:
    """Experiments with settings from the command line: every combination of the values given.

    Raises: ValueError for settings that make no sense, or seeds asked for in both ways.
    """
    values: dict[str, list[str]] = {}
    for pair in pairs:
        key, _, text = pair.partition("=")
        values.setdefault(key, []).append(text)
    if seeds > 1 and "seed" in values:
        raise ValueError("need --seeds or --set seed=…, got both")
    chosen = [dict(zip(values, texts, strict=True)) for texts in product(*values.values())]
    return with_seeds(
        (
            (name, experiment(name).settings().with_text_values(one))
            for name in names
            for one in chosen
        ),
        seeds=seeds,
    )


def with_seeds(tasks: Iterable[Task], *, seeds: int) -> tuple[Task, ...]:
    """Each with its own seed, or with the first so many; cut into parts, and none twice."""
    return tuple(
        dict.fromkeys(
            (name, part)
            for name, settings in tasks
            for seed in (range(seeds) if seeds > 1 else (settings.seed,))
            for part in replace(settings, seed=seed).parts()
        )
    )


def run_here(tasks: Sequence[Task]) -> Iterator[Record]:
    """One after the other, each with a bar."""
    for number, (name, settings) in enumerate(tasks, start=1):
        label = f"{number}/{len(tasks)} {name}-{settings.slug}"
        with click.progressbar(length=1000, label=label, show_eta=True) as bar:

            def watch(update: Update) -> None:
                bar.update(round(1000 * update.done) - bar.pos)

            record = make_record(name, settings, watch=watch)
        yield record


def run_there(tasks: Sequence[Task], address: str) -> Iterator[Record]:
    """On a cluster, with one bar for all."""
    from xlexplain.experiments.distribute import run_on_cluster

    with click.progressbar(length=len(tasks), label=f"{len(tasks)} runs", show_eta=True) as bar:
        for record in run_on_cluster(tasks, address):
            bar.update(1)
            yield record
