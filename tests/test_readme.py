"""README says what is there."""

from __future__ import annotations

from scripts.tree import put_into, tree
from tests.serving import ROOT
from xlexplain.model.weights import VARIANTS, read_pretrained
from xlexplain.ui.site import PAGES

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_file_has_its_line_once() -> None:
    assert put_into(README) == README
    assert all(README.count(f"\n    {line}\n") == 1 for line in tree().splitlines()[:10])


def test_every_page_is_named() -> None:
    for page in PAGES:
        assert f"| {page.title} |" in README


def test_bits_are_those_of_the_model_cards() -> None:
    for name in VARIANTS:
        card = read_pretrained(name).card
        cells = card["held_out_bits"]["32"].values()
        row = " | ".join(f"{cell['mean']:.2f}" for cell in cells)
        assert f"| {name} | {row} |" in README
        spreads = [max(cell["seeds"]) - min(cell["seeds"]) for cell in cells]
        assert max(spreads) < (0.095 if name == "absolute-no-memory" else 0.035)
    by_heart = read_pretrained("relative").card["training_text_bits"]
    assert f"costs the relative model {by_heart['bits']:.2f} bits" in README


def test_pictures_are_there() -> None:
    assert (ROOT / "docs" / "position_conflict-light.png").stat().st_size > 10_000
