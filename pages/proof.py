"""The proof: four predictions, what came out, and a button that runs each of them again."""

import streamlit as st

from xlexplain.ui import controls, frame, prose
from xlexplain.ui.proof import choices, chop, glance, guess, real_text, reuse
from xlexplain.ui.proof.choices import Task

NAME = "proof"


def first_screen() -> Task:
    """The controls, and the four results."""
    L, D, row = controls.segment_and_memory()
    task = choices.task(row, segment_length=L, memory_depth=D)
    glance.show_glance(task, palette=frame.palette())
    return task


def experiments(task: Task) -> None:
    """What each of them is, its figures, and its button."""
    st.header(prose.section(NAME, "run title"), anchor="run")
    prose.show(NAME, "run")
    choices.queue()
    prose.show(NAME, "run: text")
    text = choices.text()

    st.header(prose.section(NAME, "chop title"), anchor="chop")
    prose.show(NAME, "chop")
    chop.show(text, segment_length=task.segment_length)

    st.header(prose.section(NAME, "guess title"), anchor="guess")
    explained = "guess" if task.memory_depth else "guess, out of sight"
    prose.show(NAME, explained, K=task.back, V=task.symbol_count)
    guess.show(task)

    st.header(prose.section(NAME, "text title"), anchor="text")
    prose.show(NAME, "text")
    real_text.show(text, segment_length=task.segment_length, memory_depth=task.memory_depth)

    st.header(prose.section(NAME, "reuse title"), anchor="reuse")
    prose.show(NAME, "reuse")
    reuse.show()

    st.header(prose.section(NAME, "alone title"), anchor="alone")
    prose.show(NAME, "alone")


frame.set_up(NAME)
frame.ask(NAME)
frame.draw(first_screen, {"experiments": experiments})
frame.close_page(NAME)
