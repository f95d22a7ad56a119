"""The pictures that link previews show, one of every page: `python -m scripts.preview_pictures`."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.conftest import END, FLAGS, IDLE
from tests.serving import serve
from xlexplain.ui.first_response import PREVIEW_SIZE
from xlexplain.ui.site import PAGES

LARGER = 1.5  # times; a preview is shown small
SETTINGS = {"relative_attention": "&mem=1&seg=8", "relative_shift": "&seg=4&mem=1"}
# Question, answer and figure; nothing can be moved in a picture.
STILL = """
.xl-out, .st-key-controls, [data-testid=stSlider], [data-testid=stSelectbox],
[data-testid=stButtonGroup], [data-testid=stButton], .xl-player {display: none !important;}
"""


def main() -> None:
    """Write a picture of every page's first screen, in few colours so that it stays small."""
    width, height = PREVIEW_SIZE
    with serve(Path(tempfile.mkdtemp()) / "log.txt") as server, sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(
            viewport={"width": round(width / LARGER), "height": round(height / LARGER)},
            device_scale_factor=LARGER,
        )
        for entry in PAGES:
            page.goto(f"{server.url}/{entry.address}?embed=true{SETTINGS.get(entry.name, '')}")
            page.wait_for_selector(END, state="attached")
            page.add_style_tag(content=STILL)
            page.wait_for_timeout(1500)
            page.wait_for_selector(IDLE, state="attached")
            shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            shot.quantize(64, dither=Image.Dither.NONE).save(entry.preview, optimize=True)
            print(f"{entry.preview}: {entry.preview.stat().st_size / 1000:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main()
