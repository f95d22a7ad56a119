"""Render every page, light, dark and phone, into a folder: `make screenshots`."""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import FLAGS, IDLE
from tests.serving import serve
from xlexplain.ui.site import PAGES

VIEWS = {
    "light": {"viewport": {"width": 1280, "height": 720}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 720}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 375, "height": 812}, "color_scheme": "light"},
}
SETTINGS = "?mem=2"


def main(folder: Path) -> None:
    """Write PAGE-VIEW.png for every page and view."""
    folder.mkdir(parents=True, exist_ok=True)
    log = Path(tempfile.mkdtemp()) / "log.txt"
    with serve(log) as server, sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for page in PAGES:
            for view in VIEWS:
                target = folder / f"{page.name}-{view}.png"
                shoot(browser, f"{server.url}/{page.address}{SETTINGS}", view, target)
                print(target)
        browser.close()


def shoot(browser: Browser, address: str, view: str, target: Path) -> None:
    """One screenshot of a page that has come to rest."""
    context = browser.new_context(**VIEWS[view])  # type: ignore[arg-type]
    tab = context.new_page()
    tab.goto(address)
    tab.wait_for_selector("h1")
    tab.wait_for_timeout(500)
    tab.wait_for_selector(IDLE, state="attached")
    tab.wait_for_timeout(1500)
    tab.screenshot(path=target)
    context.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    main(parser.parse_args().folder)
