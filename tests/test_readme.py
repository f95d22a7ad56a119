"""README says what is there."""

from __future__ import annotations

import re

from tests.serving import ROOT
from xlexplain.experiments.memory import ENOUGH_FOR_RUNS, GIB
from xlexplain.model.weights import VARIANTS, read_pretrained
from xlexplain.ui.site import PAGES

README = (ROOT / "README.md").read_text(encoding="utf-8")
MEASURED = (ROOT / "docs" / "measurements.md").read_text(encoding="utf-8")


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 160


def test_what_it_names_is_there() -> None:
    named = re.findall(r"`((?:xlexplain|pages|docs|tests)/[\w/.]*)`", README)
    assert len(named) > 5
    assert [name for name in named if "NAME" not in name and not (ROOT / name).exists()] == []


def test_every_page_is_named() -> None:
    for page in PAGES:
        assert f"| {page.title} |" in README


def test_bits_are_those_of_the_model_cards() -> None:
    for name in VARIANTS:
        card = read_pretrained(name).card
        cells = card["held_out_bits"]["32"].values()
        row = " | ".join(f"{cell['mean']:.2f}" for cell in cells)
        assert f"| {name} | {row} |" in MEASURED
        spreads = [max(cell["seeds"]) - min(cell["seeds"]) for cell in cells]
        assert max(spreads) < (0.095 if name == "absolute-no-memory" else 0.035)
    by_heart = read_pretrained("relative").card["training_text_bits"]
    assert f"costs the relative model {by_heart['bits']:.2f} bits" in MEASURED


def test_the_memory_that_runs_need_is_what_the_server_asks_for() -> None:
    guide = (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8")
    needed = f"less than {ENOUGH_FOR_RUNS / GIB:g} GiB"
    assert [needed in " ".join(text.split()) for text in (README, guide)] == [True, True]


def test_pictures_are_there() -> None:
    pictures = re.findall(r"\]\((docs/[\w.-]+\.(?:png|webp))\)", README)
    assert pictures
    assert all((ROOT / name).stat().st_size > 10_000 for name in pictures)
