"""The chosen head's matrices, all heads, the segments in motion, and the whole pass."""

from __future__ import annotations

import streamlit as st

from xlexplain.figures import (
    attention_diagram,
    attention_heads,
    attention_matrices,
    attention_segments,
)
from xlexplain.maths.attention_views import attention_by_distance
from xlexplain.ui import models, prose
from xlexplain.ui.attention import choices, components, facts
from xlexplain.ui.attention.view import PAGE, RELATIVE, View


def show_matrices(view: View) -> None:
    """L × S matrices of the chosen head, and the chosen cell computed twice."""
    prose.show(PAGE, "matrices")
    layer, choice = view.layer, view.choice
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
        note=facts.agreement(layer, head=choice.head),
    )
    components.matrices(
        data, key="matrices", on_cell=choices.moved("matrices", cell=("query", "key"))
    )


def show_heads(view: View) -> None:
    """Every head small, the chosen one large; attention by distance and into memory."""
    prose.show(PAGE, "heads")
    choice, layers = view.choice, view.segment.layers
    small, large = st.columns([5, 6], gap="medium")
    with small:
        components.heads(
            attention_heads.thumbnails(
                layers, layer=choice.layer, head=choice.head, palette=view.palette
            ),
            key="heads",
            on_head=choices.moved("heads", head=("layer", "head"), counted_from=1),
        )
    with large:
        show_enlarged(view)
    by_distance = attention_by_distance([one.layers[choice.layer] for one in view.trace.segments])
    left, right = st.columns(2, gap="medium")
    left.plotly_chart(
        attention_heads.distance_curve(
            by_distance,
            layer=choice.layer,
            head=choice.head,
            segment_length=view.segment_length,
            palette=view.palette,
        ),
        key="distance",
        alt=attention_heads.curve_alt(by_distance, layer=choice.layer, head=choice.head),
    )
    right.plotly_chart(
        attention_heads.memory_bars(
            layers, layer=choice.layer, head=choice.head, palette=view.palette
        ),
        key="share",
        alt=attention_heads.share_alt(layers),
    )


def show_enlarged(view: View) -> None:
    """The weights of the chosen head."""
    choice = view.choice
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
        palette=view.palette,
    )
    components.matrices(
        data, key="enlarged", on_cell=choices.moved("enlarged", cell=("query", "key"))
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
    components.segments(data, key="film", on_segment=choices.moved("film", segment="segment"))


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
