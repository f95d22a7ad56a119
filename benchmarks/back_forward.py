"""Does a page survive quick Back and Forward? `python -m benchmarks.back_forward --help`.

A trial visits every page, changes a slider on each, and then goes Back and Forward many times,
faster than the server answers. When it has come to rest, the page must be the one of the address,
answer a slider, and show the same after a reload.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from playwright.sync_api import BrowserContext, ConsoleMessage, Error, sync_playwright

from tests.browser.conftest import END, FLAGS, IDLE, Tab, is_base_path_probe
from tests.browser.test_links import follow, shown
from tests.serving import serve
from xlexplain.ui.site import PAGES

LABEL = "Segment length"
QUICK = 20, 150  # ms from one step to the next
# A slider's script may come after the rest of the page; a grey bar stands there meanwhile.
AT_REST = """([titles, wanted, unwanted]) => document.title === titles[location.pathname]
  && wanted.every((one) => document.querySelector(one)) && !document.querySelector(unwanted)"""
TITLES = {f"/{page.address}": page.tab_title for page in PAGES}
RESTING = [TITLES, ["h1", "[data-testid=stSlider]", END, IDLE], "[data-testid=stSkeleton]"]


@dataclass
class Trial:
    """What went wrong in one trial.

    Attributes:
        death: why the page did not come to rest or did not answer any more; "" if it did.
        differences: what differs between the page before and after a reload.
        errors: what the browser's console said.
        seconds: from the last step to rest.
    """

    death: str = ""
    differences: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    seconds: float = 0

    @property
    def is_good(self) -> bool:
        return not (self.death or self.differences or self.errors)


def walk(tab: Tab, draw: random.Random, *, steps: int, change: bool) -> Trial:
    """One trial in a fresh tab."""
    page, trial = tab.page, Trial(errors=tab.errors)
    tab.open("/")
    for place, entry in enumerate(PAGES):
        if place:
            follow(tab, entry.name)
        tab.press(LABEL, draw.choice(["ArrowLeft", "ArrowRight"]), times=draw.randint(1, 3))
    depth, place = len(PAGES), len(PAGES) - 1
    for _ in range(steps):
        to = draw.choice([one for one in (place - 1, place + 1) if 0 <= one < depth])
        page.evaluate(f"history.go({to - place})")
        place = to
        page.wait_for_timeout(draw.randint(*QUICK))
    if change:  # in the same moment, before the page has come
        page.evaluate(f"history.go({1 if place == 0 else -1})")
        page.keyboard.press(draw.choice(["ArrowLeft", "ArrowRight"]))
    began = time.monotonic()
    try:
        page.wait_for_function(AT_REST, arg=RESTING, timeout=30_000)
        now = shown(tab)
        trial.seconds = time.monotonic() - began
        trial.differences = differences(tab, now)
        tab.press(LABEL, "ArrowRight" if tab.slider(LABEL).input_value() == "2" else "ArrowLeft")
        trial.differences += differences(tab, shown(tab))
    except (Error, AssertionError) as error:
        trial.death = f"{page.url}: {str(error).splitlines()[0]}"
    return trial


def differences(tab: Tab, before: dict[str, Any]) -> list[str]:
    """What a reload changes."""
    tab.page.reload()
    tab.page.wait_for_function(AT_REST, arg=RESTING, timeout=30_000)
    after = shown(tab)
    return [
        f"{name}: {before[name]} → {after[name]}" for name in before if before[name] != after[name]
    ]


def try_once(visitor: BrowserContext, url: str, seed: int, *, steps: int, change: bool) -> Trial:
    """A trial in a tab of its own."""
    tab = Tab(page=visitor.new_page(), url=url)

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and not is_base_path_probe(message):
            tab.errors.append(message.text.splitlines()[0])

    tab.page.on("console", note)
    tab.page.on("pageerror", lambda error: tab.errors.append(str(error)))
    trial = walk(tab, random.Random(seed), steps=steps, change=change)
    tab.page.close()
    return trial


@click.command()
@click.option("--trials", type=click.IntRange(1), default=50, show_default=True)
@click.option("--steps", type=click.IntRange(1), default=30, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the first trial.")
@click.option("--change", is_flag=True, help="Press a key in the moment of the last step.")
def main(trials: int, steps: int, seed: int, change: bool) -> None:
    """Print what went wrong in each trial; exit code 1 if anything did."""
    done = []
    with (
        serve(Path(tempfile.mkdtemp()) / "log.txt") as server,
        sync_playwright() as playwright,
    ):
        path = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        visitor = browser.new_context(viewport={"width": 1280, "height": 720})
        for one in range(seed, seed + trials):
            trial = try_once(visitor, server.url, one, steps=steps, change=change)
            done.append(trial)
            click.echo(".", nl=False)
            for what in dict.fromkeys([trial.death, *trial.differences, *trial.errors]):
                if what:
                    click.echo(f"\nseed {one}: {what}")
        browser.close()
    click.echo(
        f"\n{trials} trials of {steps} steps: {sum(bool(one.death) for one in done)} dead pages, "
        f"{sum(bool(one.errors) for one in done)} with console errors, "
        f"{sum(bool(one.differences) for one in done)} where address and page differ; "
        f"at rest after at most {max(one.seconds for one in done):.1f} s"
    )
    sys.exit(not all(one.is_good for one in done))


if __name__ == "__main__":
    main()
