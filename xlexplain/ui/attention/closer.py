"""What stands below the tabs: what to notice, the formula, the code."""

from __future__ import annotations

import streamlit as st

from xlexplain.figures.attention_formula import coloured_formula
from xlexplain.ui import prose
from xlexplain.ui.attention import facts
from xlexplain.ui.attention.view import PAGE, View


def show(view: View) -> None:
    """Print the page's closing part."""
    has_memory = view.segment.memory_length > 0
    border = prose.section(PAGE, "border" if has_memory else "no border", **facts.border(view))
    prose.show(PAGE, "notice")
    st.markdown(
        "\n".join(
            (
                facts.same_token(view),
                prose.section(PAGE, "shared", **facts.shared_by_all(view)),
                border,
            )
        )
    )
    prose.show(PAGE, "formula")
    with st.container(key="formula"):
        st.latex(coloured_formula(view.palette))
    prose.show(PAGE, "after the formula")
    prose.show(PAGE, "code")
