"""What stands below the figure: notes, formula, code, a question."""

from __future__ import annotations

import inspect

import streamlit as st

from xlexplain.maths import earliest_read, receptive_field
from xlexplain.maths.words import counted
from xlexplain.ui import prose
from xlexplain.ui.settings import Settings

PAGE = "segment_recurrence"


def title(name: str) -> None:
    """A section's title."""
    st.header(prose.section(PAGE, f"{name} title"), anchor=name)


def notice(settings: Settings) -> None:
    """What the figure shows, in sentences."""
    title("notice")
    M, kept = settings.memory_length, settings.layer_count * settings.memory_length
    some = "notice one layer" if settings.layer_count == 1 else "notice"
    prose.show(
        PAGE,
        some if M else "notice without memory",
        layers=counted(settings.layer_count, "layer"),
        memory=M,
        kept=kept,
        first_reach=settings.segment_length - 1,
        full_reach=settings.segment_length - 1 + kept,
        beyond=kept - M,
    )


def formula(settings: Settings) -> None:
    """The reach formula with the page's numbers in it."""
    title("formula")
    place, M = settings.segment_length - 1, settings.memory_length
    prose.show(
        PAGE,
        "formula",
        place=place,
        layers=settings.layer_count,
        memory=M,
        full=place + settings.layer_count * M,
    )


def code(_: Settings) -> None:
    """The model's two lines, and the function that the figure is drawn with."""
    title("code")
    prose.show(PAGE, "code")
    prose.show(PAGE, "code reach")
    st.code(f"{inspect.getsource(earliest_read)}\n\n{inspect.getsource(receptive_field)}")


def check_yourself(settings: Settings) -> None:
    """Ask for the reach of a segment's first token at the current settings."""
    title("check")
    L, D, layers = settings.segment_length, settings.memory_depth, settings.layer_count
    answer = layers * settings.memory_length
    numbers = {
        "segment_length": L,
        "depth": D,
        "layers": counted(layers, "layer"),
        "count": layers,
        "memory": settings.memory_length,
        "answer": answer,
    }
    prose.show(PAGE, "check", **numbers)
    given = st.number_input(
        "Tokens back",
        min_value=0,
        max_value=9999,
        value=None,
        step=1,
        key=f"reach of the first token {L} {D} {layers}",
        placeholder="your answer",
        width=200,
    )
    if given is None:
        return
    if given == answer:
        st.success(prose.section(PAGE, "check right", **numbers), icon=":material/check:")
    else:
        st.info(prose.section(PAGE, "check wrong", given=given, **numbers), icon=":material/close:")
