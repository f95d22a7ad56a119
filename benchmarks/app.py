"""The app beside a bare Streamlit page, measured in one run: `python -m benchmarks.app --help`.

Both are measured in turn, so that whatever else the machine does hits both; what counts is the
ratio of the medians.
"""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

import click
from playwright.sync_api import Browser, sync_playwright

from benchmarks.redraw import Subject, measure_changes, open_page
from benchmarks.sessions import Session, many, resident
from tests.browser.conftest import FLAGS
from tests.serving import Server, serve
from xlexplain.ui.site import PAGES

BARE = Path(__file__).parent / "bare"
PACKAGE = Path("xlexplain")
PLOT, LENGTH, SESSIONS = ".js-plotly-plot", "Segment length", 25
REDRAWN = {  # page: where its first picture stands, and the goal
    "position-conflict": (".st-key-maps", 0.8),
    "relative-shift": (".st-key-moving-cells", 1.2),
    "relative-attention": (".st-key-film", 1.2),
}
WEIGHED = {"?mem=2": 100, "?seg=31&mem=4": 400}  # settings, and kB a change


@dataclass(frozen=True)
class Row:
    """One line of the table: what, the goal and the figure, with their unit."""

    what: str
    goal: str
    figure: str


def line_rows() -> list[Row]:
    """Lines of the package: of the front end, of Python, and of `ui` in all languages."""

    def lines(folder: Path, *endings: str) -> int:
        return sum(
            len(path.read_text(encoding="utf-8").splitlines())
            for path in folder.rglob("*")
            if path.suffix in endings
        )

    front = (".js", ".css", ".html")
    return [
        Row("lines of JavaScript, CSS and HTML", "≤ 900", f"{lines(PACKAGE, *front):,}"),
        Row("lines of Python", "≤ 12,000", f"{lines(PACKAGE, '.py'):,}"),
        Row("lines in `ui`, all of these", "≤ 4,500", f"{lines(PACKAGE / 'ui', '.py', *front):,}"),
    ]


def redraw_rows(browser: Browser, bare: Server, ours: Server, *, rounds: int) -> list[Row]:
    """From the key press to the first picture, and to the last change of the page."""
    base = Subject("bare", bare.url, "Seed", PLOT)
    subjects = [
        Subject(page, f"{ours.url}/{page}", LENGTH, place) for page, (place, _) in REDRAWN.items()
    ]
    measure_changes(browser, [base, *subjects], rounds=rounds)
    rows = []
    for what, goals in (
        ("redrawn", {page: goal for page, (_, goal) in REDRAWN.items()}),
        ("settled", dict.fromkeys(REDRAWN, 2.0)),
    ):
        for subject in subjects:
            ratio = median(getattr(subject, what)) / median(getattr(base, what))
            name = f"change → {'first picture redrawn' if what == 'redrawn' else 'page settled'}"
            goal = f"≤ {goals[subject.name]} × bare"
            rows.append(Row(f"{name}, {subject.name}", goal, f"{ratio:.2f} × bare"))
    return rows


def weight_rows(browser: Browser, ours: Server) -> list[Row]:
    """Bytes of a change at a small and at the largest setting."""
    rows = []
    for page, (place, _) in REDRAWN.items():
        for settings, most in WEIGHED.items():
            subject = Subject(page, f"{ours.url}/{page}{settings}", LENGTH, place)
            measure_changes(browser, [subject], rounds=2)
            figure = f"{max(subject.received) / 1000:.0f} kB"
            rows.append(Row(f"bytes a change, {page}{settings}", f"≤ {most} kB", figure))
    return rows


def load_rows(bare: Server, ours: Server, *, changes: int) -> list[Row]:
    """The 95th percentile of a change with many readers at once.

    Before, a few readers ask for most segment lengths, so that the model has run on the text.
    """

    def p95(server: Server, page: str, label: str) -> float:
        asyncio.run(many(server.url, page, label, sessions=4, changes=40, pause=0.05))
        run = many(server.url, page, label, sessions=SESSIONS, changes=changes, pause=0.2)
        return quantiles(asyncio.run(run), n=20)[-1]

    rows = []
    for page in REDRAWN:
        base, own = p95(bare, "", "Seed"), p95(ours, page, LENGTH)
        what = f"95th percentile of a change, {SESSIONS} sessions, {page}"
        rows.append(Row(what, "≤ 0.25 × bare", f"{own / base:.2f} × bare"))
    return rows


def cold_row(browser: Browser, folder: Path, *, rounds: int) -> Row:
    """First load of the first page from a server that has just started."""

    def load(script: Path, subject: Subject) -> float:
        log = folder / "cold.txt"
        with serve(log, script=script.name, folder=script.parent) as server:
            subject.address = server.url + subject.address
            page, seconds = open_page(browser, subject)
            page.context.close()
            return seconds

    bare, own = [], []
    for _ in range(rounds):
        bare.append(load(BARE / "app.py", Subject("bare", "", "Seed", PLOT)))
        own.append(load(Path("app.py").resolve(), Subject("home", "/", LENGTH, ".st-key-maps")))
    figure = f"{median(own) / median(bare):.2f} × bare"
    return Row("first load, server just started", "≤ 1.0 × bare", figure)


def memory_row(ours: Server) -> Row:
    """Resident memory with many readers, after every page was visited."""

    async def visit() -> float:
        readers = [
            Session(ours.url, PAGES[number % len(PAGES)].address) for number in range(SESSIONS)
        ]
        for reader in readers:
            await reader.__aenter__()
        size = resident(ours.pid)
        for reader in readers:
            await reader.__aexit__(None, None, None)
        return size

    size = asyncio.run(visit())
    what = f"resident memory, every page visited, {SESSIONS} sessions"
    return Row(what, "≤ 400 MiB", f"{size:.0f} MiB")


def show(rows: list[Row]) -> None:
    """As a Markdown table."""
    click.echo(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    click.echo("\n| what | goal | measured |\n| --- | --- | --- |")
    for row in rows:
        click.echo(f"| {row.what} | {row.goal} | {row.figure} |")


@click.command()
@click.option("--rounds", type=click.IntRange(3, 200), default=40, show_default=True)
@click.option("--changes", type=click.IntRange(2, 100), default=10, show_default=True)
@click.option("--cold", type=click.IntRange(1, 20), default=3, show_default=True)
def main(rounds: int, changes: int, cold: int) -> None:
    """Print the table: presses a page, changes a session under load, cold starts."""
    folder = Path(tempfile.mkdtemp())
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with (
        serve(folder / "bare.txt", folder=BARE) as bare,
        serve(folder / "ours.txt") as ours,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        rows = line_rows() + redraw_rows(browser, bare, ours, rounds=rounds)
        rows += weight_rows(browser, ours)
        rows.append(cold_row(browser, folder, rounds=cold))
        browser.close()
    with serve(folder / "bare.txt", folder=BARE) as bare, serve(folder / "ours.txt") as ours:
        rows += load_rows(bare, ours, changes=changes)
    with serve(folder / "ours.txt") as ours:
        rows.append(memory_row(ours))
    show(rows)


if __name__ == "__main__":
    main()
