"""The four cards of the first screen, from what is known for the reader's settings."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from xlexplain.experiments import verdicts
from xlexplain.experiments.chop import ChopSettings
from xlexplain.experiments.guess import GuessSettings
from xlexplain.experiments.real_text import CardTable, card_table
from xlexplain.experiments.reuse import ReuseSettings
from xlexplain.figures import proof_minis as minis
from xlexplain.figures.labels import power_of_ten
from xlexplain.figures.proof_glance import Card, Row, glance
from xlexplain.figures.theme import Palette
from xlexplain.ui import frame, jobs, prose
from xlexplain.ui.proof.choices import Task

PAGE = "proof"


def show_glance(task: Task, *, palette: Palette) -> None:
    """All four."""
    words = prose.group(PAGE, "card")
    if frame.is_embedded():
        words["run"] = ""  # the sections that the links go to are not there
    cards = (
        chop_card(task, words, palette),
        guess_card(task, words, palette),
        text_card(task, words, palette),
        reuse_card(words, palette),
    )
    st.html(glance(cards, palette=palette))


def verdict(words: dict[str, str], *, is_held: bool | None) -> str:
    """In words."""
    return words[{True: "held", False: "not held", None: "open"}[is_held]]


def chop_card(task: Task, words: dict[str, str], palette: Palette) -> Card:
    """Cutting changes nothing, or something of order 1."""
    record = jobs.known("chop", ChopSettings())
    axis = "segment length L"
    if record is None:
        picture = minis.empty(axis, palette=palette, words=words["none"])
        measured = dict.fromkeys(("relative", "absolute"), "–")
        is_held = None
    else:
        result = record.result
        lengths = result["relative"]["lengths"]
        differences = {variant: found["difference"] for variant, found in result.items()}
        picture = minis.chop(lengths, **differences, chosen=task.segment_length, palette=palette)
        place = min(task.segment_length, len(lengths)) - 1
        measured = {name: power_of_ten(one[place]) for name, one in differences.items()}
        is_held = verdicts.chop_holds(result)
    return Card(
        anchor="chop",
        claim=words["chop"],
        setting=f"change of the outputs, cut at L = {task.segment_length}",
        picture=picture,
        alt=f"Log axis over L: relative {measured['relative']}, absolute {measured['absolute']}.",
        rows=(
            Row("relative", "relative", "rounding", measured["relative"]),
            Row("absolute", "absolute", "of order 1", measured["absolute"]),
        ),
        is_held=is_held,
        verdict=verdict(words, is_held=is_held),
        invitation=words["run"],
    )


def guess_card(task: Task, words: dict[str, str], palette: Palette) -> Card:
    """The law for the reader's task, and what training reached if it was run."""
    settings = GuessSettings(
        segment_length=task.segment_length,
        memory_depth=task.memory_depth,
        back=task.back,
        symbol_count=task.symbol_count,
    )
    laws = {
        variant: [float(step.accuracy) for step in settings.law(variant)]
        for variant in settings.variants
    }
    record = jobs.known("guess", settings)
    result = record.result if record else None
    accuracy = {variant: result[variant]["accuracy"] if result else [] for variant in laws}
    hardest = min(range(len(laws["absolute"])), key=laws["absolute"].__getitem__)
    is_held = verdicts.guess_holds(settings, result) if result else None
    rows = tuple(
        Row(
            variant,
            variant,
            f"{law[hardest]:.2f}",
            f"{accuracy[variant][hardest]:.2f}" if accuracy[variant] else "not run yet",
        )
        for variant, law in laws.items()
    )
    return Card(
        anchor="guess",
        claim=words[guess_claim(laws["absolute"][hardest], laws["relative"][hardest])],
        setting=f"share right at position {hardest} (of 0–{task.segment_length - 1})",
        picture=minis.guess(laws["absolute"], **accuracy, marked=hardest, palette=palette),
        alt=(
            f"Accuracy by position: absolute is predicted to reach {min(laws['absolute']):.3f} to "
            f"{max(laws['absolute']):.3f}, relative {min(laws['relative']):.3f}."
        ),
        rows=rows,
        is_held=is_held,
        verdict=verdict(words, is_held=is_held),
        invitation=words["run"],
    )


def guess_claim(absolute: float, relative: float) -> str:
    """Which claim the law makes for the hardest position, by the best accuracies there.

    >>> guess_claim(0.39, 1.0), guess_claim(1.0, 1.0), guess_claim(0.06, 0.06)
    ('guess', 'guess, known', 'guess, out of sight')
    """
    if absolute < relative:
        return "guess"
    return "guess, known" if relative == 1 else "guess, out of sight"


def nearest_length(table: CardTable, segment_length: int) -> int | None:
    """The measured segment length closest to the reader's; None if nothing is measured."""
    lengths = sorted({length for lengths in table.values() for length in lengths})
    return min(lengths, key=lambda one: abs(one - segment_length)) if lengths else None


def text_card(task: Task, words: dict[str, str], palette: Palette) -> Card:
    """Held-out bits per character over D, from the model cards."""
    table = card_table()
    length = nearest_length(table, task.segment_length)
    curves: dict[str, list[float]] = {}
    for variant in ("relative", "absolute"):
        depths = table.get(variant, {}).get(length or 0, {})
        curves[variant] = [depths[depth].mean for depth in sorted(depths)]
    is_held = (
        verdicts.text_holds(curves["relative"], curves["absolute"])
        if all(curves.values())
        else None
    )
    axis = "memory depth D"
    picture = (
        minis.bits(
            range(max(map(len, curves.values()))),
            **curves,
            chosen=task.memory_depth,
            palette=palette,
        )
        if any(curves.values())
        else minis.empty(axis, palette=palette, words=words["none"])
    )
    measured = {
        variant: f"{bits[0]:.2f} → {bits[-1]:.2f}" if bits else "not there yet"
        for variant, bits in curves.items()
    }
    every = (
        f"{variant} {', '.join(f'{one:.2f}' for one in bits) or measured[variant]}"
        for variant, bits in curves.items()
    )
    return Card(
        anchor="text",
        claim=words["text"],
        setting=f"bits per character, L = {length or task.segment_length}, D = 0 → 4",
        picture=picture,
        alt=f"Over D: {'; '.join(every)}.",
        rows=(
            Row("relative", "relative", "falls", measured["relative"]),
            Row("absolute", "absolute", "rises", measured["absolute"]),
        ),
        is_held=is_held,
        verdict=verdict(words, is_held=is_held) + setback_words(curves),
        invitation=words["run"],
    )


def setback_words(curves: dict[str, list[float]]) -> str:
    """Which segment of memory does the opposite of what was predicted; "" if none does."""
    for variant, bits in curves.items():
        depth = verdicts.setback(bits, is_falling=variant == "relative")
        if depth is not None:
            return ": " + prose.section(
                PAGE,
                "text: setback, short",
                variant=variant,
                turn="rises" if variant == "relative" else "falls",
                bits=f"{bits[depth]:.2f}",
                depth=depth,
            )
    return ""


def reuse_card(words: dict[str, str], palette: Palette) -> Card:
    """Time a token, recomputed and reused."""
    record = jobs.known("reuse", ReuseSettings())
    if record is None:
        picture = minis.empty("attention length", palette=palette, words=words["none"])
        rows = (Row("gain", "gain", "grows", "–"),)
        return Card(
            "reuse", words["reuse"], "", picture, "", rows, None, words["open"], words["run"]
        )
    result = record.result
    lengths, timing = result["lengths"], result["timing"]
    gain, gain_alone = (verdicts.gains(timing, method) for method in ("segment", "token"))
    sliding, reused = from_to(timing["sliding"]), from_to(timing["segment"])
    is_held = verdicts.reuse_holds(result)
    return Card(
        anchor="reuse",
        claim=words["reuse"],
        setting=f"ms a token, {lengths[0]} → {lengths[-1]} tokens",
        picture=minis.reuse(
            lengths, sliding=timing["sliding"], reused=timing["segment"], palette=palette
        ),
        alt=f"Log axes, milliseconds a token: window {sliding}, memory {reused}.",
        rows=(
            Row("sliding", "window", "grows", sliding),
            Row("reused", "memory", "hardly", reused),
            Row("gain", f"gain, {result['segment']} a call", "grows", from_to(gain, sign="×")),
            Row("gain", "gain, 1 a call", "grows", from_to(gain_alone, sign="×")),
            Row("same", "Δ, 1 layer", "rounding", power_of_ten(result["difference"][0])),
        ),
        is_held=is_held,
        verdict=verdict(words, is_held=is_held),
        invitation=words["run"],
    )


def from_to(values: Sequence[float], *, sign: str = "") -> str:
    """The first and the last of a row of numbers: whole, to two digits below 10, one below 0.1.

    >>> from_to([2.1757, 53.3958])
    '2.2 → 53'
    """
    first, last = (
        f"{value:.0f}" if value >= 9.95 else f"{value:.{2 if value >= 0.095 else 1}g}"
        for value in (values[0], values[-1])
    )
    return f"{sign}{first} → {sign}{last}"
