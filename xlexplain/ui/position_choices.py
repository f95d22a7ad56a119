"""The choices of pages about positions: query, key, and how to count what is true."""

from __future__ import annotations

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
    """The key j, a select box bound to `key`; a click on a map goes through `take_choice`."""
    S = conflict.key_count
    keep_within(conflict, name="key")
    return controls.bound_choice(
        controls.Range("Key", "key", 0, S - 1, min(DEFAULT_POSITION, S - 1)),
        help="j: one of the tokens that can be attended to, oldest first. Or click a cell.",
    )


def kept_key(conflict: PositionConflict, *, query: int, name: str) -> int:
    """A key chosen by clicks only, kept for the session; at first the query's oldest twin."""
    keep_within(conflict, name=name)
    return int(st.session_state.get(name, query))


def keep_within(conflict: PositionConflict, *, name: str) -> None:
    """A key that the settings no longer have becomes the one of the same position in τ."""
    chosen = st.session_state.get(name)
    if isinstance(chosen, int) and chosen >= conflict.key_count:
        position = chosen % conflict.segment_length
        st.session_state[name] = conflict.memory_length + position


def take_choice(component_key: str, *, name: str = "key") -> None:
    """After a click on a map: the key that was clicked becomes the chosen one."""
    chosen = st.session_state[component_key].get("chosen")
    if isinstance(chosen, int):
        st.session_state[name] = chosen
        controls.forget_bad_value(name)


def choose_reading() -> Reading:
    """What “true” means, bound to `true`."""
    chosen = controls.bound_option(
        "True means",
        "true",
        READINGS,
        help="Distance: tokens back from the query. Offset: place from the start of τ.",
    )
    return "offset" if chosen == "offset" else "distance"
