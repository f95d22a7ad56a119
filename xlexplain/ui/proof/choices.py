"""The proof page's own controls: the task of the guessing law, its training, the reader's text."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from xlexplain.experiments.chop import LONGEST_TEXT as LONGEST_CHOPPED
from xlexplain.experiments.chop import ChopSettings
from xlexplain.experiments.guess import EXPERIMENT as GUESS
from xlexplain.experiments.guess import GuessSettings
from xlexplain.experiments.real_text import LONGEST_TEXT, TextSettings, card
from xlexplain.experiments.reuse import LENGTHS, ReuseSettings
from xlexplain.ui import address, controls, jobs, prose, texts
from xlexplain.ui.controls import Range

PAGE = "proof"
BACK = "back"
SYMBOLS = Range("Symbols", "symbols", 2, 32, 16)
STEPS = Range("Training steps", "steps", 100, 5000, 1000)
SEED = Range("Seed", "seed", 0, 99, 0)
CHOP_SEED = Range("Seed of the weights", "chop_seed", 0, 99, 0)
REPEATS = Range("Repeats", "repeats", 1, 20, ReuseSettings().repeats)
STORED_TASKS = tuple(  # L, D, K
    dict.fromkeys(
        (one.segment_length, one.memory_depth, one.back)
        for one in GUESS.stored
        if isinstance(one, GuessSettings)
    )
)


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
    """Which weights read the text, what they are drawn from, and all lengths that cut the text."""
    left, right = st.columns(2)
    with left:
        weights = chosen_weights()
    with right:
        seed = controls.bound_slider(CHOP_SEED) if weights == "fresh" else CHOP_SEED.default
    read = text[:LONGEST_CHOPPED]
    if len(text) > LONGEST_CHOPPED:
        st.caption(f":material/info: This experiment reads the first {LONGEST_CHOPPED} characters.")
    if weights == "shipped":
        notice_unknown(read)
    longest = min(ChopSettings().longest, len(read) - 1)
    return ChopSettings(text=read, weights=weights, seed=seed, longest=longest)


def chosen_weights() -> str:
    """Weights drawn at random, or the trained ones."""
    names = {"fresh": "drawn at random", "shipped": "the trained ones"}
    controls.load_option("weights", list(names))
    weights = st.segmented_control(
        "Weights",
        list(names),
        format_func=names.__getitem__,
        required=True,
        key="weights",
        on_change=controls.chosen("weights"),
        help="What the test shows is built in: it holds for any weights.",
    )
    return controls.save_option("Weights", "weights", weights or "fresh")


def queue() -> None:
    """How many runs there are at a time."""
    workers = jobs.runner().limits.workers
    if workers:
        prose.show(PAGE, "run: queue", runs="one run" if workers == 1 else f"up to {workers} runs")


def text() -> str:
    """The text that the first and the third experiment read."""
    return texts.choose_text(most=LONGEST_TEXT).text


def notice_unknown(text: str) -> bool:
    """Name the characters that no shipped model knows; whether there are any."""
    known = card("relative")["characters"]
    unknown = tuple(dict.fromkeys(char for char in text if char not in known))
    texts.notice_unknown(unknown, vocab_size=len(known))
    return bool(unknown)


def text_settings(text: str, *, segment_length: int) -> TextSettings | None:
    """Settings for bits per character; None for a text too short to predict anything in."""
    return TextSettings(text=text, segment_length=segment_length) if len(text) > 1 else None


def reuse_settings() -> ReuseSettings:
    """The longest attention, and how often each time is taken."""
    lengths = [str(length) for length in LENGTHS[1:]]
    left, right = st.columns(2)
    controls.load_option("longest", lengths, default=lengths[-1])
    with left:
        longest = st.select_slider(
            "Longest attention",
            lengths,
            key="longest",
            on_change=controls.chosen("longest"),
            help="In tokens; shorter ones are timed too.",
        )
        longest = controls.save_option("Longest attention", "longest", longest)
    with right:
        repeats = controls.bound_slider(REPEATS, help="Each time is the shortest of so many.")
    return ReuseSettings(
        lengths=tuple(length for length in LENGTHS if length <= int(longest)), repeats=repeats
    )
