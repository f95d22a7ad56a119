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


def chosen_key(conflict: PositionConflict) -> int:
    """The key j, chosen in the maps; in the URL as `key`, where other pages' widgets have it too.

    A value from the URL that is no key falls back, with a notice until the reader chooses.
    """
    S, state = conflict.key_count, st.session_state
    limits = controls.Range("Key", "key", 0, S - 1, min(DEFAULT_POSITION, S - 1))
    controls.note_bad_value(limits)
    if "key" not in state:
        is_bad = controls.notice_key("key") in state
        state["key"] = limits.default if is_bad else int(st.query_params.get("key", limits.default))
    keep_within(conflict, name="key")
    key = int(state["key"])
    in_address = "" if key == limits.default else str(key)
    if st.query_params.get("key", "") != in_address:
        if in_address:
            st.query_params["key"] = in_address
        else:
            del st.query_params["key"]
    controls.show_bad_value(limits, value=key)
    return key


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
