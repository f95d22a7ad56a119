"""The choices of pages about positions: query, key, and how to count what is true."""

from __future__ import annotations

import streamlit as st

from xlexplain.maths import PositionConflict
from xlexplain.ui import address, controls
from xlexplain.ui.component import reported
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


def chosen_key(conflict: PositionConflict, *, default: int = DEFAULT_POSITION) -> int:
    """The key j, chosen in the maps; in the URL as `key`, where other pages' widgets have it too.

    A value from the URL that is no key falls back, with a notice until the reader chooses. A key
    that the settings no longer have becomes the one of the same position in τ.
    """
    last = conflict.key_count - 1
    limits = controls.Range("Key", "key", 0, last, min(default, last))

    def twin(key: int) -> int:
        return key if key <= last else conflict.memory_length + key % conflict.segment_length

    controls.load_number(limits, fit=twin)
    return controls.save_number(limits, st.session_state["key"])


def take_choice(component_key: str) -> None:
    """After a click on a map: the key that was clicked becomes the chosen one."""
    chosen = reported(component_key, "chosen")
    if isinstance(chosen, int):
        address.choose("key", chosen)


def choose_reading() -> Reading:
    """What “true” means, bound to `true`."""
    chosen = controls.bound_option(
        "True means",
        "true",
        READINGS,
        help="Distance: tokens back from the query. Offset: place from the start of τ.",
    )
    return "offset" if chosen == "offset" else "distance"
