"""The controls that several pages share: each widget and its name in the URL in one place.

A value lives in its widget, whose key is its name in the URL (see `address`). What the URL held and
a widget can't take is said in one line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from xlexplain.maths.limits import HEADS, LAYERS, MEMORY_DEPTHS, SEGMENT_LENGTHS
from xlexplain.ui import address, frame, prose

T = TypeVar("T")
LINK = '<a class="xl-out" href="." target="_blank" rel="noopener">Open in a new tab ↗</a>'


@dataclass(frozen=True)
class Range:
    """A whole-number slider: label, name in the URL, limits and default, all inclusive."""

    label: str
    name: str
    least: int
    most: int
    default: int


SEGMENT_LENGTH = Range("Segment length", "seg", SEGMENT_LENGTHS[0], SEGMENT_LENGTHS[-1], 8)
MEMORY_DEPTH = Range("Memory depth", "mem", MEMORY_DEPTHS[0], MEMORY_DEPTHS[-1], 1)
LAYER = Range("Layer", "layer", 1, LAYERS, LAYERS)
HEAD = Range("Head", "head", 1, HEADS, HEADS)


def segment_and_memory() -> tuple[int, int, DeltaGenerator]:
    """The two controls that everything follows.

    Returns: L in tokens, D in segments, and the row they stand in, for a page's own controls.
    """
    row = st.container(key="controls", horizontal=True)
    with row:
        reset_or_link()
        segment_length = bound_slider(
            SEGMENT_LENGTH, help="L: how many tokens the model reads at once."
        )
        memory_depth = bound_slider(
            MEMORY_DEPTH, help="D: how many earlier segments it keeps. 0 = no memory."
        )
    return segment_length, memory_depth, row


def reset_or_link() -> None:
    """Reset, or in somebody's iframe the link to the whole page."""
    if frame.is_embedded():
        st.container(key="out", width="content").html(LINK)
    else:
        st.button("Reset", key="reset", type="tertiary", on_click=address.reset)


def chosen(name: str) -> Callable[[], None]:
    """What a widget calls when the reader has chosen; its key is its name in the URL."""
    return partial(address.forget_bad_value, name)


def bound_slider(limits: Range, *, help: str | None = None) -> int:
    """A slider whose value is in the URL.

    A value from the URL that is not within the limits falls back, with a notice that stays until
    the reader moves the slider.
    """
    load_number(limits)
    value = st.slider(
        limits.label,
        limits.least,
        limits.most,
        st.session_state[limits.name],
        key=limits.name,
        help=help,
        on_change=chosen(limits.name),
    )
    return save_number(limits, value)


def bounded_slider(
    label: str, name: str, *, most: int, default: int, least: int = 0, help: str | None = None
) -> int:
    """A slider whose upper limit depends on other controls; its value is in the URL.

    When the limit falls below the chosen value, the value becomes the limit. With only one
    possible value nothing is shown. It is a select slider because Streamlit takes a plain one for
    another widget when its limits change.
    """
    if most <= least:
        return least
    limits = Range(label, name, least, most, max(least, min(default, most)))
    load_number(limits)
    value = st.select_slider(
        label,
        range(least, most + 1),
        value=st.session_state[name],  # also what a value that is no longer possible turns into
        key=name,
        help=help,
        on_change=chosen(name),
    )
    return save_number(limits, value)


def bound_choice(limits: Range, *, help: str | None = None) -> int:
    """A select box of whole numbers whose value is in the URL, with the slider's notice."""
    load_number(limits)
    value = st.selectbox(
        limits.label,
        range(limits.least, limits.most + 1),
        key=limits.name,
        help=help,
        on_change=chosen(limits.name),
    )
    return save_number(limits, value)


def bound_option(label: str, name: str, options: Sequence[str], *, help: str | None = None) -> str:
    """One of a few words side by side, the first by default; the word is in the URL.

    A word from the URL that is not among them falls back, with a notice until the reader chooses.
    """
    load_option(name, options)
    value: str | None = st.segmented_control(
        label,
        options,
        required=True,
        key=name,
        help=help,
        on_change=chosen(name),
    )
    return save_option(label, name, options[0] if value is None else value)


def bound_tabs(name: str, contents: Mapping[str, T]) -> Iterator[tuple[DeltaGenerator, T]]:
    """Tabs whose label is in the URL; yields the open one, which alone is drawn."""
    load_option(name, list(contents))
    save_option("Tab", name, st.session_state[name])
    tabs = st.tabs(list(contents), key=name, on_change=chosen(name))
    for tab, content in zip(tabs, contents.values(), strict=True):
        if tab.open:
            yield tab, content


def layer_index() -> int:
    """The layer: from 1 on the page and in the URL (`layer`), from 0 as returned."""
    return bound_choice(LAYER, help="Layer 1 reads the embedded text, each next one the last.") - 1


def head_index() -> int:
    """The head: from 1 on the page and in the URL (`head`), from 0 as returned."""
    return bound_choice(HEAD, help="Every layer has heads that look at different things.") - 1


def load_number(limits: Range, *, fit: Callable[[int], int | None] | None = None) -> None:
    """See that the session holds a value within the limits.

    Args: fit: of a value beyond the limits, the one that takes its place; the nearest by default.
    """

    def read(text: str) -> int | None:
        value = whole_number(text)
        return value if value is not None and limits.least <= value <= limits.most else None

    def nearest(value: int) -> int:
        return max(limits.least, min(limits.most, value))

    def read_carried(text: str) -> int | None:
        value = whole_number(text)
        return None if value is None else (fit or nearest)(value)

    address.load(limits.name, default=limits.default, read=read, fit=read_carried)
    value = st.session_state[limits.name]
    if isinstance(value, int) and not limits.least <= value <= limits.most:
        st.session_state[limits.name] = (fit or nearest)(value)


def save_number(limits: Range, value: int | None, *, label_of: Callable[[int], str] = str) -> int:
    """Put a widget's value into the address, with a notice if the address held another.

    Args: label_of: a value as the widget shows it.
    """
    value = limits.default if value is None else int(value)
    address.save(limits.name, value)
    notice_bad_number(limits, shown=label_of(value))
    return value


def hidden_number(limits: Range, *, fit: Callable[[int], int | None] | None = None) -> int:
    """A number of the address without a widget of its own; figures set it."""
    load_number(limits, fit=fit)
    return save_number(limits, st.session_state[limits.name])


def hidden_option(
    label: str, name: str, options: Sequence[str], *, label_of: Callable[[str], str] = str
) -> str:
    """A word of the address without a widget of its own; the first option is the default."""
    load_option(name, options)
    return save_option(label, name, st.session_state[name], label_of=label_of)


def load_option(name: str, options: Sequence[str], *, default: str | None = None) -> None:
    """See that the session holds one of the options; the first is the default."""
    address.load(
        name,
        default=options[0] if default is None else default,
        read=lambda text: text if text in options else None,
    )
    if st.session_state[name] not in options:
        st.session_state[name] = options[0] if default is None else default


def save_option(label: str, name: str, value: str, *, label_of: Callable[[str], str] = str) -> str:
    """Put a widget's word into the address, with a notice if the address held another.

    Args: label: the widget's. label_of: a value as the widget shows it.
    """
    address.save(name, value)
    notice_bad_value(label, name, "not one of the choices", shown=label_of(value))
    return value


def notice_bad_number(limits: Range, *, shown: str) -> None:
    """The notice for a number, with the widget's limits."""
    expected = f"not a whole number from {limits.least} to {limits.most}"
    notice_bad_value(limits.label, limits.name, expected, shown=shown)


def notice_bad_value(label: str, name: str, expected: str, *, shown: str) -> None:
    """Say in one line what the address held and what is shown instead, as the widget names it."""
    bad = address.bad_value(name)
    if bad is not None:
        prose.notice(f"{label} “{bad}” in the address is {expected}; showing {shown}.")


def whole_number(text: str) -> int | None:
    """A text of ASCII digits as a number; of a long one only the beginning.

    >>> whole_number("12"), whole_number("-1"), whole_number("٣")
    (12, None, None)
    """
    return int(text[:6]) if text.isascii() and text.isdigit() else None
