"""What the model expects next, and how surprising the text was."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from xlexplain.figures.attention_experiments import Guesses, guess_lists
from xlexplain.figures.attention_surprise import FULL_HEIGHT_BITS, Surprise, surprise_panels
from xlexplain.maths import ForwardTrace
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.surprise import most_likely, surprise_bits
from xlexplain.ui import models, prose, texts
from xlexplain.ui.attention import components
from xlexplain.ui.attention.view import PAGE, RELATIVE, View

GUESS_COUNT = 5


def show_next_character(view: View) -> None:
    """The likeliest next characters, and the text by surprise with and without memory."""
    asking = view.tokens[view.segment.memory_length + view.choice.query]
    prose.show(PAGE, "next", token=prose.literal(asking), query=view.choice.query)
    if view.memory_depth:
        traces = {
            "With memory": view.trace,
            "Without memory": view.trace_of(RELATIVE, memory_depth=0),
        }
    else:
        traces = {"Memory depth 0": view.trace}
    show_guesses(view, {name: logits_of(view, trace) for name, trace in traces.items()})
    section = "surprise" if view.memory_depth else "surprise without memory"
    prose.show(PAGE, section, full=f"{FULL_HEIGHT_BITS:g}")
    show_surprise(view, traces, key="surprise", is_difference_shown=bool(view.memory_depth))


def show_surprise(
    view: View, traces: dict[str, ForwardTrace], *, key: str, is_difference_shown: bool = False
) -> None:
    """The text by surprise, once for each trace."""
    components.surprise(
        surprise_panels(
            [Surprise(name, surprise_bits(trace)) for name, trace in traces.items()],
            tokens=view.shown(view.trace.tokens),
            starts=[segment.start for segment in view.trace.segments],
            palette=view.palette,
            is_difference_shown=is_difference_shown,
        ),
        key=key,
    )


def show_guesses(view: View, logits: Mapping[str, FloatArray]) -> None:
    """The likeliest characters after the chosen query, one list a model. Args: logits: (V,)."""
    st.html(
        guess_lists(
            [guesses(view, row, name=name) for name, row in logits.items()], palette=view.palette
        )
    )


def logits_of(view: View, trace: ForwardTrace) -> FloatArray:
    """(V,) what a model says after the chosen query."""
    row: FloatArray = trace.segments[view.choice.segment].logits[view.choice.query]
    return row


def guesses(view: View, logits: FloatArray, *, name: str) -> Guesses:
    """The likeliest characters after the chosen query."""
    vocabulary = models.pretrained(RELATIVE).vocabulary
    ids, probs = most_likely(logits, count=GUESS_COUNT)
    has_next = view.place + 1 < len(view.text)
    following = view.trace.tokens[view.place + 1] if has_next else None
    all_ids, all_probs = most_likely(logits, count=len(logits))
    chance = dict(zip(vocabulary.decode(all_ids.tolist()), all_probs, strict=True))
    return Guesses(
        name=name,
        tokens=tuple(map(texts.visible, vocabulary.decode(ids.tolist()))),
        probs=tuple(map(float, probs)),
        came_next=None if following is None else texts.visible(following),
        came_next_prob=None if following is None else float(chance[following]),
    )
