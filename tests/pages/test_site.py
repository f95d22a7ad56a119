"""What holds on every page, without a browser."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib

import pytest

from tests.pages.conftest import OpenPage
from tests.serving import ROOT
from xlexplain.figures.theme import DARK, LIGHT, TYPE, Palette
from xlexplain.ui import prose
from xlexplain.ui.site import PAGES, neighbours

NAMES = [page.name for page in PAGES]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("seg", "mem"), [(2, 0), (2, 4), (8, 1), (32, 0), (32, 4)])
def test_every_page_runs_over_a_grid_of_settings(
    open_page: OpenPage, name: str, seg: int, mem: int
) -> None:
    app = open_page(name, seg=seg, mem=mem)
    values = {slider.label: slider.value for slider in app.slider}
    assert (values["Segment length"], values["Memory depth"]) == (seg, mem)
    assert app.title[0].value


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bad", ["-3", "1e9", "2.5", "", "x", ["3", "4"], "99999999999999999999"])
def test_bad_values_in_the_address_are_named_once(
    open_page: OpenPage, name: str, bad: str | list[str]
) -> None:
    app = open_page(name, seg=bad, mem=bad)
    notices = [one.value for one in app.text if "in the address" in one.value]
    assert sum("Segment length" in one for one in notices) == 1
    assert sum("Memory depth" in one for one in notices) == 1


def test_only_the_pages_that_need_the_model_import_torch() -> None:
    """In a fresh interpreter, since the tests around this one have imported it already."""
    script = """
import sys
from streamlit.testing.v1 import AppTest
for page in ("home", "position_conflict"):
    app = AppTest.from_file("app.py", default_timeout=60).switch_page(f"pages/{page}.py").run()
    assert not app.exception, app.exception
    assert "torch" not in sys.modules, page
"""
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]


def test_the_app_declares_its_pages_and_nothing_else() -> None:
    tree = ast.parse((ROOT / "app.py").read_text())
    imported = {
        node.names[0].name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert imported == {
        "starlette.middleware",
        "streamlit",
        "xlexplain.ui",
        "xlexplain.ui.first_response",
        "xlexplain.ui.half_characters",
        "xlexplain.ui.site",
    }


def test_reading_order_links_each_page_to_the_next() -> None:
    for place, page in enumerate(PAGES[:-1]):
        assert neighbours(page.name)[1] == PAGES[place + 1]
        assert neighbours(PAGES[place + 1].name)[0] == page
    assert neighbours(NAMES[0])[0] is None
    assert neighbours(NAMES[-1])[1] is None


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_the_theme_and_the_figures_use_the_same_colours(palette: Palette) -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    theme = config["theme"]["dark" if palette.is_dark else "light"]
    assert theme["primaryColor"] == palette.accent
    assert theme["backgroundColor"] == palette.background
    assert theme["secondaryBackgroundColor"] == palette.panel
    assert theme["textColor"] == palette.ink
    assert theme["borderColor"] == palette.line


def test_prose_names_what_is_missing() -> None:
    with pytest.raises(ValueError, match="need one of the sections"):
        prose.section("home", "no such section")
    with pytest.raises(ValueError, match=r"needs a value for \[\["):
        prose.section("home", "book")


@pytest.mark.parametrize("name", NAMES)
def test_a_page_answers_its_question_in_one_sentence(name: str) -> None:
    assert re.findall(r"[.?!](?= |$)", prose.section(name, "answer")) == ["."]


def test_headings_below_the_page_s_own_are_on_the_one_scale_of_type() -> None:
    """And style sheets write no size of their own."""
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
    sizes = [float(size.removesuffix("rem")) * 16 for size in theme["headingFontSizes"]]
    assert sizes[1:] == [TYPE["title"], TYPE["finding"]]
    for sheet in (ROOT / "xlexplain").rglob("*.css"):
        sized = re.findall(r"\bfont(?:-size)?: *([^;}]*)", sheet.read_text())
        for one in sized:
            names = re.findall(r"var\(--type-(\w+)\)", one)
            assert set(names) <= set(TYPE), sheet
            assert names or not re.search(r"\d(px|r?em)\b", one), f"{sheet.name}: {one}"


def test_one_run_at_a_time_and_no_collection_after_each() -> None:
    """Two runs in one session's state fail now and then; a collection holds up every reader."""
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["runner"] == {"fastReruns": False, "postScriptGC": False}
