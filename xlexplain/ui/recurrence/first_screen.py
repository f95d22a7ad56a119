"""The first screen: layers, segment, token and text, and the streaming figure."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from xlexplain.figures.recurrence_reach import Recurrence, alternative
from xlexplain.figures.recurrence_stack import recurrence_figure
from xlexplain.figures.theme import DARK, LIGHT
from xlexplain.maths.limits import LAYERS
from xlexplain.maths.words import counted
from xlexplain.ui import address, controls, figure, frame, prose, texts
from xlexplain.ui.settings import Settings

LAYER_COUNT = controls.Range("Layers", "layers", 1, LAYERS, LAYERS)


def draw() -> Settings:
    """The controls and the figure; what they look at."""
    L, D, row = controls.segment_and_memory()
    with row:
        layer_count = controls.bound_slider(
            LAYER_COUNT,
            help="How many layers lie between the text and the state that is looked at.",
        )
        recurrence = Recurrence(L, D, layer_count)
        segment = last_unless_chosen(
            "Segment",
            "segment",
            most=recurrence.segment_count - 1,
            help="τ: which piece of the text is being read. Or play.",
        )
        query = last_unless_chosen(
            "Token",
            "query",
            most=L - 1,
            help="Which token of the segment is looked at. Or click one.",
        )
    place = st.container()
    settings = Settings(
        segment_length=L,
        memory_depth=D,
        segment=segment,
        query=query,
        layer_count=layer_count,
        text=choose_text(recurrence.length),
        palette=frame.palette(),
    )
    figure.show(
        streaming_figure(recurrence, settings.text, query, settings.palette.is_dark),
        key="recurrence",
        alt=alternative(recurrence, position=segment * L + query),
        on_choose=choose_token,
        frame=segment,
        on_frame=choose_segment,
        place=place,
    )
    return settings


@st.cache_resource(max_entries=64, show_spinner=False)
def streaming_figure(recurrence: Recurrence, text: str, query: int, is_dark: bool) -> go.Figure:
    """The figure, once for all readers and all segments."""
    return recurrence_figure(
        recurrence,
        tokens=[texts.visible(char) for char in text],
        query=query,
        palette=DARK if is_dark else LIGHT,
    )


def last_unless_chosen(label: str, name: str, *, most: int, help: str) -> int:
    """A slider from 0 that stands at its upper end and stays there until the reader moves it."""
    return controls.bounded_slider(label, name, most=most, default=most, help=help)


def choose_token(chosen: dict[str, Any]) -> None:
    """After a click in the figure: its token becomes the page's, and the token's segment."""
    place = chosen["point"]
    if type(place) is int and place >= 0:  # what a browser sends is checked
        segment, query = divmod(place, st.session_state[controls.SEGMENT_LENGTH.name])
        address.choose("segment", segment)
        address.choose("query", query)


def choose_segment(segment: int) -> None:
    """After a step or a stop of the figure: its segment becomes the page's."""
    address.choose("segment", segment)


def choose_text(length: int) -> str:
    """A text of exactly `length` characters: the reader's or a sample, repeated to fill it."""
    text = texts.choose_text(most=length).text
    if len(text) < length:
        characters = counted(f"{len(text):,}", "character")
        prose.notice(f"The text has {characters}; it is repeated to fill {length:,}.")
    return (text * -(-length // len(text)))[:length]
