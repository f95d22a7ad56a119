"""What to notice: sentences whose numbers come from what is on the page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from xlexplain.figures.attention_formula import colored_formula
from xlexplain.figures.labels import listed, power_of_ten, signed
from xlexplain.maths.attention_views import repeated_token
from xlexplain.maths.cells import row_terms
from xlexplain.ui import prose
from xlexplain.ui.attention.head_data import PAGE, HeadData


def show(data: HeadData) -> None:
    """The sentences, the formula and the code."""
    prose.show(PAGE, "notice")
    items = same_token(data), shared_by_all(data), border(data)
    st.html(f'<ul class="xl-words">{"".join(items)}</ul>')
    prose.show(PAGE, "formula")
    with st.container(key="formula"):
        st.latex(colored_formula(palette=data.settings.palette))
    prose.show(PAGE, "after the formula")
    prose.show(PAGE, "code")


def same_token(data: HeadData) -> str:
    """What the first layer does with keys that hold the same token."""
    keys = repeated_token(data.tokens, data.row.is_seen.tolist())
    if not keys:
        return prose.section_html(PAGE, "no token twice")
    layer = data.segment.layers[0]
    terms = row_terms(layer, head=data.settings.head, query=data.settings.query)
    what = (terms["a"] + terms["c"])[keys] * layer.scale
    how_far = (terms["b"] + terms["d"])[keys] * layer.scale
    distances = [data.row.cells[key].distance for key in keys]
    return prose.section_html(
        PAGE,
        "same token",
        count=len(keys),
        token=data.tokens[keys[0]],
        distances=listed(shortened(distances)),
        what="not at all" if np.ptp(what) == 0 else f"by {power_of_ten(float(np.ptp(what)))}",
        how_far=f"{np.ptp(how_far):.2f}",
    )


def shortened(distances: Sequence[int], *, most: int = 5) -> list[str]:
    """Of many distances the farthest and the nearest.

    >>> shortened([9, 5, 2]), shortened([9, 7, 5, 4, 3, 1], most=4)
    (['9', '5', '2'], ['9', '…', '3', '1'])
    """
    words = [str(distance) for distance in distances]
    return words if len(words) <= most else [words[0], "…", *words[2 - most :]]


def shared_by_all(data: HeadData) -> str:
    """The mean of each term over the keys that the query sees, after ÷√d_head."""
    means = {name: signed(mean) for name, mean in data.row.means.items()}
    return prose.section_html(PAGE, "shared", **means)


def border(data: HeadData) -> str:
    """The distances at which the current segment ends and memory begins, for the chosen query."""
    query, memory_length = data.settings.query, data.segment.memory_length
    return prose.section_html(
        PAGE,
        "border" if memory_length else "no border",
        inside=query,
        outside=query + 1,
        farthest=query + memory_length,
    )
