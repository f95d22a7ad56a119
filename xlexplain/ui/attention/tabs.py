"""What stands below the page's figure; each part is computed when its tab is open."""

from __future__ import annotations

import streamlit as st

from xlexplain.figures import (
    attention_diagram,
    attention_experiments,
    attention_heads,
    attention_matrices,
    attention_segments,
    attention_surprise,
)
from xlexplain.figures.attention_scores import TERM_WORDS
from xlexplain.maths import TERMS, ForwardTrace
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.attention_views import attention_by_distance
from xlexplain.maths.cells import largest_residuals
from xlexplain.maths.surprise import mean_bits, most_likely, surprise_bits
from xlexplain.ui import models, prose, texts
from xlexplain.ui.attention import choices, components
from xlexplain.ui.attention.view import RELATIVE, Switched, View

PAGE = "relative_attention"
GUESS_COUNT = 5
EVERYWHERE, THIS_LAYER, THIS_HEAD = "every layer", "this layer", "this head"


def show_matrices(view: View) -> None:
    """L × S matrices of the chosen head, and the chosen cell computed twice."""
    prose.show(PAGE, "matrices")
    layer, choice = view.layer, view.choice
    largest = largest_residuals(layer, head=choice.head)
    visible = int((~layer.is_masked).sum())
    note = (
        f"Over all {visible} cells of this head that are not masked, NumPy and the model differ "
        f"by {largest['score']:.0e} at most in a score, {largest['weight']:.0e} in a weight."
    )
    data = attention_matrices.matrices(
        attention_matrices.head_panels(layer, head=choice.head),
        tokens=view.tokens,
        memory_length=view.segment.memory_length,
        ages=view.ages,
        query=choice.query,
        key=view.key,
        palette=view.palette,
        check=attention_matrices.check_table(
            view.row.cells[view.key], d_head=layer.query.shape[-1]
        ),
        note=note,
    )
    components.matrices(
        data, key="matrices", on_cell=lambda: choices.take("matrices", cell=("query", "key"))
    )


def show_heads(view: View) -> None:
    """Every head small, the chosen one large; attention by distance and into memory."""
    prose.show(PAGE, "heads")
    choice, palette = view.choice, view.palette
    layers = view.segment.layers
    small, large = st.columns([5, 6], gap="medium")
    with small:
        components.heads(
            attention_heads.thumbnails(
                layers, layer=choice.layer, head=choice.head, palette=palette
            ),
            key="heads",
            on_head=lambda: choices.take("heads", head=("layer", "head"), counted_from=1),
        )
    with large:
        panel = attention_matrices.weights_panel(
            view.layer,
            head=choice.head,
            name=f"Layer {choice.layer + 1}, head {choice.head + 1}",
            caption="weights of every query in this segment",
        )
        data = attention_matrices.matrices(
            [panel],
            tokens=view.tokens,
            memory_length=view.segment.memory_length,
            ages=view.ages,
            query=choice.query,
            key=view.key,
            palette=palette,
        )
        components.matrices(
            data, key="enlarged", on_cell=lambda: choices.take("enlarged", cell=("query", "key"))
        )
    by_distance = attention_by_distance([one.layers[choice.layer] for one in view.trace.segments])
    left, right = st.columns(2, gap="medium")
    left.plotly_chart(
        attention_heads.distance_curve(
            by_distance,
            layer=choice.layer,
            head=choice.head,
            segment_length=view.segment_length,
            palette=palette,
        ),
        key="distance",
        alt=attention_heads.curve_alt(by_distance, layer=choice.layer, head=choice.head),
    )
    right.plotly_chart(
        attention_heads.memory_bars(layers, layer=choice.layer, head=choice.head, palette=palette),
        key="share",
        alt=attention_heads.share_alt(layers),
    )


def show_segments(view: View) -> None:
    """Step or play through the segments."""
    prose.show(PAGE, "segments")
    data = attention_segments.segment_film(
        view.trace,
        layer=view.choice.layer,
        head=view.choice.head,
        segment=view.choice.segment,
        tokens=view.shown(view.trace.tokens),
        palette=view.palette,
    )
    components.segments(
        data, key="film", on_segment=lambda: choices.take("film", segment="segment")
    )


def show_next_character(view: View) -> None:
    """The likeliest next characters, and the text by surprise with and without memory."""
    without = view.trace_of(RELATIVE, memory_depth=0)
    asking = view.tokens[view.segment.memory_length + view.choice.query]
    prose.show(PAGE, "next", token=prose.literal(asking), query=view.choice.query)
    st.html(
        attention_experiments.guess_lists(
            [
                guesses(
                    view,
                    logits_of(view, view.trace),
                    name="With memory" if view.memory_depth else "As it is",
                ),
                *(
                    [guesses(view, logits_of(view, without), name="Memory taken away")]
                    if view.memory_depth
                    else []
                ),
            ],
            palette=view.palette,
        )
    )
    prose.show(PAGE, "surprise")
    show_surprise(
        view,
        {"With memory": view.trace, "Without memory": without},
        key="surprise",
        is_difference_shown=True,
    )


def show_switches(view: View) -> None:
    """Terms switched off: attention and prediction recomputed."""
    prose.show(PAGE, "switches")
    left, right = st.columns([2, 1])
    on = left.pills(
        "Terms that count",
        TERMS,
        selection_mode="multi",
        default=[name for name in TERMS if name != "b"],
        format_func=lambda name: f"{name}: {TERM_WORDS[name][1]}",
        key="terms",
        persist_state="session",
    )
    scope = right.segmented_control(
        "Switched in",
        (EVERYWHERE, THIS_LAYER, THIS_HEAD),
        default=EVERYWHERE,
        required=True,
        key="scope",
        persist_state="session",
    )
    off = tuple(name for name in TERMS if name not in on)
    switched = view.run_without(
        off,
        layer=None if scope == EVERYWHERE else view.choice.layer,
        head=view.choice.head if scope == THIS_HEAD else None,
    )
    weights = switched.probs[view.choice.segment][view.choice.layer][
        view.choice.head, view.choice.query
    ]
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
    st.html(
        attention_experiments.guess_lists(
            [
                guesses(view, logits_of(view, view.trace), name="All four terms"),
                guesses(
                    view,
                    switched.logits[view.place],
                    name=f"Without {', '.join(off)}" if off else "Same",
                ),
            ],
            palette=view.palette,
        )
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
    traces = {
        "Relative, with memory": view.trace,
        "Absolute, with memory": view.trace_of("absolute"),
        "Relative, trained without memory": view.trace_of("relative-no-memory", memory_depth=0),
    }
    bits = {name: mean_bits(surprise_bits(trace)) for name, trace in traces.items()}
    best = min(bits, key=lambda name: bits[name])
    if len(view.text) > 1:
        prose.show(PAGE, "models finding", name=best.lower(), bits=f"{bits[best]:.2f}")
    prose.show(PAGE, "models")
    show_surprise(view, traces, key="swapped")
    st.html(
        attention_experiments.guess_lists(
            [guesses(view, logits_of(view, trace), name=name) for name, trace in traces.items()],
            palette=view.palette,
        )
    )
    prose.show(PAGE, "models attention", layer=view.choice.layer + 1, head=view.choice.head + 1)
    for name, column in zip(traces, st.columns(len(traces), gap="medium"), strict=True):
        with column:
            show_weights(view, traces[name], name=name)


def show_weights(view: View, trace: ForwardTrace, *, name: str) -> None:
    """The weights of the chosen head of one model."""
    segment = trace.segments[view.choice.segment]
    layer = segment.layers[view.choice.layer]
    memory_length = segment.memory_length
    data = attention_matrices.matrices(
        [
            attention_matrices.weights_panel(
                layer, head=view.choice.head, name=name, caption="weights"
            )
        ],
        tokens=view.shown(trace.key_tokens(view.choice.segment)),
        memory_length=memory_length,
        ages=view.ages[len(view.ages) - layer.probs.shape[2] :],
        query=view.choice.query,
        key=max(0, view.key - view.segment.memory_length + memory_length),
        palette=view.palette,
    )
    components.matrices(data, key=f"weights of {name}")


def show_whole_pass(view: View) -> None:
    """Every operation with its shapes."""
    prose.show(PAGE, "whole pass", segment=view.choice.segment)
    config = models.pretrained(RELATIVE).model.config
    sizes = attention_diagram.Sizes(
        segment_length=len(view.segment.ids),
        memory_length=view.segment.memory_length,
        width=config.d_model,
        head_count=config.n_head,
        head_width=config.d_head,
        inner_width=config.d_inner,
        layer_count=config.n_layer,
        vocabulary_size=config.vocab_size,
    )
    st.html(attention_diagram.diagram(sizes, palette=view.palette))


def show_surprise(
    view: View, traces: dict[str, ForwardTrace], *, key: str, is_difference_shown: bool = False
) -> None:
    """The text by surprise, once for each trace."""
    components.surprise(
        attention_surprise.surprise_panels(
            [
                attention_surprise.Surprise(name, surprise_bits(trace))
                for name, trace in traces.items()
            ],
            tokens=view.shown(view.trace.tokens),
            starts=[segment.start for segment in view.trace.segments],
            palette=view.palette,
            is_difference_shown=is_difference_shown,
        ),
        key=key,
    )


def logits_of(view: View, trace: ForwardTrace) -> FloatArray:
    """(V,) what a model says after the chosen query."""
    row: FloatArray = trace.segments[view.choice.segment].logits[view.choice.query]
    return row


def guesses(view: View, logits: FloatArray, *, name: str) -> attention_experiments.Guesses:
    """The likeliest characters after the chosen query."""
    vocabulary = models.pretrained(RELATIVE).vocabulary
    ids, probs = most_likely(logits, count=GUESS_COUNT)
    has_next = view.place + 1 < len(view.text)
    following = view.trace.tokens[view.place + 1] if has_next else None
    all_ids, all_probs = most_likely(logits, count=len(logits))
    chance = dict(zip(vocabulary.decode(all_ids.tolist()), all_probs, strict=True))
    return attention_experiments.Guesses(
        name=name,
        tokens=tuple(map(texts.visible, vocabulary.decode(ids.tolist()))),
        probs=tuple(map(float, probs)),
        came_next=None if following is None else texts.visible(following),
        came_next_prob=None if following is None else float(chance[following]),
    )


TABS = {
    "Matrices": show_matrices,
    "All heads": show_heads,
    "Segments": show_segments,
    "Next character": show_next_character,
    "Switch terms off": show_switches,
    "Swap the model": show_models,
    "Whole pass": show_whole_pass,
}


@st.fragment
def show(view: View) -> None:
    """The tabs; only the open one runs. A click in one that changes a choice redraws the page."""
    if choices.has_moved():
        st.rerun()
    places = st.tabs(list(TABS), key="view", bind="query-params")
    for place, part in zip(places, TABS.values(), strict=True):
        if place.open:
            with place:
                part(view)
