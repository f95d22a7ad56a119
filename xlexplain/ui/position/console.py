"""The console view: the text that the command prints, the code behind it, and the table as CSV."""

from __future__ import annotations

import inspect

import streamlit as st

from xlexplain.figures.position_maps import key_csv
from xlexplain.maths import PositionConflict, listing, position_conflict
from xlexplain.maths.listing import conflict_listing
from xlexplain.ui import prose
from xlexplain.ui.position.controls import tokens_of
from xlexplain.ui.position.sections import PAGE
from xlexplain.ui.settings import Settings


def console(settings: Settings) -> None:
    """What `python -m xlexplain conflict` prints for these settings; blocks can be copied."""
    st.header(prose.section(PAGE, "console title"), anchor="console")
    L, D, query = settings.segment_length, settings.memory_depth, settings.query
    st.code(
        f"python -m xlexplain conflict --segment-length {L} --memory-depth {D} --query {query}",
        language="bash",
    )
    st.code(
        conflict_listing(segment_length=L, memory_depth=D, query=query),
        language=None,
        height=420 if D > 2 else "content",
    )
    for label, source in SOURCES.items():
        code = st.expander(label, key=label, on_change="rerun")
        if code.open:
            code.code(source(), height=480)
    st.download_button(
        "Download the table (CSV)",
        lambda: key_csv(settings.conflict, query=query, tokens=tokens_of(settings)),
        file_name=f"positions-L{L}-D{D}-query{query}.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
    )


def definitions() -> str:
    """The library's own definitions, as they run and as they are tested."""
    return f"{inspect.getsource(PositionConflict)}\n\n{inspect.getsource(position_conflict)}"


def printing() -> str:
    """The module that makes the text."""
    return inspect.getsource(listing)


SOURCES = {"The code that computes these rows": definitions, "The code that prints them": printing}
