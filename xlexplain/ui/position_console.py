"""The console view: the text that the command prints, the code behind it, and the table as CSV."""

from __future__ import annotations

import inspect

import streamlit as st

from xlexplain.maths import PositionConflict, listing, position_conflict
from xlexplain.maths.listing import conflict_csv, conflict_listing
from xlexplain.ui import prose
from xlexplain.ui.position_view import PositionView
from xlexplain.ui.position_words import PAGE


def console(view: PositionView) -> None:
    """What `python -m xlexplain conflict` prints for these settings; blocks can be copied."""
    st.header(prose.section(PAGE, "console title"), anchor="console")
    conflict = view.conflict
    L, D = conflict.segment_length, conflict.memory_depth
    st.code(
        "python -m xlexplain conflict "
        f"--segment-length {L} --memory-depth {D} --query {view.query}",
        language="bash",
    )
    st.code(
        conflict_listing(segment_length=L, memory_depth=D, query=view.query),
        language=None,
        height=420 if D > 2 else "content",
    )
    for label, source in SOURCES.items():
        code = st.expander(label, key=label, on_change="rerun")
        if code.open:
            code.code(source(), height=480)
    download(view)


def definitions() -> str:
    """The library's own definitions, as they run and as they are tested."""
    return f"{inspect.getsource(PositionConflict)}\n\n{inspect.getsource(position_conflict)}"


def printing() -> str:
    """The module that makes the text."""
    return inspect.getsource(listing)


SOURCES = {"The code that computes these rows": definitions, "The code that prints them": printing}


def download(view: PositionView) -> None:
    """The table of keys as CSV."""
    conflict = view.conflict
    st.download_button(
        "Download the table (CSV)",
        lambda: conflict_csv(conflict, query=view.query, tokens=view.tokens),
        file_name=(
            f"positions-L{conflict.segment_length}-D{conflict.memory_depth}-query{view.query}.csv"
        ),
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
    )
