"""Experiment 4: a sliding window recomputed for every token, against memory."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from xlexplain.experiments import verdicts
from xlexplain.experiments.reuse import LENGTHS, ReuseSettings
from xlexplain.figures.labels import power_of_ten
from xlexplain.figures.proof_curves import TimeCurve, layer_differences, reuse_curves
from xlexplain.ui import controls, prose
from xlexplain.ui.controls import Range
from xlexplain.ui.jobs import Found
from xlexplain.ui.proof import runs
from xlexplain.ui.settings import Settings

PAGE = "proof"
REPEATS = Range("Repeats", "repeats", 1, 20, ReuseSettings().repeats)
NAMES = {
    "sliding": "sliding window, recomputed",
    "token": "memory, token by token",
    "segment": "memory, 64 tokens a call",
}


def show(settings: Settings) -> None:
    """Controls, times, and whether it is the same function."""
    runs.show("reuse", choose(), draw=partial(draw, settings=settings))
    prose.show(PAGE, "reuse: paper")


def choose() -> ReuseSettings:
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


def draw(found: Found, *, settings: Settings) -> None:
    """Both figures, as far as the run is."""
    result = found.result or {}
    times, functions = st.columns([3, 2])
    if result.get("lengths"):
        ends = (f"{name} {result['timing'][method][-1]:.3f}" for method, name in NAMES.items())
        runs.show_figure(
            reuse_curves(result["lengths"], curves(result), palette=settings.palette),
            key="reuse_times",
            numbers=f"There, milliseconds a token: {', '.join(ends)}",
            place=times,
        )
    if result.get("layers"):
        differences = ", ".join(map(power_of_ten, result["difference"]))
        runs.show_figure(
            layer_differences(result["layers"], result["difference"], palette=settings.palette),
            key="reuse_functions",
            numbers=f"With 1, 2, … layers: {differences}",
            place=functions,
        )
    if found.record is not None:
        notice(found.record.result)


def curves(result: dict[str, Any]) -> list[TimeCurve]:
    """One a method, with its slope once enough lengths are measured."""
    lengths = result["lengths"]
    is_long = sum(length >= 128 for length in lengths) >= 2
    return [
        TimeCurve(
            name=name,
            method=method,
            milliseconds=result["timing"][method],
            slope=verdicts.slope(lengths, result["timing"][method]) if is_long else None,
        )
        for method, name in NAMES.items()
        if len(result["timing"][method]) == len(lengths)
    ]


def notice(result: dict[str, Any]) -> None:
    """Gains at every length, and what they are not."""
    segment, token = (verdicts.gains(result["timing"], method) for method in ("segment", "token"))
    rows = "\n".join(
        f"| {length} | {result['timing']['sliding'][place]:.2f} "
        f"| {result['timing']['token'][place]:.2f} | {token[place]:.1f} "
        f"| {result['timing']['segment'][place]:.3f} | {segment[place]:.0f} |"
        for place, length in enumerate(result["lengths"])
    )
    st.markdown(prose.section(PAGE, "reuse: table") + "\n" + rows)
    prose.show(
        PAGE,
        "reuse: notice",
        shortest=result["lengths"][0],
        least=f"{segment[0]:.0f}",
        most=f"{segment[-1]:.0f}",
        least_alone=f"{token[0]:.1f}",
        most_alone=f"{token[-1]:.0f}",
        call=result["segment"],
        longest=result["lengths"][-1],
        one=power_of_ten(result["difference"][0]),
        many=power_of_ten(result["difference"][-1]),
        layers=result["layers"][-1],
        scale=power_of_ten(result["largest_output"][-1]),
    )
