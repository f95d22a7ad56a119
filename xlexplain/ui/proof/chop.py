"""Experiment 1: cut the same text at every length."""

from __future__ import annotations

from functools import partial

import streamlit as st

from xlexplain.experiments.chop import LONGEST_TEXT, WEIGHTS, ChopSettings
from xlexplain.figures.labels import power_of_ten
from xlexplain.figures.proof_curves import chop_curves
from xlexplain.ui import controls, prose
from xlexplain.ui.controls import Range
from xlexplain.ui.jobs import Found
from xlexplain.ui.proof import real_text, runs
from xlexplain.ui.settings import Settings

PAGE = "proof"
SEED = Range("Seed of the weights", "chop_seed", 0, 99, 0)


def show(settings: Settings) -> None:
    """Controls, figure, and what to notice."""
    if len(settings.text) < 2:
        prose.show(PAGE, "chop: too short")
        return
    experiment = choose(settings.text)
    runs.show("chop", experiment, draw=partial(draw, settings=settings))


def choose(text: str) -> ChopSettings:
    """Which weights read the text, what they are drawn from, and all lengths that cut the text."""
    left, right = st.columns(2)
    with left:
        weights = choose_weights()
    with right:
        seed = controls.bound_slider(SEED) if weights == "fresh" else SEED.default
    read = text[:LONGEST_TEXT]
    if len(text) > LONGEST_TEXT:
        prose.notice(f"This experiment reads the first {LONGEST_TEXT} characters.")
    if weights == "shipped":
        real_text.notice_unknown(read)
    longest = min(ChopSettings().longest, len(read) - 1)
    return ChopSettings(text=read, weights=weights, seed=seed, longest=longest)


def choose_weights() -> str:
    """Weights drawn at random, or the trained ones."""
    label, names = "Weights", {"fresh": "drawn at random", "shipped": "the trained ones"}
    controls.load_option("weights", WEIGHTS)
    weights = st.segmented_control(
        label,
        WEIGHTS,
        format_func=names.__getitem__,
        required=True,
        key="weights",
        on_change=controls.chosen("weights"),
        help="What the test shows is built in: it holds for any weights.",
    )
    return controls.save_option(label, "weights", weights or "fresh", label_of=names.__getitem__)


def draw(found: Found, *, settings: Settings) -> None:
    """The figure, as far as the run is."""
    result = found.result or {}
    differences = {variant: one["difference"] for variant, one in result.items()}
    runs.show_figure(
        chop_curves(differences, chosen=settings.segment_length, palette=settings.palette),
        key="chop_curves",
        numbers="A curve for each over L = 1, 2, …, on a log axis",
    )
    largest = {
        variant: power_of_ten(max(values)) for variant, values in differences.items() if values
    }
    if len(largest) == 2:
        prose.show(
            PAGE,
            "chop: notice",
            **largest,
            characters=min(len(settings.text), LONGEST_TEXT),
            scale=power_of_ten(result["relative"]["largest_output"]),
        )
