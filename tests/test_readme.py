"""README says what is there."""

from __future__ import annotations

from scripts.tree import tree
from tests.serving import ROOT
from xlexplain.ui.site import PAGES

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_file_has_its_line() -> None:
    for line in tree().splitlines():
        assert f"    {line}\n" in README


def test_every_page_is_named() -> None:
    for page in PAGES:
        assert f"| {page.title} |" in README


def test_pictures_are_there() -> None:
    assert (ROOT / "docs" / "position_conflict-light.png").stat().st_size > 10_000
