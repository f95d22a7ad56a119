"""What stands below the moving cells: why it works, what it saves, whether it is right."""

from __future__ import annotations

import inspect
from textwrap import dedent

import numpy as np
import streamlit as st

from xlexplain.figures.labels import power_of_ten
from xlexplain.maths import rel_shift_steps
from xlexplain.maths.shift_cost import written_bytes
from xlexplain.ui import controls, prose
from xlexplain.ui.shift.checks import Timing, check, machine_name, time_both
from xlexplain.ui.shift.explorer import Explored
from xlexplain.ui.shift.payload import (
    PAGE,
    bytes_in_words,
    number_in_words,
    stage_words,
)
from xlexplain.ui.shift.scores import LiveScores


def notice_and_reason(explored: Explored) -> None:
    """What to notice, and beside it why it works."""
    notice, reason = st.columns(2, gap="large")
    with notice:
        what_to_notice(explored.live)
    with reason:
        why_it_works()


def what_to_notice(live: LiveScores) -> None:
    """Three things that the animation shows, with this setting's numbers."""
    stages = rel_shift_steps(live.by_distance)
    written = written_bytes(stages)
    prose.show(
        PAGE,
        "what to notice",
        pad_bytes=bytes_in_words(written[1]),
        mask_bytes=bytes_in_words(written[-1]),
        **stage_words(live, stages),
    )


@st.fragment(parallel=True)
def what_it_saves(explored: Explored) -> None:
    """Counts and times of both ways; measured beside the page, not before it."""
    prose.show(PAGE, "counts")
    L, S = explored.live.by_distance.shape
    big_L = controls.SEGMENT_LENGTH.most
    big_S = big_L * (1 + controls.MEMORY_DEPTH.most)
    now = time_both(segment_length=L, key_count=S)
    big = time_both(segment_length=big_L, key_count=big_S)
    prose.show(
        PAGE,
        "timing",
        runs=min(now.runs, big.runs),
        machine=prose.literal(machine_name()),
        **timing_words(now, L=L, S=S),
        **{f"big_{name}": word for name, word in timing_words(big, L=big_L, S=big_S).items()},
    )
    if st.button("Time both again", key="time again"):
        time_both.clear(segment_length=L, key_count=S)
        st.rerun(scope="fragment")


def timing_words(timing: Timing, *, L: int, S: int) -> dict[str, object]:
    """One row of the table: counts, times, their ratios, and what is copied."""
    ratio = timing.by_pair / timing.by_shift
    return {
        "L": L,
        "S": S,
        "pairs": f"{L * S:,}",
        "naive": microseconds(timing.by_pair),
        "shift": microseconds(timing.by_shift),
        "ratio": f"{ratio:.1f}× faster" if ratio > 1 else f"{1 / ratio:.1f}× slower",
        "gathered": bytes_in_words(timing.gathered),
        "padded": bytes_in_words(timing.padded),
    }


def is_it_right(explored: Explored) -> None:
    """Every visible pair by another route, and the largest difference."""
    prose.show(PAGE, "check")
    live = explored.live
    checked = check(live.signature, live)
    prose.show(
        PAGE,
        "check words",
        pairs=f"{checked.pairs:,}",
        layer=live.layer + 1,
        head=live.head + 1,
        largest=number_in_words(checked.largest),
        moved=power_of_ten(checked.moved, digits=2),
        computed=power_of_ten(checked.computed, digits=2),
    )


def why_it_works() -> None:
    """The address of one score before and after."""
    prose.show(PAGE, "formula")


def in_pytorch(_: Explored) -> None:
    """The shift as the model runs it: recorded for this page, and where nobody asks for weights."""
    from xlexplain.model.transformer_xl import Attention, shift_padded

    prose.show(PAGE, "code in PyTorch")
    st.code(inspect.getsource(shift_padded), language="python")
    prose.show(PAGE, "code in PyTorch without a copy")
    st.code(dedent(inspect.getsource(Attention._position_bias)), language="python")


def microseconds(seconds: float) -> str:
    """A duration for a reader.

    >>> microseconds(0.0000314), microseconds(0.0123)
    ('31 µs', '12.3 ms')
    """
    return f"{seconds * 1e6:.0f} µs" if seconds < 1e-3 else f"{np.round(seconds * 1e3, 1)} ms"
