"""The command line: `python -m xlexplain --help`."""

from __future__ import annotations

import click

from xlexplain.experiments.commands import experiments
from xlexplain.maths.listing import conflict_listing


@click.group()
def main() -> None:
    """Positions over cached segments, as text."""


@main.command()
@click.option(
    "--segment-length",
    type=click.IntRange(min=1),
    default=8,
    show_default=True,
    help="L: tokens that the model reads at once.",
)
@click.option(
    "--memory-depth",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="D: earlier segments that it keeps; 0 = no memory.",
)
@click.option(
    "--query",
    type=click.IntRange(min=0),
    help="i: the token of the current segment that asks.  [default: the last one]",
)
def conflict(segment_length: int, memory_depth: int, query: int | None) -> None:
    """Encoded absolute positions beside true ones, and what collides."""
    try:
        listing = conflict_listing(
            segment_length=segment_length, memory_depth=memory_depth, query=query
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    click.echo(listing)


main.add_command(experiments)

if __name__ == "__main__":
    main(prog_name="python -m xlexplain")
