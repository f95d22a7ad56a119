"""Film the relative shift for README: `python -m scripts.moving_picture FILE.webp`."""

from __future__ import annotations

import argparse
import io
import os
import shutil
import tempfile
from pathlib import Path

from PIL import Image, ImageOps
from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import FLAGS
from tests.serving import serve

ADDRESS = "/relative-shift?seg=6&mem=1"
PART = ".st-key-moving-cells .xl-figure"
SIZE = {"width": 1280, "height": 900}
MILLISECONDS = 60  # from picture to picture
LONGER = 1500  # ms that a frame at rest is shown


def main(target: Path) -> None:
    """Play the figure once, and write what was seen."""
    log = Path(tempfile.mkdtemp()) / "log.txt"
    with serve(log) as server, sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
        page.goto(server.url + ADDRESS)
        page.wait_for_selector(f"{PART}[data-state=still]")
        pictures, times = film(page)
        browser.close()
    size = max(one.width for one in pictures), max(one.height for one in pictures)
    first, *others = [
        ImageOps.pad(one, size, centering=(0, 0), color="#fcfcfa") for one in pictures
    ]
    first.save(target, save_all=True, append_images=others, duration=times, loop=0, quality=70)
    print(f"{target}: {len(pictures)} pictures, {target.stat().st_size / 1000:.0f} kB")


def film(page: Page) -> tuple[list[Image.Image], list[int]]:
    """Pictures of the figure from its first frame to its last, and how long each is shown.

    The page's clock is moved by hand, so that no picture is late on a slow machine.
    """
    figure = page.locator(PART)
    pictures, times = [], []

    def take(milliseconds: int) -> None:
        shot = Image.open(io.BytesIO(figure.screenshot())).convert("RGB")
        pictures.append(shot.resize((shot.width * 2 // 3, shot.height * 2 // 3)))
        times.append(milliseconds)

    take(LONGER)
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    for _ in range(int(page.locator(f"{PART} .xl-scrub").get_attribute("max") or 0)):
        page.get_by_role("button", name="Next").click()
        while figure.get_attribute("data-state") == "moving":
            page.clock.run_for(MILLISECONDS)
            take(MILLISECONDS)
        take(LONGER)
    return pictures, times


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path, help="the picture to write, .webp or .gif")
    main(parser.parse_args().target)
