"""What the page looks at: layers, the segment that is read, a token in it, and the text."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from xlexplain.figures.recurrence_stack import DEEPEST, Recurrence
from xlexplain.figures.theme import Palette
from xlexplain.ui import address, controls, texts
from xlexplain.ui.component import reported
from xlexplain.ui.recurrence.stack import KEY

LAYERS = controls.Range("Layers", "layers", 1, DEEPEST, DEEPEST)
COUNT = "recurrence choices taken"


@dataclass(frozen=True)
class Choice:
    """The settings and a token: the one at `query` of `segment`, both counted from 0.

    Attributes:
        text: as many characters as the settings show.
    """

    recurrence: Recurrence
    segment: int
    query: int
    text: str
    palette: Palette

    @property
    def position(self) -> int:
        """The chosen token's place in the text."""
        return self.segment * self.recurrence.segment_length + self.query


def choose(
    row: DeltaGenerator, *, segment_length: int, memory_depth: int
) -> tuple[Recurrence, int, int]:
    """The page's three controls, each with its name in the URL: layers, segment and query.

    The last segment, and the last token of a segment, stay the last when the settings change.
    """
    with row:
        layer_count = controls.bound_slider(
            LAYERS, help="How many layers lie between the text and the state that is looked at."
        )
    recurrence = Recurrence(segment_length, memory_depth, layer_count)
    with row:
        segment = last_unless_chosen(
            "Segment",
            "segment",
            most=recurrence.segment_count - 1,
            help="τ: which piece of the text is being read. Or play.",
        )
        query = last_unless_chosen(
            "Token",
            "query",
            most=segment_length - 1,
            help="Which token of the segment is looked at. Or click one.",
        )
    return recurrence, segment, query


def last_unless_chosen(label: str, name: str, *, most: int, help: str) -> int:
    """A slider from 0 that stands at its upper end and stays there until the reader moves it."""
    st.session_state[f"last {name}"] = most
    return controls.bounded_slider(label, name, most=most, default=most, help=help)


def take_choice() -> None:
    """After a step or a click in the figure: its segment and token become the page's.

    What a browser sends is checked; what isn't a choice is left alone.
    """
    choice = reported(KEY, "choice")
    names = ("segment", "query", "count")
    if not isinstance(choice, dict) or not all(type(choice.get(name)) is int for name in names):
        return
    for name in ("segment", "query"):
        address.choose(name, max(0, min(choice[name], st.session_state[f"last {name}"])))
    st.session_state[COUNT] = choice["count"]


def taken() -> int:
    """How many of the figure's choices have come back; it ignores answers older than its last."""
    return int(st.session_state.get(COUNT, 0))


def choose_text(length: int) -> str:
    """A text of exactly `length` characters: the reader's or a sample, repeated to fill it."""
    reader_text = texts.choose_text(most=length)
    text = reader_text.text
    if len(text) < length:
        st.caption(
            f":material/info: The text has {len(text):,} characters; it is repeated to fill "
            f"{length:,}."
        )
    return (text * -(-length // len(text)))[:length]
