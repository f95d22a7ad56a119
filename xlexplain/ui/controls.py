"""The controls that several pages share: each widget and its name in the URL in one place.

A value lives in its widget, and the widget lives in the URL. Streamlit drops values from the URL
that a widget can't take; what was dropped is read before, and said in one line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from xlexplain.ui.prose import literal


@dataclass(frozen=True)
class Range:
    """A whole-number slider: label, name in the URL, limits and default, all inclusive."""

    label: str
    name: str
    least: int
    most: int
    default: int


SEGMENT_LENGTH = Range("Segment length", "seg", 2, 32, 8)
MEMORY_DEPTH = Range("Memory depth", "mem", 0, 4, 1)
LAYER = Range("Layer", "layer", 1, 4, 4)
HEAD = Range("Head", "head", 1, 4, 4)


def segment_and_memory(*, extra: int = 0) -> tuple[int, int, list[DeltaGenerator]]:
    """The two controls that everything follows, and `extra` empty places beside them.

    Returns: L in tokens, D in segments, and the places for a page's own controls.
    """
    places = st.container(key="controls").columns(max(4, 2 + extra))
    with places[0]:
        segment_length = bound_slider(
            SEGMENT_LENGTH, help="L: how many tokens the model reads at once."
        )
    with places[1]:
        memory_depth = bound_slider(
            MEMORY_DEPTH, help="D: how many earlier segments it keeps. 0 = no memory."
        )
    return segment_length, memory_depth, places[2 : 2 + extra]


def bound_slider(limits: Range, *, help: str | None = None) -> int:
    """A slider whose value is in the URL.

    A value from the URL that is not within the limits falls back, with a notice that stays until
    the reader moves the slider.
    """
    note_bad_value(limits)
    bring_along(limits.name, range(limits.least, limits.most + 1))
    value = st.slider(
        limits.label,
        limits.least,
        limits.most,
        value=limits.default,
        key=limits.name,
        bind="query-params",
        help=help,
        on_change=forget_bad_value,
        args=(limits.name,),
    )
    show_bad_value(limits, value=value)
    remember(limits.name, value)
    return int(value)


def bounded_slider(
    label: str, name: str, *, most: int, default: int, help: str | None = None
) -> int:
    """A slider from 0 whose upper limit depends on other controls; its value is in the URL.

    When the limit falls below the chosen value, the value becomes the limit. With only one
    possible value nothing is shown.
    """
    if most < 1:
        return 0
    chosen = st.session_state.get(name)
    if isinstance(chosen, int) and chosen > most:
        st.session_state[name] = most
    return bound_slider(Range(label, name, 0, most, min(default, most)), help=help)


def bound_choice(limits: Range, *, help: str | None = None) -> int:
    """A select box of whole numbers whose value is in the URL, with the slider's notice."""
    note_bad_value(limits)
    chosen = st.session_state.get(limits.name)
    if chosen is not None and not limits.least <= chosen <= limits.most:
        st.session_state[limits.name] = limits.default
    bring_along(limits.name, range(limits.least, limits.most + 1))
    value = st.selectbox(
        limits.label,
        range(limits.least, limits.most + 1),
        index=limits.default - limits.least,
        key=limits.name,
        bind="query-params",
        help=help,
        on_change=forget_bad_value,
        args=(limits.name,),
    )
    value = limits.default if value is None else int(value)
    show_bad_value(limits, value=value)
    remember(limits.name, value)
    return value


def bound_option(label: str, name: str, options: Sequence[str], *, help: str | None = None) -> str:
    """One of a few words side by side, the first by default; the word is in the URL.

    A word from the URL that is not among them falls back, with a notice until the reader chooses.
    """
    note_bad_option(name, options)
    bring_along(name, options)
    value: str | None = st.segmented_control(
        label,
        options,
        default=options[0],
        required=True,
        key=name,
        bind="query-params",
        help=help,
        on_change=forget_bad_value,
        args=(name,),
    )
    value = options[0] if value is None else value
    show_bad_option(label, name, value=value)
    remember(name, value)
    return value


def layer_index() -> int:
    """The layer: from 1 on the page and in the URL (`layer`), from 0 as returned."""
    return bound_choice(LAYER, help="Layer 1 reads the embedded text, each next one the last.") - 1


def head_index() -> int:
    """The head: from 1 on the page and in the URL (`head`), from 0 as returned."""
    return bound_choice(HEAD, help="Every layer has heads that look at different things.") - 1


def bring_along(name: str, possible: Sequence[object]) -> None:
    """Give a widget of a new page the value that the page before had.

    Streamlit keeps a value that the reader chose, but loses one that came with the address when
    the reader goes on to another page.
    """
    address, value = st.session_state.get(f"kept {name}", (st.context.url, None))
    is_new_page = address != st.context.url and not st.query_params.get_all(name)
    if is_new_page and value in possible:
        st.session_state[name] = value
        st.query_params[name] = str(value)


def remember(name: str, value: object) -> None:
    """Keep a value for the page that the reader goes to next."""
    st.session_state[f"kept {name}"] = (st.context.url, value)


def note_bad_value(limits: Range) -> None:
    """Remember what the address holds if the slider cannot take it.

    Once the page has a value of its own the address only follows it: a limit that falls below the
    chosen value is no mistake of the reader's.
    """
    given = st.query_params.get_all(limits.name)
    if not given or limits.name in st.session_state:
        return
    is_good = (
        len(given) == 1
        and given[0].isascii()
        and given[0].isdigit()
        and limits.least <= int(given[0][:6]) <= limits.most
    )
    if not is_good:
        keep_bad_value(limits.name, given)


def show_bad_value(limits: Range, *, value: object) -> None:
    """Say in one line what the address held and what is shown instead."""
    bad = st.session_state.get(notice_key(limits.name))
    if bad is not None:
        st.caption(
            f":material/info: {limits.label} “{literal(bad)}” in the address is not a whole number "
            f"from {limits.least} to {limits.most}; showing {value}."
        )


def note_bad_option(name: str, options: Sequence[str]) -> None:
    """Remember what the address holds if it is not one of the options."""
    given = st.query_params.get_all(name)
    if given and name not in st.session_state and (len(given) > 1 or given[0] not in options):
        keep_bad_value(name, given)


def show_bad_option(label: str, name: str, *, value: object) -> None:
    """Say in one line what the address held and what is shown instead."""
    bad = st.session_state.get(notice_key(name))
    if bad is not None:
        st.caption(
            f":material/info: {label} “{literal(bad)}” in the address is not one of the choices; "
            f"showing {literal(str(value))}."
        )


def keep_bad_value(name: str, given: Sequence[str]) -> None:
    """Keep the beginning of what the address holds, for the notice."""
    shown = " and ".join(given)
    st.session_state[notice_key(name)] = shown if len(shown) <= 40 else shown[:40] + "…"


def forget_bad_value(name: str) -> None:
    """The reader has chosen; the notice goes."""
    st.session_state.pop(notice_key(name), None)


def notice_key(name: str) -> str:
    """Where the session keeps a bad value of the address."""
    return f"bad {name}"
