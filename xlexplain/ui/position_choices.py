"""The choices of pages about positions: query, key, and how to count what is true."""

from __future__ import annotations

from typing import cast

import streamlit as st

from xlexplain.maths import PositionConflict
from xlexplain.ui import controls
from xlexplain.ui.position_words import Reading

DEFAULT_POSITION = 5
READINGS: tuple[Reading, ...] = ("distance", "offset")


def choose_query(segment_length: int) -> int:
    """The query i, a slider bound to `query`."""
    return controls.bounded_slider(
        "Query",
        "query",
        most=segment_length - 1,
        default=DEFAULT_POSITION,
        help="i: the token of the current segment that asks.",
    )


def choose_key(conflict: PositionConflict) -> int:
    """The key j, a select box bound to `key`; a click on a map goes through `take_choice`.

    A key that the settings no longer have becomes the one of the same position in τ.
    """
    L, S = conflict.segment_length, conflict.key_count
    limits = controls.Range("Key", "key", 0, S - 1, min(DEFAULT_POSITION, S - 1))
    controls.note_bad_value(limits)
    chosen = st.session_state.get("key")
    if isinstance(chosen, int) and chosen >= S:
        st.session_state["key"] = conflict.memory_length + chosen % L
    key = st.selectbox(
        "Key",
        range(S),
        index=limits.default,
        key="key",
        bind="query-params",
        help="j: one of the tokens that can be attended to, oldest first. Or click a cell.",
        on_change=controls.forget_bad_value,
        args=("key",),
    )
    return int(key or 0)


def take_choice(component_key: str) -> None:
    """After a click on a map: the key that was clicked becomes the chosen one."""
    chosen = st.session_state[component_key].get("chosen")
    if isinstance(chosen, int):
        st.session_state["key"] = chosen
        controls.forget_bad_value("key")


def choose_reading() -> Reading:
    """What “true” means, bound to `true`."""
    chosen = st.segmented_control(
        "True means",
        READINGS,
        default=READINGS[0],
        required=True,
        key="true",
        bind="query-params",
        help="Distance: tokens back from the query. Offset: place from the start of τ.",
    )
    return cast(Reading, chosen or READINGS[0])
