"""The proof page's own controls: the task of the guessing law, its training, the reader's text."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from xlexplain.experiments.chop import LONGEST_TEXT as LONGEST_CHOPPED
from xlexplain.experiments.chop import ChopSettings
from xlexplain.experiments.guess import GuessSettings
from xlexplain.experiments.real_text import LONGEST_TEXT, TextSettings
from xlexplain.experiments.reuse import ReuseSettings
from xlexplain.ui import address, controls, parts, texts
from xlexplain.ui.controls import Range

BACK = "back"
SYMBOLS = Range("Symbols", "symbols", 2, 32, 16)
STEPS = Range("Training steps", "steps", 100, 5000, 1000)
SEED = Range("Seed", "seed", 0, 99, 0)
STORED_TASKS = ((8, 1, 3), (16, 1, 5), (8, 2, 3), (8, 3, 5), (8, 1, 8))  # L, D, K


@dataclass(frozen=True)
class Task:
    """What stands in the first screen: L, D, and the task of the guessing law."""

    segment_length: int
    memory_depth: int
    back: int
    symbol_count: int


def task(row: DeltaGenerator, *, segment_length: int, memory_depth: int) -> Task:
    """K and V beside the two sliders that all pages have."""
    most = segment_length * max(1, memory_depth)
    with row:
        back = back_slider(most=most)
        symbols = controls.bound_slider(
            SYMBOLS, help="V: tokens are drawn from so many symbols, each as likely as the others."
        )
    return Task(segment_length, memory_depth, back, symbols)


def back_slider(*, most: int) -> int:
    """K, from 1 to as far back as the memory holds for every query."""
    return controls.bounded_slider(
        "Tokens back",
        BACK,
        least=1,
        most=most,
        default=3,
        help="K: the model has to name the token so many back.",
    )


def choose_stored() -> None:
    """Buttons that set L, D and K to those of a stored run."""
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="stored_tasks"
    ):
        st.markdown("Stored:", width="content")
        for L, D, K in STORED_TASKS:
            st.button(
                f"L = {L}, D = {D}, K = {K}" + (" (exception)" if K == L else ""),
                key=f"stored_{L}_{D}_{K}",
                on_click=set_task,
                args=(L, D, K),
                type="tertiary",
            )


def set_task(segment_length: int, memory_depth: int, back: int) -> None:
    """Move the sliders."""
    values = {
        controls.SEGMENT_LENGTH.name: segment_length,
        controls.MEMORY_DEPTH.name: memory_depth,
        BACK: back,
        SYMBOLS.name: SYMBOLS.default,
    }
    for name, value in values.items():
        address.choose(name, value)
    parts.redraw("experiments")


def guess_settings(chosen: Task) -> GuessSettings:
    """Layers, steps and seed of the training."""
    places = st.columns([1, 1.4, 1, 1])
    with places[0]:
        layers = controls.bound_slider(Range("Layers", "layers", 1, 2, 1))
    with places[1]:
        steps = controls.bound_slider(STEPS)
    with places[2]:
        seed = controls.bound_slider(SEED, help="Decides the first weights and the tokens.")
    return GuessSettings(
        seed=seed,
        segment_length=chosen.segment_length,
        memory_depth=chosen.memory_depth,
        back=chosen.back,
        symbol_count=chosen.symbol_count,
        layers=layers,
        steps=steps,
    )


def chop_settings(text: str) -> ChopSettings:
    """Which weights read the text."""
    names = {"fresh": "drawn at random", "shipped": "the trained ones"}
    controls.settle_option("weights", list(names))
    weights = st.segmented_control(
        "Weights",
        list(names),
        format_func=names.__getitem__,
        required=True,
        key="weights",
        on_change=controls.chosen("weights"),
        help="What the test shows is built in: it holds for any weights.",
    )
    weights = controls.told_option("Weights", "weights", weights or "fresh")
    shown = texts.fit(text, most=LONGEST_CHOPPED)
    if len(text) > LONGEST_CHOPPED:
        st.caption(f":material/info: {shown.notice}")
    return ChopSettings(text=shown.text, weights=weights)


def text() -> str:
    """The text that the first and the third experiment read."""
    return texts.choose_text(most=LONGEST_TEXT).text


def text_settings(text: str, *, segment_length: int) -> TextSettings | None:
    """Settings for bits per character; None for a text too short to predict anything in."""
    return TextSettings(text=text, segment_length=segment_length) if len(text) > 1 else None


def default_chop() -> ChopSettings:
    """What the first screen shows: the stored test with random weights."""
    return ChopSettings()


def reuse_settings() -> ReuseSettings:
    """Attention lengths 32 to 800."""
    return ReuseSettings()
