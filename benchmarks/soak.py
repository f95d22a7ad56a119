"""Does memory stay flat? Many changes, many sessions: `python -m benchmarks.soak --help`."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from benchmarks.sessions import Session, resident
from tests.serving import Server, serve
from xlexplain.ui.site import PAGES

LABEL = "Segment length"


async def change_often(server: Server, *, changes: int, reports: int) -> list[float]:
    """MiB resident after each part of the changes, made on all pages in turn."""
    sizes = []
    draw = random.Random(0)
    readers = [Session(server.url, page.address) for page in PAGES]
    for reader in readers:
        await reader.__aenter__()
    for part in parts(changes, reports):
        for number in range(part):
            await readers[number % len(readers)].change(LABEL, draw)
        sizes.append(resident(server.pid))
    for reader in readers:
        await reader.__aexit__(None, None, None)
    return sizes


async def open_often(server: Server, *, sessions: int, reports: int) -> list[float]:
    """MiB resident after each part of the sessions, opened one after the other and closed."""
    sizes = []
    draw = random.Random(0)
    for part in parts(sessions, reports):
        for number in range(part):
            async with Session(server.url, PAGES[number % len(PAGES)].address) as reader:
                await reader.change(LABEL, draw)
        await asyncio.sleep(1)
        sizes.append(resident(server.pid))
    return sizes


async def open_together(server: Server, *, sessions: int, wait: int) -> list[float]:
    """MiB resident before so many sessions, with them, and so many seconds after they closed.

    Streamlit keeps the last 128 sessions for two minutes, in case their readers come back.
    """
    sizes = [resident(server.pid)]
    readers = [
        Session(server.url, PAGES[number % len(PAGES)].address) for number in range(sessions)
    ]
    for number, reader in enumerate(readers):
        await reader.__aenter__()
        await reader.change(LABEL, random.Random(number))
    sizes.append(resident(server.pid))
    for reader in readers:
        await reader.__aexit__(None, None, None)
    await asyncio.sleep(wait)
    return [*sizes, resident(server.pid)]


async def visit_every_length(server: Server) -> None:
    """What the server keeps for settings that were asked for is there afterwards."""
    for page in PAGES:
        async with Session(server.url, page.address) as reader:
            slider = reader.sliders[LABEL]
            for length in range(int(slider.min), int(slider.max) + 1):
                reader.values[slider.id] = length
                await reader.run()


def parts(count: int, of: int) -> Iterator[int]:
    """`count` in `of` nearly equal parts."""
    for number in range(of):
        yield count * (number + 1) // of - count * number // of


@click.command()
@click.option("--changes", type=click.IntRange(1), default=10_000, show_default=True)
@click.option("--sessions", type=click.IntRange(1), default=200, show_default=True)
@click.option("--reports", type=click.IntRange(1), default=10, show_default=True)
@click.option("--rounds", type=click.IntRange(0), default=2, show_default=True)
@click.option("--wait", type=click.IntRange(1), default=150, show_default=True, help="Seconds.")
def main(changes: int, sessions: int, reports: int, rounds: int, wait: int) -> None:
    """Print resident memory along the way, and around rounds of sessions that are open at once."""
    with serve(Path(tempfile.mkdtemp()) / "log.txt") as server:
        sizes = asyncio.run(change_often(server, changes=changes, reports=reports))
        click.echo(f"MiB along {changes} changes: {' '.join(f'{size:.0f}' for size in sizes)}")
        sizes = asyncio.run(open_often(server, sessions=sessions, reports=reports))
        click.echo(f"MiB along {sessions} sessions: {' '.join(f'{size:.0f}' for size in sizes)}")
        asyncio.run(visit_every_length(server))
        for _ in range(rounds):
            sizes = asyncio.run(open_together(server, sessions=sessions, wait=wait))
            before, opened, closed = (f"{size:.0f}" for size in sizes)
            click.echo(f"MiB: {before}, {opened} with {sessions} sessions, {closed} after them")


if __name__ == "__main__":
    main()
