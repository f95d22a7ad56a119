"""All heads beside the chosen one, and every operation of the whole pass."""

from __future__ import annotations

from typing import Any

import streamlit as st

from xlexplain.figures import attention_heads
from xlexplain.figures.attention_diagram import diagram
from xlexplain.figures.attention_matrices import weights_panel
from xlexplain.maths.attention_views import attention_by_distance
from xlexplain.ui import address, figure, models, prose
from xlexplain.ui.attention.head_data import PAGE, RELATIVE, HeadData
from xlexplain.ui.attention.matrix_tabs import draw_matrices


def show_heads(data: HeadData) -> None:
    """Every head small, the chosen one large; attention by distance and into memory."""
    prose.show(PAGE, "heads")
    layers, layer, head = data.segment.layers, data.settings.layer, data.settings.head
    palette = data.settings.palette
    small, large = st.columns([5, 6], gap="medium")
    figure.show(
        attention_heads.all_heads(layers, layer=layer, head=head, palette=palette),
        key="heads",
        alt=attention_heads.heads_alt(layers),
        on_choose=choose_head,
        place=small,
    )
    enlarged = weights_panel(
        data.layer,
        head=head,
        name=f"Layer {layer + 1}, head {head + 1}",
        caption="weights of every query in this segment",
    )
    draw_matrices(data, [enlarged], key="enlarged", place=large)
    left, right = st.columns(2, gap="medium")
    by_distance = attention_by_distance([one.layers[layer] for one in data.trace.segments])
    figure.show(
        attention_heads.distance_curve(
            by_distance,
            layer=layer,
            head=head,
            segment_length=data.settings.segment_length,
            palette=palette,
        ),
        key="distance",
        alt=attention_heads.curve_finding(by_distance, layer=layer, head=head),
        place=left,
    )
    figure.show(
        attention_heads.memory_bars(layers, layer=layer, head=head, palette=palette),
        key="share",
        alt=attention_heads.share_finding(attention_heads.memory_shares(layers)),
        place=right,
    )


def choose_head(chosen: dict[str, Any]) -> None:
    """A click on a small map: the page looks at that head."""
    head, layer = map(int, chosen["point"])
    address.choose("layer", layer + 1)
    address.choose("head", head + 1)


def show_whole_pass(data: HeadData) -> None:
    """Every operation with its shapes."""
    prose.show(PAGE, "whole pass", segment=data.settings.segment)
    inner_width = models.pretrained(RELATIVE).model.config.d_inner
    st.html(diagram(data.segment, inner_width=inner_width, palette=data.settings.palette))
