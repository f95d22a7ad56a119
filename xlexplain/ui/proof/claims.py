"""The first screen: four claims, each with a small figure, predictions and results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape

import plotly.graph_objects as go
import streamlit as st

from xlexplain.experiments import verdicts
from xlexplain.experiments.chop import ChopSettings
from xlexplain.experiments.reuse import ReuseSettings
from xlexplain.figures.labels import from_to, power_of_ten
from xlexplain.figures.proof_curves import TimeCurve, bits_curves, chop_curves, reuse_curves
from xlexplain.figures.proof_guess import accuracy_bars
from xlexplain.figures.proof_predictions import Prediction, predictions_table
from xlexplain.figures.theme import Palette
from xlexplain.ui import figure, frame, jobs, prose
from xlexplain.ui.proof.guess import training_settings
from xlexplain.ui.proof.real_text import held_out_curves
from xlexplain.ui.settings import Settings

PAGE = "proof"
VARIANTS = ("relative", "absolute")


@dataclass(frozen=True)
class Claim:
    """One claim.

    Attributes:
        anchor: the section where it is run.
        title: what is claimed. caption: under which settings the numbers were made.
        picture: the figure.
        rows: predictions and results.
        is_held: whether the results are as predicted; None while there are none.
        aside: what has to be added to that.
    """

    anchor: str
    title: str
    caption: str
    picture: go.Figure
    rows: tuple[Prediction, ...]
    is_held: bool | None
    aside: str = ""


def show(settings: Settings) -> None:
    """All four."""
    words = prose.group(PAGE, "card")
    claims = (cut(settings), guessed(settings), on_text(settings), reused(settings))
    row = st.container(key="claims", horizontal=True, gap="xsmall")
    for number, claim in enumerate(claims, start=1):
        card = row.container(
            key=f"claim_{claim.anchor}",
            border=True,
            height="stretch",
            vertical_alignment="distribute",
        )
        with card.container(gap="xsmall"):
            show_claim(claim, number, words, palette=settings.palette)
        card.html(verdict(claim, words, palette=settings.palette))


def show_claim(claim: Claim, number: int, words: Mapping[str, str], *, palette: Palette) -> None:
    """Heading, figure and table."""
    st.html(
        '<h2 style="font-size: var(--type-head); font-weight: 650; line-height: 1.3; margin: 0; '
        f'padding: 0; min-height: 2.6em"><span style="color: {palette.accent}">{number}</span> '
        f"{escape(words[claim.title])}</h2>"
    )
    rows = (f"{row.label} {row.measured}, predicted {row.predicted}" for row in claim.rows)
    alt = f"{words[claim.title]}. {claim.caption}: {'; '.join(rows)}."
    figure.show(claim.picture, key=f"small_{claim.anchor}", alt=alt)
    table = predictions_table(claim.rows, name=claim.anchor, caption=claim.caption, palette=palette)
    corner = '<th class="blank level0" >&nbsp;</th>'  # a heading without words, for pandas
    st.html(table.to_html().replace(corner, "<td></td>"))


def verdict(claim: Claim, words: Mapping[str, str], *, palette: Palette) -> str:
    """Whether the results are as predicted; and the link to the section, which an iframe lacks."""
    sign, title, color = {
        True: ("✓", "held", palette.relative),
        False: ("✗", "not held", palette.absolute),
        None: ("…", "open", palette.soft),
    }[claim.is_held]
    link = f'<a href="#{claim.anchor}" style="color: {palette.accent}">{words["run"]}</a>'
    if frame.is_embedded():
        link = ""
    return (
        '<div style="display: flex; justify-content: space-between; gap: 1ch; '
        f'font-size: var(--type-small); color: {palette.soft}"><span>'
        f'<b aria-hidden="true" style="color: {color}">{sign}</b> '
        f"{words[title]}{escape(claim.aside)}</span>{link}</div>"
    )


def cut(settings: Settings) -> Claim:
    """Cutting changes nothing, or something of order 1."""
    L = settings.segment_length
    record = jobs.known("chop", ChopSettings())
    assert record is not None  # it is stored with the package, which a test holds
    differences = {variant: found["difference"] for variant, found in record.result.items()}
    measured = {
        variant: power_of_ten(values[min(L, len(values)) - 1])
        for variant, values in differences.items()
    }
    return Claim(
        anchor="chop",
        title="chop",
        caption=f"change of the outputs, cut at L = {L}",
        picture=chop_curves(differences, chosen=L, palette=settings.palette, is_small=True),
        rows=(
            Prediction("relative", "rounding", measured["relative"], look="relative"),
            Prediction("absolute", "of order 1", measured["absolute"], look="absolute"),
        ),
        is_held=verdicts.chop_holds(record.result),
    )


def guessed(settings: Settings) -> Claim:
    """The law for the reader's task, and what training reached if it was run."""
    task = training_settings(settings)
    laws = task.best_accuracies
    record = jobs.known("guess", task)
    result = record.result if record else {}
    accuracy = {variant: found["accuracy"] for variant, found in result.items()}
    hardest = min(range(task.segment_length), key=laws["absolute"].__getitem__)
    return Claim(
        anchor="guess",
        title=guess_claim(laws["absolute"][hardest], laws["relative"][hardest]),
        caption=f"share right at position {hardest} (of 0–{task.segment_length - 1})",
        picture=accuracy_bars(
            laws, accuracy, marked=hardest, palette=settings.palette, is_small=True
        ),
        rows=tuple(
            Prediction(
                variant,
                f"{law[hardest]:.2f}",
                f"{accuracy[variant][hardest]:.2f}" if accuracy else "not run yet",
                look=variant,
            )
            for variant, law in laws.items()
        ),
        is_held=verdicts.guess_holds(task, result) if result else None,
    )


def guess_claim(absolute: float, relative: float) -> str:
    """Which claim the law makes for the hardest position, by the best accuracies there.

    >>> guess_claim(0.39, 1.0), guess_claim(1.0, 1.0), guess_claim(0.06, 0.06)
    ('guess', 'guess, known', 'guess, out of sight')
    """
    if absolute < relative:
        return "guess"
    return "guess, known" if relative == 1 else "guess, out of sight"


def on_text(settings: Settings) -> Claim:
    """Held-out bits per character over D, from the model cards."""
    length, curves = held_out_curves(settings.segment_length)
    curves = [replace(one, seeds=()) for one in curves if one.variant in VARIANTS]
    bits = {one.variant: one.bits for one in curves}
    measured = dict.fromkeys(VARIANTS, "not there yet") | {
        variant: f"{values[0]:.2f} → {values[-1]:.2f}" for variant, values in bits.items()
    }
    return Claim(
        anchor="text",
        title="text",
        caption=f"bits per character, L = {length}, D = 0 → 4",
        picture=bits_curves(
            curves, chosen=settings.memory_depth, palette=settings.palette, is_small=True
        ),
        rows=(
            Prediction("relative", "falls", measured["relative"], look="relative"),
            Prediction("absolute", "rises", measured["absolute"], look="absolute"),
        ),
        is_held=verdicts.text_holds(bits) if len(bits) == len(VARIANTS) else None,
        aside="".join(
            ": "
            + prose.section(
                PAGE,
                "text: setback, short",
                variant=variant,
                turn="rises" if variant == "relative" else "falls",
                bits=f"{bits[variant][depth]:.2f}",
                depth=depth,
            )
            for variant, depth in verdicts.setbacks(bits).items()
        ),
    )


def reused(settings: Settings) -> Claim:
    """Time a token, recomputed and reused."""
    record = jobs.known("reuse", ReuseSettings())
    assert record is not None  # it is stored with the package
    result = record.result
    lengths, timing = result["lengths"], result["timing"]
    sliding, memory = from_to(timing["sliding"]), from_to(timing["segment"])
    gain, gain_alone = (verdicts.gains(timing, method) for method in ("segment", "token"))
    rows = (
        Prediction("window", "grows", sliding, look="sliding"),
        Prediction("memory", "hardly", memory, look="relative"),
        Prediction(f"gain, {result['segment']} a call", "grows", from_to(gain, sign="×")),
        Prediction("gain, 1 a call", "grows", from_to(gain_alone, sign="×")),
        Prediction("Δ, 1 layer", "rounding", power_of_ten(result["difference"][0])),
    )
    curves = [TimeCurve(name, name, timing[name]) for name in ("sliding", "segment")]
    return Claim(
        anchor="reuse",
        title="reuse",
        caption=f"ms a token, {lengths[0]} → {lengths[-1]} tokens",
        picture=reuse_curves(lengths, curves, palette=settings.palette, is_small=True),
        rows=rows,
        is_held=verdicts.reuse_holds(result),
    )
