"""Experiment 4: a sliding window recomputed for every token, against memory."""

from __future__ import annotations

from typing import Any

import streamlit as st

from xlexplain.experiments import verdicts
from xlexplain.figures.labels import power_of_ten
from xlexplain.figures.proof_curves import TimeCurve, layer_differences, reuse_curves
from xlexplain.ui import frame, prose
from xlexplain.ui.jobs import Found
from xlexplain.ui.proof import choices
from xlexplain.ui.proof.bench import PAGE, bench, show_figure

NAMES = {
    "sliding": "sliding window, recomputed",
    "token": "memory, token by token",
    "segment": "memory, 64 tokens a call",
}


def show() -> None:
    """Controls, times, and whether it is the same function."""
    bench("reuse", choices.reuse_settings(), draw=draw)
    prose.show(PAGE, "reuse: paper")


def draw(found: Found) -> None:
    """Both figures, as far as the run is."""
    result = found.result or {}
    times, functions = st.columns([3, 2])
    lengths = result.get("lengths") or []
    if lengths:
        finding = times_finding(result)
        figure = reuse_curves(lengths, curves(result), palette=frame.palette())
        show_figure(times, figure, finding=finding, key="reuse_times", alt=alt(result))
    if result.get("layers"):
        figure = layer_differences(result["layers"], result["difference"], palette=frame.palette())
        show_figure(
            functions,
            figure,
            finding="Not the same function beyond one layer",
            key="reuse_functions",
            alt="With 1, 2, … layers: " + ", ".join(map(power_of_ten, result["difference"])) + ".",
        )
    if found.record is not None:
        notice(found.record.result)


def curves(result: dict[str, Any]) -> list[TimeCurve]:
    """One a method, with its slope once enough lengths are measured."""
    lengths = result["lengths"]
    long_enough = sum(length >= 128 for length in lengths) >= 2
    return [
        TimeCurve(
            name=name,
            method=method,
            milliseconds=result["timing"][method],
            slope=verdicts.slope(lengths, result["timing"][method]) if long_enough else None,
        )
        for method, name in NAMES.items()
        if len(result["timing"][method]) == len(lengths)
    ]


def times_finding(result: dict[str, Any]) -> str:
    """The finding, at the longest attention so far."""
    gain = verdicts.gains(result["timing"], "segment")[-1]
    alone = verdicts.gains(result["timing"], "token")[-1]
    return (
        f"At {result['lengths'][-1]} tokens reuse is {gain:.0f} times faster, "
        f"{alone:.0f} times when writing token by token"
    )


def notice(result: dict[str, Any]) -> None:
    """Gains at every length, and what they are not."""
    segment = verdicts.gains(result["timing"], "segment")
    token = verdicts.gains(result["timing"], "token")
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


def alt(result: dict[str, Any]) -> str:
    """The figure's numbers in words."""
    numbers = "; ".join(
        f"{name}: " + ", ".join(f"{value:.3f}" for value in result["timing"][method])
        for method, name in NAMES.items()
    )
    lengths = ", ".join(map(str, result["lengths"]))
    return f"Milliseconds a token at {lengths} tokens: {numbers}."
