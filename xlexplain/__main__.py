"""The command line: `python -m xlexplain --help`, or `xlexplain --help` where it is installed."""

from __future__ import annotations

from importlib.util import find_spec

import click

from xlexplain.experiments.commands import experiments
from xlexplain.maths.listing import conflict_listing
from xlexplain.maths.spelling import spell_out_what_is_lacking
from xlexplain.ui.site import APP


@click.group()
def main() -> None:
    """Why positions break over cached segments: the app, and its answers as text."""
    spell_out_what_is_lacking()


@main.command()
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    envvar="STREAMLIT_SERVER_PORT",
    default=8501,
    show_default=True,
)
@click.option(
    "--address", envvar="STREAMLIT_SERVER_ADDRESS", default="127.0.0.1", show_default=True
)
def run(port: int, address: str) -> None:
    """Start the app; Ctrl-C ends it."""
    if find_spec("streamlit") is None:
        raise click.ClickException("the app needs Streamlit: pip install 'xlexplain[app]'")
    from streamlit.web import cli

    options = [f"--server.port={port}", f"--server.address={address}"]
    cli.main(["run", str(APP / "app.py"), *options], prog_name="streamlit")


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
