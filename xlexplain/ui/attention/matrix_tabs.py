"""The chosen query's keys, and the five matrices of the chosen head."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from xlexplain.figures.attention_matrices import MatrixPanel, head_panels, matrices
from xlexplain.figures.attention_scores import (
    BOUND,
    against_bound,
    finding,
    query_bars,
    reasons,
)
from xlexplain.figures.attention_terms import check_table, term_list
from xlexplain.figures.labels import power_of_ten
from xlexplain.maths import AttentionTrace
from xlexplain.maths.cells import largest_residuals
from xlexplain.ui import address, figure, prose
from xlexplain.ui.attention.choices import choose_cell
from xlexplain.ui.attention.head_data import PAGE, HeadData


def show_query(data: HeadData) -> None:
    """One query against all of its keys: what each is, how far back it lies, its weight."""
    row, m = data.row, data.segment.memory_length
    st.html(term_list(d_head=data.layer.query.shape[-1], palette=data.settings.palette))
    figure.show(
        query_bars(row, key=data.key, palette=data.settings.palette),
        key="query-bars",
        alt=f"{finding(row)}. {reasons(row)}",
        on_choose=lambda chosen: address.choose("key", int(chosen["point"][0]) + m),
    )


def show_matrices(data: HeadData) -> None:
    """L × S matrices of the chosen head, and the chosen cell computed twice."""
    prose.show(PAGE, "matrices")
    layer, settings = data.layer, data.settings
    panels = head_panels(layer, head=settings.head)
    left, right = st.columns([5, 3], gap="medium")
    draw_matrices(data, panels, key="matrices", place=left)
    with right:
        st.html(check_table(data.row.cells[data.key], d_head=layer.query.shape[-1]))
        st.markdown(agreement(layer, head=settings.head))


def draw_matrices(
    data: HeadData, panels: Sequence[MatrixPanel], *, key: str, place: DeltaGenerator | None = None
) -> None:
    """Matrices of the chosen segment; a click chooses the cell."""
    settings = data.settings
    figure.show(
        matrices(
            panels,
            tokens=data.tokens,
            query=settings.query,
            key=data.key,
            palette=settings.palette,
        ),
        key=key,
        alt="; ".join(f"{panel.name}: {panel.finding}" for panel in panels),
        on_choose=partial(choose_cell, memory_length=data.segment.memory_length),
        place=place,
    )


def agreement(layer: AttentionTrace, *, head: int) -> str:
    """How far the model is from NumPy at most, against the bound, and why if it is too far."""
    largest = largest_residuals(layer, head=head)
    is_seen = ~layer.is_masked
    sums = np.abs(layer.ac[head] + layer.bd[head])[is_seen]
    words = prose.section(
        PAGE,
        "agreement",
        cells=int(is_seen.sum()),
        score=against_bound(largest["score"]),
        weight=against_bound(largest["weight"]),
        bound=power_of_ten(BOUND),
    )
    if max(largest["score"], largest["weight"]) <= BOUND:
        return words
    step = float(np.spacing(np.float32(sums.max())))
    size = prose.section(PAGE, "rounding", reach=f"{sums.max():.0f}", step=power_of_ten(step))
    return f"{words} {size}"
