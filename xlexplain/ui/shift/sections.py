"""What stands below the moving cells: why it works, what it saves, whether it is right."""

from __future__ import annotations

import inspect
from textwrap import dedent

import numpy as np
import streamlit as st

from xlexplain.figures.labels import bytes_in_words, four_digits, power_of_ten
from xlexplain.maths import rel_shift_steps
from xlexplain.maths.limits import MEMORY_DEPTHS, SEGMENT_LENGTHS
from xlexplain.maths.shift_cost import shift_view, shift_view_address, written_bytes
from xlexplain.ui import prose
from xlexplain.ui.controls import chosen
from xlexplain.ui.shift.checks import Timing, check, machine_name, time_both
from xlexplain.ui.shift.moving_cells import PAGE, chosen_cell, stage_numbers
from xlexplain.ui.shift.scores import LiveScores


def notice_and_reason(live: LiveScores) -> None:
    """What to notice, and beside it why it works."""
    notice, reason = st.columns(2, gap="large")
    with notice:
        what_to_notice(live)
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
        **stage_numbers(stages),
    )


@st.fragment(parallel=True)
def what_it_saves(live: LiveScores) -> None:
    """Counts and times of both ways; measured beside the page, not before it."""
    prose.show(PAGE, "counts")
    L, S = live.by_distance.shape
    big_L = SEGMENT_LENGTHS[-1]
    big_S = big_L * (1 + MEMORY_DEPTHS[-1])
    now = time_both(segment_length=L, key_count=S)
    big = time_both(segment_length=big_L, key_count=big_S)
    words = timing_words(now, L=L, S=S) | {
        f"big_{name}": word for name, word in timing_words(big, L=big_L, S=big_S).items()
    }
    prose.show(
        PAGE,
        "timing",
        **words,
    )
    prose.show_html(
        PAGE, "timing words", runs=min(now.runs, big.runs), machine=machine_name(), **words
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


def is_it_right(live: LiveScores) -> None:
    """Every visible pair by another route, and the largest difference."""
    prose.show(PAGE, "check")
    checked = check(live.signature, live)
    prose.show(
        PAGE,
        "check words",
        pairs=f"{checked.pairs:,}",
        layer=live.settings.layer + 1,
        head=live.settings.head + 1,
        largest=four_digits(checked.largest),
        moved=power_of_ten(checked.moved, digits=2),
        computed=power_of_ten(checked.computed, digits=2),
    )


def why_it_works() -> None:
    """The address of one score before and after."""
    prose.show(PAGE, "formula")


def in_pytorch(_: LiveScores) -> None:
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


def zero_copy(live: LiveScores) -> None:
    """The zero-copy form, and its address arithmetic for the query and key."""
    query, key = chosen_cell(live)
    L, S = live.by_distance.shape
    prose.show(PAGE, "zero-copy")
    code, arithmetic = st.columns(2, gap="large")
    with code:
        view = shift_view(live.by_distance)
        st.code(zero_copy_code(view.strides, L=L, S=S, itemsize=view.itemsize), language="python")
        left, right = st.columns(2)
        if L > 1:
            left.select_slider("Query", range(L), key="query", on_change=chosen("query"))
        if S > 1:
            right.selectbox("Key", range(S), key="key", on_change=chosen("key"))
    with arithmetic:
        words = address_words(live, query=query, key=key)
        prose.show(PAGE, "zero-copy cell", **words)
        is_left_over = key > query + live.memory_present
        prose.show(PAGE, "zero-copy left-over" if is_left_over else "zero-copy valid", **words)


def zero_copy_code(strides: tuple[int, ...], *, L: int, S: int, itemsize: int) -> str:
    """The zero-copy form for these lengths, with the strides that NumPy reports."""
    start = shift_view_address(query=0, key=0, segment_length=L, key_count=S)
    return (
        f"flat = x.ravel()[L - 1:]  # from number {start} on\n"
        "x = as_strided(\n"
        f"    flat,\n    shape=(L, S),  # ({L}, {S})\n"
        f"    strides=((S - 1) * {itemsize}, {itemsize}),  # {tuple(strides)} bytes\n)"
    )


def address_words(live: LiveScores, *, query: int, key: int) -> dict[str, object]:
    """Every number of the address arithmetic."""
    L, S = live.by_distance.shape
    itemsize = live.by_distance.itemsize
    start = shift_view_address(query=0, key=0, segment_length=L, key_count=S)
    place = shift_view_address(query=query, key=key, segment_length=L, key_count=S)
    row, column = divmod(place, S)
    return {
        "query": query,
        "key": key,
        "start": start,
        "stride": S - 1,
        "address": place,
        "itemsize": itemsize,
        "start_bytes": start * itemsize,
        "stride_bytes": (S - 1) * itemsize,
        "address_bytes": place * itemsize,
        "row": row,
        "column": column,
        "S": S,
        "M": S - L,
        "farthest": S - 1,
        "distance": S - 1 - column,
        "ahead": key - query - (S - L),
        "direct": four_digits(float(check(live.signature, live).direct[query, key])),
        "value": four_digits(float(shift_view(live.by_distance)[query, key])),
    }
