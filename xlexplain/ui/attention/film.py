"""The first screen: one head's matrix through all segments, and the chosen cell taken apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from xlexplain.figures.attention_axes import Columns
from xlexplain.figures.attention_film import Colored, attention_film
from xlexplain.figures.attention_terms import cell_finding, terms_bar, terms_finding, terms_table
from xlexplain.maths import ForwardTrace
from xlexplain.ui import controls, figure
from xlexplain.ui.attention.choices import choose_cell, choose_segment
from xlexplain.ui.attention.head_data import HeadData
from xlexplain.ui.settings import Settings

COLORED: dict[str, Colored] = {
    "weight": "weight",
    "score": "score",
    "what it is": "ac",
    "how far back": "bd",
    "before the shift": "bd_by_distance",
}


def show(data: HeadData) -> None:
    """The film, with the four terms of the chosen cell beside it."""
    left, right = st.columns([11, 4], gap="medium")
    with left:
        colored = choose_color()
        film = cached_film(replace(data.settings, segment=0), colored, _trace=data.trace)
        figure.show(
            film,
            key="film",
            alt=". ".join([*film.data["titles"][data.settings.segment], ""]).strip(),
            frame=data.settings.segment,
            on_frame=choose_segment,
            on_choose=lambda chosen: choose_in_film(data, colored, chosen),
        )
    with right:
        show_terms(data)


def choose_color() -> Colored:
    """What is colored; its word is in the URL."""
    label = "Color of a cell"
    controls.load_option("color", list(COLORED))
    word = st.segmented_control(
        label,
        list(COLORED),
        required=True,
        key="color",
        label_visibility="collapsed",
        on_change=controls.chosen("color"),
    )
    return COLORED[controls.save_option(label, "color", str(word))]


def show_terms(data: HeadData) -> None:
    """The chosen cell: its terms as a bar and in numbers."""
    row, key, palette = data.row, data.key, data.settings.palette
    figure.show(
        terms_bar(row, key=key, palette=palette),
        key="terms-bar",
        alt=f"{cell_finding(row, key=key)}. {terms_finding(row, key=key)}.",
    )
    st.html(terms_table(row, key=key, palette=palette))


def choose_in_film(data: HeadData, colored: Colored, chosen: dict[str, Any]) -> None:
    """A clicked cell becomes the chosen one, in the segment that was shown.

    The click may be on the film of a longer text, which this run's has replaced meanwhile.
    """
    L = data.settings.segment_length
    columns = Columns(L, data.trace.memory_length, are_distances=colored == "bd_by_distance")
    column, query = map(int, chosen["point"])
    offset = columns.offset(query=query, column=column)
    segment = min(chosen["frame"], len(data.trace.segments) - 1)
    choose_segment(segment)
    memory_length = data.trace.segments[segment].memory_length
    choose_cell({"point": [offset, query]}, memory_length=memory_length)


@st.cache_resource(max_entries=32, show_spinner=False)
def cached_film(settings: Settings, colored: Colored, *, _trace: ForwardTrace) -> figure.Prepared:
    """A film for all readers who look at the same; up to 1 MB. It takes as long as a trace."""
    return figure.prepare(
        attention_film(
            _trace,
            layer=settings.layer,
            head=settings.head,
            colored=colored,
            query=settings.query,
            key=settings.key,
            tokens=HeadData.shown(_trace.tokens),
            palette=settings.palette,
        )
    )
