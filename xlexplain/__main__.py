"""The command line: `python -m xlexplain --help`."""

from __future__ import annotations

import click


@click.group()
def main() -> None:
    """Positions over cached segments, as text."""


if __name__ == "__main__":
    main()
