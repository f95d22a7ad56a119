"""Terms of the score switched off, and what that changes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from xlexplain.figures.attention_switches import switched_finding, switched_weights, term_costs
from xlexplain.figures.labels import TERM_WORDS
from xlexplain.maths import TERMS
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.surprise import mean_bits, surprise_bits
from xlexplain.ui import address, controls, figure, models, prose
from xlexplain.ui.attention.head_data import PAGE, RELATIVE, HeadData
from xlexplain.ui.attention.next_character import logits_of, show_guesses

EVERYWHERE, THIS_LAYER, THIS_HEAD = "every layer", "this layer", "this head"
ON_AT_FIRST = ("a", "c", "d")
NO_TERM = "none"


def choose_terms() -> tuple[tuple[str, ...], str]:
    """The terms that are off, and where."""
    left, right = st.columns([2, 1])
    with left:
        on = terms_that_count()
    with right:
        scope = controls.bound_option("Switched in", "scope", (EVERYWHERE, THIS_LAYER, THIS_HEAD))
    return tuple(name for name in TERMS if name not in on), scope


def terms_that_count() -> list[str]:
    """The terms that are on; in the URL their letters, `terms=ad`."""
    address.load("terms", default=list(ON_AT_FIRST), read=terms_in)
    label = "Terms that count"
    chosen = st.pills(
        label,
        TERMS,
        selection_mode="multi",
        format_func=label_of,
        key="terms",
        on_change=controls.chosen("terms"),
    )
    on = [name for name in TERMS if name in chosen]
    letters = "".join(on) or NO_TERM
    address.save("terms", on if on == list(ON_AT_FIRST) else letters)
    shown = ", ".join(map(label_of, on)) or "none of them"
    controls.notice_bad_value(label, "terms", "not one of the choices", shown=shown)
    return on


def label_of(name: str) -> str:
    """A term and what it asks, in two words."""
    return f"{name}: {TERM_WORDS[name][1]}"


def terms_in(text: str) -> list[str] | None:
    """The terms that a text in the address names, each once; None if it names none.

    >>> terms_in("da"), terms_in("none"), terms_in("aa"), terms_in("")
    (['a', 'd'], [], None, None)
    """
    if text == NO_TERM:
        return []
    on = [name for name in TERMS if name in text]
    return on if on and len(on) == len(text) else None


def show_switches(data: HeadData) -> None:
    """Terms switched off: attention and prediction recomputed."""
    prose.show(PAGE, "switches")
    off, scope = choose_terms()
    settings = data.settings
    run = partial(
        run_without,
        text=settings.text,
        segment_length=settings.segment_length,
        memory_depth=settings.memory_depth,
    )
    switched = run(
        off,
        layer=None if scope == EVERYWHERE else settings.layer,
        head=settings.head if scope == THIS_HEAD else None,
    )
    weights = switched.probs[settings.segment][settings.layer][settings.head, settings.query]
    figure.show(
        switched_weights(data.row, weights, off=off, palette=settings.palette),
        key="switched",
        alt=switched_finding(data.row.weights, weights, off=off),
    )
    name = f"Without {', '.join(off)}" if off else "Nothing off"
    show_guesses(
        data, {"All four terms": logits_of(data, data.trace), name: switched.logits[data.place]}
    )
    if len(settings.text) < 2:
        return
    costs = {"all four terms": mean_bits(surprise_bits(data.trace))}
    for name in TERMS:
        costs[f"without {name}"] = mean_bits(run((name,), layer=None, head=None).bits)
    if len(off) > 1:
        costs[f"without {', '.join(off)}"] = mean_bits(switched.bits)
    figure.show(
        term_costs(costs, palette=settings.palette),
        key="costs",
        alt=", ".join(f"{name}: {bits:.2f} bits a character" for name, bits in costs.items()),
    )


@dataclass(frozen=True)
class Switched:
    """What is shown of a run with terms switched off; a whole trace would fill the cache.

    Attributes:
        bits: (T,) what each character cost, nan for the first.
        logits: (T, V).
        probs: one a segment and layer, (H, L, S).
    """

    bits: FloatArray
    logits: FloatArray
    probs: tuple[tuple[FloatArray, ...], ...]


@st.cache_data(max_entries=32, show_spinner="Running the model without them…")
def run_without(
    off: tuple[str, ...],
    *,
    text: str,
    segment_length: int,
    memory_depth: int,
    layer: int | None,
    head: int | None,
) -> Switched:
    """A text through the relative model with terms off everywhere, in one layer or one head."""
    from xlexplain.model import trace_text
    from xlexplain.model.ablation import without_terms

    model = without_terms(models.pretrained(RELATIVE).model, off, layer=layer, head=head)
    trace = trace_text(model, text, segment_length=segment_length, memory_depth=memory_depth)
    return Switched(
        bits=surprise_bits(trace),
        logits=np.concatenate([segment.logits for segment in trace.segments]),
        probs=tuple(tuple(one.probs for one in segment.layers) for segment in trace.segments),
    )
