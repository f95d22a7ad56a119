"""Experiment 2: the guessing law, then training that runs into it."""

from __future__ import annotations

import inspect
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from xlexplain.experiments import law, verdicts
from xlexplain.experiments.guess import EXPERIMENT, WIDTH, GuessSettings
from xlexplain.figures.labels import gap_words, share_words
from xlexplain.figures.proof_guess import accuracy_bars, loss_curves
from xlexplain.maths.words import counted
from xlexplain.ui import address, controls, frame, prose
from xlexplain.ui.controls import Range
from xlexplain.ui.jobs import Found
from xlexplain.ui.proof import runs
from xlexplain.ui.settings import Settings

PAGE = "proof"
BACK = "back"
SYMBOLS = Range("Symbols", "symbols", 2, 32, 16)
STORED_TASKS = tuple(  # L, D, K
    dict.fromkeys(
        (one.segment_length, one.memory_depth, one.back)
        for one in EXPERIMENT.stored
        if isinstance(one, GuessSettings)
    )
)


def choose_task(row: DeltaGenerator, *, segment_length: int, memory_depth: int) -> Settings:
    """K and V beside the two sliders that all pages have."""
    with row:
        back = controls.bounded_slider(
            "Tokens back",
            BACK,
            least=1,
            most=segment_length * max(1, memory_depth),
            default=3,
            help="K: the model has to name the token so many back.",
        )
        symbol_count = controls.bound_slider(
            SYMBOLS, help="V: tokens are drawn from so many symbols, each as likely as the others."
        )
    return Settings(
        segment_length=segment_length,
        memory_depth=memory_depth,
        back=back,
        symbol_count=symbol_count,
        palette=frame.palette(),
    )


def show(settings: Settings) -> None:
    """Controls, bars on predicted steps, loss curves, the derivation."""
    offer_stored()
    training = choose_training(settings)
    runs.show("guess", training, draw=partial(draw, settings=settings, training=training))
    derivation(training)


def offer_stored() -> None:
    """Buttons that set L, D and K to those of a stored run."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("Stored:", width="content")
        for L, D, K in STORED_TASKS:
            st.button(
                f"L = {L}, D = {D}, K = {K}" + (" (exception)" if K == L else ""),
                key=f"stored_{L}_{D}_{K}",
                on_click=set_task,
                args=(L, D, K),
                type="tertiary",
                icon=":material/tune:",
            )


def set_task(segment_length: int, memory_depth: int, back: int) -> None:
    """Move the sliders."""
    address.choose(controls.SEGMENT_LENGTH.name, segment_length)
    address.choose(controls.MEMORY_DEPTH.name, memory_depth)
    address.choose(BACK, back)
    address.choose(SYMBOLS.name, SYMBOLS.default)


def choose_training(settings: Settings) -> GuessSettings:
    """Layers, steps and seed of the training."""
    places = st.columns([1, 1.4, 1, 1])
    with places[0]:
        layers = controls.bound_slider(Range("Layers", "layers", 1, 2, 1))
    with places[1]:
        steps = controls.bound_slider(Range("Training steps", "steps", 100, 5000, 1000))
    with places[2]:
        seed = controls.bound_slider(
            Range("Seed", "seed", 0, 99, 0), help="Decides the first weights and the tokens."
        )
    return training_settings(settings, seed=seed, layers=layers, steps=steps)


def training_settings(settings: Settings, **training: int) -> GuessSettings:
    """The reader's task; seed, layers and steps as told, or as they usually are."""
    return GuessSettings(
        segment_length=settings.segment_length,
        memory_depth=settings.memory_depth,
        back=settings.back,
        symbol_count=settings.symbol_count,
        **training,  # type: ignore[arg-type]
    )


def draw(found: Found, *, settings: Settings, training: GuessSettings) -> None:
    """Both figures, as far as the run is."""
    result = found.result or {}
    laws = training.best_accuracies
    measured = {variant: one["accuracy"] for variant, one in result.items()}
    numbers = (
        f"{variant}: predicted {', '.join(f'{value:.3f}' for value in steps)}; measured "
        + (", ".join(f"{value:.3f}" for value in measured.get(variant, ())) or "not yet")
        for variant, steps in laws.items()
    )
    bars, losses = st.columns([3, 2])
    runs.show_figure(
        accuracy_bars(
            laws,
            measured,
            labels=[step.label for step in training.law("absolute")],
            is_done=found.record is not None,
            palette=settings.palette,
        ),
        key="guess_bars",
        numbers=f"By position, {'. '.join(numbers)}",
        place=bars,
    )
    loss_bits = {variant: one["loss_bits"] for variant, one in result.items()}
    floors = training.least_loss_bits
    ends = (
        f"{variant} {f'{loss_bits[variant][-1]:.2f}' if loss_bits.get(variant) else 'not yet'}, "
        f"least possible {floor:.2f}"
        for variant, floor in floors.items()
    )
    runs.show_figure(
        loss_curves(
            {variant: one["loss_steps"] for variant, one in result.items()},
            loss_bits,
            floors,
            layers=training.layers,
            last_step=training.steps,
            palette=settings.palette,
        ),
        key="guess_losses",
        numbers=f"Last loss in bits: {'; '.join(ends)}",
        place=losses,
    )
    if found.record is not None:
        notice(training, found.record.result)


def notice(training: GuessSettings, result: dict[str, Any]) -> None:
    """What to see in a finished run."""
    steps = training.law("absolute")
    accuracy = result["absolute"]["accuracy"]
    quick = result["relative"]["timing"]["seconds_to_99"]
    prose.show(
        PAGE,
        "guess: notice" if quick is not None else "guess: notice, not learned",
        gap=gap_words(verdicts.law_gap(training, "absolute", accuracy)),
        least=share_words(min(result["relative"]["accuracy"])),
        quick=quick,
        samples=f"{result['relative']['samples']:,}",
    )
    if training.layers == 1 and min(step.accuracy for step in steps) < 1:
        prose.show(PAGE, "guess: bound")
    if training.layers == 2:
        beaten = max(
            reached - float(step.accuracy) for reached, step in zip(accuracy, steps, strict=True)
        )
        prose.show(PAGE, "guess: two layers", beaten=f"{beaten:+.3f}")
    if any(step.knows_one for step in steps):
        prose.show(PAGE, "guess: exception", back=training.back, L=training.segment_length)


def derivation(training: GuessSettings) -> None:
    """The law step by step, for the reader's task, and the code that computes it."""
    L, D, K = training.segment_length, training.memory_depth, training.back
    with st.expander("Where the dashed steps come from", icon=":material/functions:"):
        prose.show(PAGE, "guess: derivation", L=L, D=D, K=K, V=training.symbol_count)
        rows = "\n".join(
            f"| {step.position} | {(step.position - K) % L} "
            f"| {step.carriers} | {step.candidates} | {step.accuracy} = {float(step.accuracy):.4f} "
            f"| {step.loss_bits:.3f} |"
            for step in training.law("absolute")
        )
        st.markdown(prose.section(PAGE, "guess: table") + "\n" + rows)
        st.code(
            inspect.getsource(law.count_patterns) + "\n\n" + inspect.getsource(law.best_accuracy)
        )
        prose.show(
            PAGE,
            "guess: training",
            layers=counted(training.layers, "layer"),
            width=WIDTH,
            lanes=training.lanes,
            rate=f"{training.learning_rate:g}",
        )
