"""Experiment 2: the guessing law, then training that runs into it."""

from __future__ import annotations

import inspect
import math
from functools import partial
from typing import Any

import streamlit as st

from xlexplain.experiments import law, verdicts
from xlexplain.experiments.guess import WIDTH, GuessSettings
from xlexplain.experiments.law import LawStep
from xlexplain.figures.proof_guess import accuracy_bars, loss_curves
from xlexplain.figures.recurrence_influence import in_layers
from xlexplain.ui import frame, prose
from xlexplain.ui.jobs import Found
from xlexplain.ui.proof import choices
from xlexplain.ui.proof.bench import PAGE, bench, show_figure
from xlexplain.ui.proof.choices import Task


def show(task: Task) -> None:
    """Controls, bars on predicted steps, loss curves, the derivation."""
    choices.choose_stored()
    settings = choices.guess_settings(task)
    bench("guess", settings, draw=partial(draw, settings=settings))
    derivation(settings)


def draw(found: Found, *, settings: GuessSettings) -> None:
    """Both figures, as far as the run is."""
    result = found.result or {}
    steps = settings.law("absolute")
    laws = {
        variant: [float(step.accuracy) for step in settings.law(variant)]
        for variant in settings.variants
    }
    measured = {variant: one["accuracy"] for variant, one in result.items()}
    finding = bars_finding(settings, measured, is_done=found.record is not None)
    bars, losses = st.columns([3, 2])
    figure = accuracy_bars(
        laws,
        measured,
        labels=[step_label(step) for step in steps],
        palette=frame.palette(),
    )
    show_figure(bars, figure, finding=finding, key="guess_bars", alt=alt(laws, measured))
    floors = {
        variant: sum(step.loss_bits for step in settings.law(variant)) / settings.segment_length
        for variant in settings.variants
    }
    figure = loss_curves(
        {variant: one["loss_steps"] for variant, one in result.items()},
        {variant: one["loss_bits"] for variant, one in result.items()},
        floors,
        last_step=settings.steps,
        palette=frame.palette(),
    )
    last = {variant: one["loss_bits"][-1] for variant, one in result.items() if one["loss_bits"]}
    show_figure(
        losses,
        figure,
        finding=loss_finding(floors, layers=settings.layers, is_run=bool(last)),
        key="guess_losses",
        alt=loss_alt(floors, last),
    )
    if found.record is not None:
        notice(settings, found.record.result)


def loss_alt(floors: dict[str, float], last: dict[str, float]) -> str:
    """The ends of the loss curves in words."""
    parts = [
        f"{variant} {f'{last[variant]:.2f}' if variant in last else 'not yet'}, "
        f"least possible {floor:.2f}"
        for variant, floor in floors.items()
    ]
    return f"Last loss in bits: {'; '.join(parts)}."


def loss_finding(floors: dict[str, float], *, layers: int, is_run: bool) -> str:
    """Whether the task leaves absolute positions anything to guess; the law binds one layer."""
    if floors["absolute"] <= floors["relative"]:
        bound = f", down to {floors['relative']:.2f} bits" if floors["relative"] else ""
        return f"{'Here' if is_run else 'Predicted:'} both can learn the same{bound}"
    floor = f"cannot get below {floors['absolute']:.2f} bits"
    if layers > 1:
        return f"The law of one layer: absolute {floor}"
    return "One can learn it, the other cannot" if is_run else f"Predicted: absolute {floor}"


def share_words(share: float) -> str:
    """How often something is right, rounded down.

    >>> share_words(0.99996)
    'at least 99.9 % of the time'
    """
    return (
        "every time"
        if share == 1
        else f"at least {math.floor(share * 1000) / 10:.1f} % of the time"
    )


def gap_words(gap: float) -> str:
    """A gap to three digits."""
    return f"{gap:.3f}" if gap >= 0.0005 else "less than 0.001"


def step_label(step: LawStep) -> str:
    """What a step of the law stands for."""
    if not step.carriers:
        return "out of sight"
    return f"m = {step.carriers}" + (", one known" if step.knows_one else "")


def bars_finding(
    settings: GuessSettings, measured: dict[str, list[float]], *, is_done: bool
) -> str:
    """The finding: how far the absolute model is from the law."""
    if not measured.get("absolute"):
        return "Predicted: the dashed steps"
    gap = verdicts.law_gap(settings, "absolute", measured["absolute"])
    if not is_done:
        return f"So far, absolute positions are within {gap_words(gap)} of the guessing law"
    return f"Absolute positions end up within {gap_words(gap)} of the guessing law"


def notice(settings: GuessSettings, result: dict[str, Any]) -> None:
    """What to see in a finished run."""
    quick = result["relative"]["timing"]["seconds_to_99"]
    prose.show(
        PAGE,
        "guess: notice" if quick is not None else "guess: notice, not learned",
        gap=gap_words(verdicts.law_gap(settings, "absolute", result["absolute"]["accuracy"])),
        least=share_words(min(result["relative"]["accuracy"])),
        quick=quick,
        samples=f"{result['relative']['samples']:,}",
    )
    if settings.layers == 1 and min(step.accuracy for step in settings.law("absolute")) < 1:
        prose.show(PAGE, "guess: bound")
    if settings.layers == 2:
        beaten = max(
            reached - float(step.accuracy)
            for reached, step in zip(
                result["absolute"]["accuracy"], settings.law("absolute"), strict=True
            )
        )
        prose.show(PAGE, "guess: two layers", beaten=f"{beaten:+.3f}")
    if any(step.knows_one for step in settings.law("absolute")):
        prose.show(PAGE, "guess: exception", back=settings.back, L=settings.segment_length)


def derivation(settings: GuessSettings) -> None:
    """The law step by step, for the reader's task, and the code that computes it."""
    with st.expander("Where the dashed steps come from", icon=":material/functions:"):
        steps = settings.law("absolute")
        prose.show(
            PAGE,
            "guess: derivation",
            L=settings.segment_length,
            D=settings.memory_depth,
            K=settings.back,
            V=settings.symbol_count,
        )
        rows = "\n".join(
            f"| {step.position} | {(step.position - settings.back) % settings.segment_length} "
            f"| {step.carriers} | {step.candidates} | {step.accuracy} = {float(step.accuracy):.4f} "
            f"| {step.loss_bits:.3f} |"
            for step in steps
        )
        st.markdown(prose.section(PAGE, "guess: table") + "\n" + rows)
        st.code(
            inspect.getsource(law.count_patterns) + "\n\n" + inspect.getsource(law.best_accuracy)
        )
        prose.show(
            PAGE,
            "guess: training",
            layers=in_layers(settings.layers),
            width=WIDTH,
            lanes=settings.lanes,
            rate=f"{settings.learning_rate:g}",
        )


def alt(laws: dict[str, list[float]], measured: dict[str, list[float]]) -> str:
    """The figure's numbers in words."""
    parts = []
    for variant, steps in laws.items():
        predicted = ", ".join(f"{value:.3f}" for value in steps)
        reached = ", ".join(f"{value:.3f}" for value in measured.get(variant, ()))
        parts.append(f"{variant}: predicted {predicted}; measured {reached or 'not yet'}")
    return f"By position, {'. '.join(parts)}."
