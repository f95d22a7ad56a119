"""What stands below the figure: notes, formula, code, a question."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import streamlit as st

from xlexplain.figures.recurrence_influence import in_layers
from xlexplain.maths import earliest_read, receptive_field
from xlexplain.ui import prose
from xlexplain.ui.recurrence.choices import Choice

PAGE = "segment_recurrence"


def titled(name: str, show: Callable[[Choice], None]) -> Callable[[Choice], None]:
    """A section under its title."""

    def draw(choice: Choice) -> None:
        st.header(prose.section(PAGE, f"{name} title"), anchor=name)
        show(choice)

    return draw


def notice(choice: Choice) -> None:
    """What the figure shows, in sentences."""
    recurrence = choice.recurrence
    L, M = recurrence.segment_length, recurrence.memory_length
    full = L - 1 + recurrence.layer_count * M
    title = "notice one layer" if recurrence.layer_count == 1 else "notice"
    prose.show(
        PAGE,
        title if M else "notice without memory",
        layers=in_layers(recurrence.layer_count),
        memory=M,
        kept=recurrence.layer_count * M,
        first_reach=recurrence.reach(L - 1),
        full_reach=full,
        beyond=full - (L - 1) - M,
    )


def formula(choice: Choice) -> None:
    """The reach formula with the page's numbers in it."""
    recurrence = choice.recurrence
    L, M = recurrence.segment_length, recurrence.memory_length
    prose.show(
        PAGE,
        "formula",
        place=L - 1,
        layers=recurrence.layer_count,
        memory=M,
        full=L - 1 + recurrence.layer_count * M,
    )


def code(_: Choice) -> None:
    """The model's two lines, and the function that the figure is drawn with."""
    prose.show(PAGE, "code")
    prose.show(PAGE, "code reach")
    st.code(f"{inspect.getsource(earliest_read)}\n\n{inspect.getsource(receptive_field)}")


def check_yourself(choice: Choice) -> None:
    """Ask for the reach of a segment's first token at the current settings."""
    recurrence = choice.recurrence
    answer = recurrence.layer_count * recurrence.memory_length
    numbers = {
        "segment_length": recurrence.segment_length,
        "depth": recurrence.memory_depth,
        "layers": in_layers(recurrence.layer_count),
        "count": recurrence.layer_count,
        "memory": recurrence.memory_length,
        "answer": answer,
    }
    prose.show(PAGE, "check", **numbers)
    given = st.number_input(
        "Tokens back",
        min_value=0,
        max_value=9999,
        value=None,
        step=1,
        key=f"reach of the first token {recurrence}",
        placeholder="your answer",
        width=200,
    )
    if given is None:
        return
    if given == answer:
        st.success(prose.section(PAGE, "check right", **numbers), icon=":material/check:")
    else:
        st.info(prose.section(PAGE, "check wrong", given=given, **numbers), icon=":material/close:")
