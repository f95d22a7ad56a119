"""Experiment 1: cut the same text at every length."""

from __future__ import annotations

from functools import partial

import streamlit as st

from xlexplain.figures.labels import power_of_ten
from xlexplain.figures.proof_curves import chop_curves
from xlexplain.ui import frame, prose
from xlexplain.ui.jobs import Found
from xlexplain.ui.proof import choices
from xlexplain.ui.proof.bench import PAGE, bench, show_figure


def show(text: str, *, segment_length: int) -> None:
    """Controls, figure, and what to notice."""
    if len(text) < 2:
        prose.show(PAGE, "chop: too short")
        return
    settings = choices.chop_settings(text)
    draw_here = partial(draw, segment_length=segment_length, character_count=len(settings.text))
    bench("chop", settings, draw=draw_here)


def draw(found: Found, *, segment_length: int, character_count: int) -> None:
    """The figure, as far as the run is."""
    differences = {variant: one["difference"] for variant, one in (found.result or {}).items()}
    largest = {variant: max(values) for variant, values in differences.items() if values}
    if len(largest) == 2:
        finding = (
            f"However it is cut: relative outputs move by {power_of_ten(largest['relative'])} "
            f"at most, absolute ones by {power_of_ten(largest['absolute'])}"
        )
    else:
        finding = "Predicted: relative outputs stay, absolute ones move"
    figure = chop_curves(differences, chosen=segment_length, palette=frame.palette())
    show_figure(st.container(), figure, finding=finding, key="chop_curves", alt=alt(differences))
    if len(largest) == 2:
        prose.show(
            PAGE,
            "chop: notice",
            relative=power_of_ten(largest["relative"]),
            absolute=power_of_ten(largest["absolute"]),
            characters=character_count,
            scale=power_of_ten((found.result or {})["relative"]["largest_output"]),
        )


def alt(differences: dict[str, list[float]]) -> str:
    """The figure's numbers in words."""
    numbers = "; ".join(
        f"{variant} at L = 1, 2, …: {', '.join(map(power_of_ten, values))}"
        for variant, values in differences.items()
    )
    return f"{numbers or 'No result yet'}."
