"""The page's own controls: segment, query, key, layer and head; what a click in a matrix sets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from xlexplain.ui import address, controls
from xlexplain.ui.settings import Settings

# Of the first sample, at L = 8 and D = 1: the r of “assertions”. The “ass” before it is in memory,
# which gets most of the attention and makes the t that follows likely.
DEFAULT_SEGMENT = 8
DEFAULT_QUERY = 1
TOP = "top"  # for no key


def choose(row: DeltaGenerator, settings: Settings) -> Settings:
    """Segment, query, key, layer and head as chosen in controls that stand in `row`."""
    L = settings.segment_length
    with row:
        segment = controls.bounded_slider(
            "Segment",
            "segment",
            most=(len(settings.text) - 1) // L,
            default=DEFAULT_SEGMENT,
            help="τ: which piece of the text the model is reading.",
        )
        query_count = min(L, len(settings.text) - segment * L)
        query = controls.bounded_slider(
            "Query",
            "query",
            most=query_count - 1,
            default=DEFAULT_QUERY,
            help="i: the token of the segment that asks.",
        )
        return replace(
            settings,
            segment=segment,
            query=query,
            key=choose_key(min(settings.memory_depth, segment) * L + query_count),
            layer=controls.layer_index(),
            head=controls.head_index(),
        )


def choose_key(key_count: int) -> int | None:
    """The key j; none chosen means the one with the largest weight."""
    limits = controls.Range("Key", "key", 0, key_count - 1, 0)

    def read(text: str) -> int | None:
        value = controls.whole_number(text)
        return value if value is not None and value < key_count else None

    address.load("key", default=None, read=read)
    chosen = st.session_state["key"]
    if chosen is not None and chosen >= key_count:
        st.session_state["key"] = None
    key = st.selectbox(
        "Key",
        range(key_count),
        index=None,
        key="key",
        placeholder=TOP,
        help=f"j: the token that is looked at; “{TOP}” is the one with the most attention.",
        on_change=controls.chosen("key"),
    )
    address.save("key", key)
    controls.notice_bad_number(limits, shown=TOP if key is None else str(key))
    return None if key is None else int(key)


def choose_segment(segment: int) -> None:
    """The segment that the film has come to."""
    address.choose("segment", segment)


def choose_cell(chosen: dict[str, Any], *, memory_length: int) -> None:
    """The cell that was clicked, whose key stands at its offset from the start of the segment."""
    offset, query = chosen["point"]
    address.choose("query", int(query))
    address.choose("key", int(offset) + memory_length)
