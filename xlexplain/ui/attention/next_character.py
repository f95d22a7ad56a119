"""What the model expects next, and how surprising the text was."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from xlexplain.figures.attention_predictions import (
    FULL_HEIGHT_BITS,
    Guesses,
    guess_lists,
    surprise_text,
)
from xlexplain.maths import ForwardTrace
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.surprise import most_likely, surprise_bits
from xlexplain.ui import models, prose, texts
from xlexplain.ui.attention.head_data import PAGE, RELATIVE, HeadData

GUESS_COUNT = 5


def show_next_character(data: HeadData) -> None:
    """The likeliest next characters, and the text by surprise with and without memory."""
    query = data.settings.query
    asking = data.tokens[data.segment.memory_length + query]
    prose.show_html(PAGE, "next", token=asking, query=query)
    has_memory = data.settings.memory_depth > 0
    traces = {"With memory" if has_memory else "Memory depth 0": data.trace}
    if has_memory:
        traces["Without memory"] = data.trace_of(RELATIVE, memory_depth=0)
    show_guesses(data, {name: logits_of(data, trace) for name, trace in traces.items()})
    section = "surprise" if has_memory else "surprise without memory"
    prose.show(PAGE, section, full=f"{FULL_HEIGHT_BITS:g}")
    show_surprise(data, traces, is_difference_shown=has_memory)


def show_surprise(
    data: HeadData, traces: Mapping[str, ForwardTrace], *, is_difference_shown: bool = False
) -> None:
    """The text by surprise, once for each trace."""
    st.html(
        surprise_text(
            {name: surprise_bits(trace) for name, trace in traces.items()},
            tokens=data.shown(data.trace.tokens),
            starts=[segment.start for segment in data.trace.segments],
            palette=data.settings.palette,
            is_difference_shown=is_difference_shown,
        )
    )


def show_guesses(data: HeadData, logits: Mapping[str, FloatArray]) -> None:
    """The likeliest characters after the chosen query, one list a model. Args: logits: (V,)."""
    lists = [guesses(data, row, name=name) for name, row in logits.items()]
    st.html(guess_lists(lists, palette=data.settings.palette))


def logits_of(data: HeadData, trace: ForwardTrace) -> FloatArray:
    """(V,) what a model says after the chosen query."""
    row: FloatArray = trace.segments[data.settings.segment].logits[data.settings.query]
    return row


def guesses(data: HeadData, logits: FloatArray, *, name: str) -> Guesses:
    """The likeliest characters after the chosen query, and what came next."""
    ids, probs = most_likely(logits, count=len(logits))
    characters = models.pretrained(RELATIVE).vocabulary.decode(ids.tolist())
    chances = dict(zip(characters, map(float, probs), strict=True))
    following = data.trace.tokens[data.place + 1 : data.place + 2]
    return Guesses(
        name=name,
        tokens=tuple(map(texts.visible, characters[:GUESS_COUNT])),
        probs=tuple(map(float, probs[:GUESS_COUNT])),
        came_next=texts.visible(following[0]) if following else None,
        came_next_prob=chances[following[0]] if following else None,
    )
