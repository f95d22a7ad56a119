"""Experiment 3: bits per character on real text, the cards' and the reader's own."""

from __future__ import annotations

from functools import partial

import streamlit as st

from xlexplain.experiments import verdicts
from xlexplain.experiments.real_text import MODELS, card_table
from xlexplain.figures.proof_curves import BitsCurve, bits_curves
from xlexplain.ui import frame, prose
from xlexplain.ui.jobs import Found
from xlexplain.ui.proof import choices
from xlexplain.ui.proof.bench import PAGE, bench, show_figure
from xlexplain.ui.proof.glance import nearest_length


def show(text: str, *, segment_length: int, memory_depth: int) -> None:
    """Held-out figures, the paper's beside them, the reader's own text."""
    held_out(segment_length=segment_length, memory_depth=memory_depth)
    st.subheader(prose.section(PAGE, "paper title"), anchor="paper-text")
    prose.show(PAGE, "text: paper")
    st.subheader(prose.section(PAGE, "text: own title"), anchor="own-text")
    settings = choices.text_settings(text, segment_length=segment_length)
    if settings is None:
        prose.show(PAGE, "text: too short")
        return
    has_unknown = choices.notice_unknown(text)
    draw_here = partial(
        draw,
        character_count=len(text),
        has_unknown=has_unknown,
        segment_length=segment_length,
        memory_depth=memory_depth,
    )
    bench("text", settings, draw=draw_here)


def held_out(*, segment_length: int, memory_depth: int) -> None:
    """What the model cards hold, or that they do not hold it yet."""
    table = card_table()
    length = nearest_length(table, segment_length)
    curves = []
    for variant in MODELS:
        depths = table.get(variant, {}).get(length or 0, {})
        if depths:
            curves.append(
                BitsCurve(
                    variant=variant,
                    depths=sorted(depths),
                    bits=[depths[depth].mean for depth in sorted(depths)],
                    seeds=[depths[depth].seeds for depth in sorted(depths)],
                )
            )
    missing = [variant for variant in MODELS if variant not in {one.variant for one in curves}]
    if curves and length is not None:
        finding = text_finding(curves, "On text that none of them has seen")
        figure = bits_curves(curves, chosen=memory_depth, palette=frame.palette())
        show_figure(st.container(), figure, finding=finding, key="held_out", alt=alt(curves))
        seeds = max((len(one) for curve in curves for one in curve.seeds), default=1)
        notice_setback(curves, length=length)
        if length == segment_length:
            prose.show(PAGE, "text: held out", length=length)
        else:
            prose.show(PAGE, "text: held out, nearest", length=length, chosen=segment_length)
        if seeds > 1:
            prose.show(PAGE, "text: spread", seeds=seeds)
    if missing:
        prose.show(PAGE, "text: missing", missing=", ".join(missing))


def notice_setback(curves: list[BitsCurve], *, length: int) -> None:
    """Where a segment more of memory does the opposite of what was predicted."""
    for curve in curves:
        if curve.variant not in ("relative", "absolute"):
            continue
        is_falling = curve.variant == "relative"
        depth = verdicts.setback(curve.bits, is_falling=is_falling)
        if depth is None:
            continue
        prose.show(
            PAGE,
            "text: setback",
            variant=curve.variant,
            turn="rises" if is_falling else "falls",
            before=f"{curve.bits[depth - 1]:.2f}",
            after=f"{curve.bits[depth]:.2f}",
            depth=depth,
            less=depth - 1,
        )
        if not is_falling and depth == 1:
            prose.show(PAGE, "text: setback, why", length=length)


def draw(
    found: Found,
    *,
    character_count: int,
    has_unknown: bool,
    segment_length: int,
    memory_depth: int,
) -> None:
    """The reader's text, as far as the run is."""
    curves = [
        BitsCurve(variant=variant, depths=one["depths"], bits=one["bits"])
        for variant, one in (found.result or {}).items()
        if one["bits"]
    ]
    if not curves:
        return
    finding = text_finding(curves, f"Your {character_count:,} characters, at L = {segment_length}")
    figure = bits_curves(curves, chosen=memory_depth, palette=frame.palette())
    show_figure(st.container(), figure, finding=finding, key="own_bits", alt=alt(curves))
    if has_unknown:
        prose.show(PAGE, "text: unknown")
    if found.record is not None:
        prose.show(PAGE, "text: own notice", characters=f"{character_count - 1:,}")


def text_finding(curves: list[BitsCurve], start: str) -> str:
    """What memory changes for the two variants that were trained with it."""
    trained = [one for one in curves if not one.variant.endswith("-no-memory")]
    deepest = min((one.depths[-1] for one in trained), default=0)
    if deepest == 0:
        return start
    changes = [
        f"{one.variant} goes from {one.bits[0]:.2f} to {one.bits[deepest]:.2f} bits{aside(one)}"
        for one in trained
    ]
    segments = "1 segment" if deepest == 1 else f"{deepest} segments"
    return f"{start}: from no memory to {segments}, {', '.join(changes)}"


def aside(curve: BitsCurve) -> str:
    """What the two ends of a curve do not tell: that it went the other way on its way."""
    depth = verdicts.setback(curve.bits, is_falling=curve.variant == "relative")
    return "" if depth is None else f" ({curve.bits[depth]:.2f} at D = {curve.depths[depth]})"


def alt(curves: list[BitsCurve]) -> str:
    """The figure's numbers in words."""
    numbers = "; ".join(
        f"{curve.variant} {', '.join(f'{bits:.3f}' for bits in curve.bits)}" for curve in curves
    )
    return f"Bits per character at D = 0, 1, …: {numbers}."
