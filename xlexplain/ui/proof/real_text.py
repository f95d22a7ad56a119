"""Experiment 3: bits per character on real text, the cards' and the reader's own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from xlexplain.experiments import verdicts
from xlexplain.experiments.real_text import LONGEST_TEXT, MODELS, TextSettings, card, card_table
from xlexplain.figures.proof_curves import BitsCurve, bits_curves
from xlexplain.maths.words import counted
from xlexplain.ui import prose, texts
from xlexplain.ui.jobs import Found
from xlexplain.ui.proof import runs
from xlexplain.ui.settings import Settings

PAGE = "proof"


MOST_TEXT = LONGEST_TEXT


def show(settings: Settings) -> None:
    """Held-out figures, the paper's beside them, the reader's own text."""
    show_held_out(settings)
    st.subheader(prose.section(PAGE, "paper title"), anchor="paper-text")
    prose.show(PAGE, "text: paper")
    st.subheader(prose.section(PAGE, "text: own title"), anchor="own-text")
    if len(settings.text) < 2:
        prose.show(PAGE, "text: too short")
        return
    has_unknown = notice_unknown(settings.text)
    runs.show(
        "text",
        TextSettings(text=settings.text, segment_length=settings.segment_length),
        draw=partial(draw, settings=settings, has_unknown=has_unknown),
    )


def notice_unknown(text: str) -> bool:
    """Name the characters that no shipped model knows; whether there are any."""
    known = card("relative")["characters"]
    unknown = tuple(dict.fromkeys(char for char in text if char not in known))
    texts.notice_unknown(unknown, vocab_size=len(known))
    return bool(unknown)


def held_out_curves(segment_length: int) -> tuple[int, list[BitsCurve]]:
    """What the model cards hold, at the measured length closest to the reader's."""
    table = card_table()
    lengths = sorted({length for by_length in table.values() for length in by_length})
    length = min(lengths, key=lambda one: abs(one - segment_length), default=segment_length)
    known = {variant: table.get(variant, {}).get(length) for variant in MODELS}
    return length, [
        BitsCurve(
            variant=variant,
            depths=sorted(depths),
            bits=[depths[depth].mean for depth in sorted(depths)],
            seeds=[depths[depth].seeds for depth in sorted(depths)],
        )
        for variant, depths in known.items()
        if depths
    ]


def show_held_out(settings: Settings) -> None:
    """What the model cards hold, or that they do not hold it yet."""
    length, curves = held_out_curves(settings.segment_length)
    if curves:
        draw_bits(curves, "On text that none of them has seen", settings, key="held_out")
        notice_setbacks(curves, length=length)
        is_own = length == settings.segment_length
        prose.show(
            PAGE,
            "text: held out" if is_own else "text: held out, nearest",
            length=length,
            chosen=settings.segment_length,
        )
        seeds = max((len(one) for curve in curves for one in curve.seeds), default=1)
        if seeds > 1:
            prose.show(PAGE, "text: spread", seeds=seeds)
    missing = [variant for variant in MODELS if variant not in {one.variant for one in curves}]
    if missing:
        prose.show(PAGE, "text: missing", missing=", ".join(missing))


def notice_setbacks(curves: Sequence[BitsCurve], *, length: int) -> None:
    """Where a segment more of memory does the opposite of what was predicted."""
    bits = {curve.variant: curve.bits for curve in curves}
    for variant, depth in verdicts.setbacks(bits).items():
        prose.show(
            PAGE,
            "text: setback",
            variant=variant,
            turn="rises" if variant == "relative" else "falls",
            before=f"{bits[variant][depth - 1]:.2f}",
            after=f"{bits[variant][depth]:.2f}",
            depth=depth,
            less=depth - 1,
        )
        if variant == "absolute" and depth == 1:
            prose.show(PAGE, "text: setback, why", length=length)


def draw(found: Found, *, settings: Settings, has_unknown: bool) -> None:
    """The reader's text, as far as the run is."""
    curves = [
        BitsCurve(variant=variant, depths=one["depths"], bits=one["bits"])
        for variant, one in (found.result or {}).items()
        if one["bits"]
    ]
    if not curves:
        return
    count = len(settings.text)
    start = f"Your {counted(f'{count:,}', 'character')}, at L = {settings.segment_length}"
    draw_bits(curves, start, settings, key="own_bits")
    if has_unknown:
        prose.show(PAGE, "text: unknown")
    if found.record is not None:
        prose.show(PAGE, "text: own notice", characters=f"{count - 1:,}")


def draw_bits(curves: Sequence[BitsCurve], start: str, settings: Settings, *, key: str) -> None:
    """Bits over memory depth; the finding begins as told."""
    numbers = (f"{one.variant} {', '.join(f'{bits:.3f}' for bits in one.bits)}" for one in curves)
    runs.show_figure(
        bits_curves(
            curves,
            chosen=settings.memory_depth,
            title=text_finding(curves, start),
            palette=settings.palette,
        ),
        key=key,
        numbers=f"Bits per character at D = 0, 1, …: {'; '.join(numbers)}",
    )


def text_finding(curves: Sequence[BitsCurve], start: str) -> str:
    """What memory changes for the two variants that were trained with it."""
    bits = {one.variant: one.bits for one in curves if one.variant in ("relative", "absolute")}
    deepest = min((len(one) - 1 for one in bits.values()), default=0)
    if deepest == 0:
        return start
    setbacks = verdicts.setbacks(bits)
    changes = []
    for variant, values in bits.items():
        change = f"{variant} goes from {values[0]:.2f} to {values[deepest]:.2f} bits"
        if variant in setbacks:
            change += f" ({values[setbacks[variant]]:.2f} at D = {setbacks[variant]})"
        changes.append(change)
    return f"{start}: from no memory to {counted(deepest, 'segment')}, {', '.join(changes)}"
