"""What the relative attention page looks at: segment, query, key, layer and head."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from xlexplain.ui import address, controls
from xlexplain.ui.component import reported

# Of the first sample, at L = 8 and D = 1: the r of “assertions”. The “ass” before it is in memory,
# which gets most of the attention and makes the t that follows likely.
DEFAULT_SEGMENT = 8
DEFAULT_QUERY = 1


@dataclass(frozen=True)
class Choice:
    """One query of one head, all counted from 0.

    Attributes:
        key: the chosen key j, or None for the one with the largest weight.
    """

    segment: int
    query: int
    key: int | None
    layer: int
    head: int


def choose(
    row: DeltaGenerator, *, text_length: int, segment_length: int, memory_depth: int
) -> Choice:
    """The five choices, each with its name in the URL; they stand in `row`."""
    with row:
        last = (text_length - 1) // segment_length
        segment = controls.bounded_slider(
            "Segment",
            "segment",
            most=last,
            default=DEFAULT_SEGMENT,
            help="τ: which piece of the text the model is reading.",
        )
        query_count = min(segment_length, text_length - segment * segment_length)
        query = controls.bounded_slider(
            "Query",
            "query",
            most=query_count - 1,
            default=DEFAULT_QUERY,
            help="i: the token of the segment that asks.",
        )
        memory_length = min(memory_depth, segment) * segment_length
        key = choose_key(memory_length + query_count)
        layer = controls.layer_index()
        head = controls.head_index()
    return Choice(segment=segment, query=query, key=key, layer=layer, head=head)


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
        placeholder="top",
        help="j: the token that is looked at; “top” is the one with the most attention.",
        on_change=controls.chosen("key"),
    )
    address.save("key", key)
    controls.show_bad_value(limits, value="the one with the most attention" if key is None else key)
    return None if key is None else int(key)


def take(component: str, *, counted_from: int = 0, **names: str | tuple[str, ...]) -> None:
    """After a click: what a component reports becomes the value of the page's own controls.

    Args:
        counted_from: added to what is reported, for controls that count from 1.
        names: for each trigger of the component, the control (or one a number) that takes it.
    """
    for trigger, name in names.items():
        told = reported(component, trigger)
        if told is None:
            continue
        wanted = (name,) if isinstance(name, str) else name
        values = [told] if isinstance(name, str) else told
        for one, value in zip(wanted, values, strict=True):
            address.choose(one, int(value) + counted_from)


def moved(
    component: str, *, counted_from: int = 0, **names: str | tuple[str, ...]
) -> Callable[[], None]:
    """A callback for a component."""
    return partial(take, component, counted_from=counted_from, **names)
