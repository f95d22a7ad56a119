"""Experiments: terms switched off, and the same text through other models."""

from __future__ import annotations

import streamlit as st

from xlexplain.figures import attention_experiments, attention_matrices
from xlexplain.figures.labels import TERM_WORDS
from xlexplain.maths import TERMS, ForwardTrace
from xlexplain.maths.surprise import mean_bits, surprise_bits
from xlexplain.ui import address, controls, prose
from xlexplain.ui.attention import components
from xlexplain.ui.attention.predicting import logits_of, show_guesses, show_surprise
from xlexplain.ui.attention.view import PAGE, Switched, View
from xlexplain.ui.prose import literal

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
    chosen = st.pills(
        "Terms that count",
        TERMS,
        selection_mode="multi",
        format_func=lambda name: f"{name}: {TERM_WORDS[name][1]}",
        key="terms",
        on_change=controls.chosen("terms"),
    )
    on = [name for name in TERMS if name in chosen]
    letters = "".join(on) or NO_TERM
    address.save("terms", on if on == list(ON_AT_FIRST) else letters)
    bad = address.bad_value("terms")
    if bad is not None:
        st.caption(prose.section(PAGE, "bad terms", bad=literal(bad), shown=letters))
    return on


def terms_in(text: str) -> list[str] | None:
    """The terms that a text in the address names, each once; None if it names none.

    >>> terms_in("da"), terms_in("none"), terms_in("aa"), terms_in("")
    (['a', 'd'], [], None, None)
    """
    if text == NO_TERM:
        return []
    on = [name for name in TERMS if name in text]
    return on if on and len(on) == len(text) else None


def show_switches(view: View) -> None:
    """Terms switched off: attention and prediction recomputed."""
    prose.show(PAGE, "switches")
    off, scope = choose_terms()
    choice = view.choice
    switched = view.run_without(
        off,
        layer=None if scope == EVERYWHERE else choice.layer,
        head=choice.head if scope == THIS_HEAD else None,
    )
    weights = switched.probs[choice.segment][choice.layer][choice.head, choice.query]
    st.plotly_chart(
        attention_experiments.switched_weights(
            view.row.weights,
            weights,
            tokens=view.tokens,
            distances=[cell.distance for cell in view.row.cells],
            memory_length=view.segment.memory_length,
            off=off,
            palette=view.palette,
        ),
        key="switched",
        alt=attention_experiments.switched_finding(view.row.weights, weights, off=off),
    )
    name = f"Without {', '.join(off)}" if off else "Nothing off"
    show_guesses(
        view,
        {"All four terms": logits_of(view, view.trace), name: switched.logits[view.place]},
    )
    if len(view.text) > 1:
        show_term_costs(view, switched, off=off)


def show_term_costs(view: View, switched: Switched, *, off: tuple[str, ...]) -> None:
    """Bits a character without each term in turn, in every layer, and without those chosen."""
    costs = {"all four terms": mean_bits(surprise_bits(view.trace))}
    for name in TERMS:
        costs[f"without {name}"] = mean_bits(view.run_without((name,), layer=None, head=None).bits)
    if len(off) > 1:
        costs[f"without {', '.join(off)}"] = mean_bits(switched.bits)
    st.plotly_chart(
        attention_experiments.term_costs(costs, palette=view.palette),
        key="costs",
        alt=", ".join(f"{name}: {bits:.2f} bits a character" for name, bits in costs.items()),
    )


def show_models(view: View) -> None:
    """The same text through three models."""
    memory = "with memory" if view.memory_depth else "memory depth 0"
    traces = {
        f"Relative, {memory}": view.trace,
        f"Absolute, {memory}": view.trace_of("absolute"),
        "Relative, trained without memory": view.trace_of("relative-no-memory", memory_depth=0),
    }
    bits = {name: mean_bits(surprise_bits(trace)) for name, trace in traces.items()}
    best = min(bits, key=lambda name: bits[name])
    if len(view.text) > 1:
        prose.show(PAGE, "models finding", name=best.lower(), bits=f"{bits[best]:.2f}")
    prose.show(PAGE, "models")
    show_surprise(view, traces, key="swapped")
    show_guesses(view, {name: logits_of(view, trace) for name, trace in traces.items()})
    prose.show(PAGE, "models attention", layer=view.choice.layer + 1, head=view.choice.head + 1)
    for name, column in zip(traces, st.columns(len(traces), gap="medium"), strict=True):
        with column:
            show_weights(view, traces[name], name=name)


def show_weights(view: View, trace: ForwardTrace, *, name: str) -> None:
    """The weights of the chosen head of one model, whose memory may be shorter than the page's."""
    segment = trace.segments[view.choice.segment]
    layer = segment.layers[view.choice.layer]
    missing = view.segment.memory_length - segment.memory_length
    has_key = view.key >= missing
    panel = attention_matrices.weights_panel(
        layer, head=view.choice.head, name=name, caption="weights"
    )
    data = attention_matrices.matrices(
        [panel],
        tokens=view.tokens[missing:],
        memory_length=segment.memory_length,
        ages=view.ages[missing:],
        query=view.choice.query,
        key=view.key - missing if has_key else segment.memory_length + view.choice.query,
        palette=view.palette,
        is_for_choosing=False,
    )
    components.matrices(data, key=f"weights of {name}")
