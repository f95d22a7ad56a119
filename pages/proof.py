"""The proof: four predictions, what came out, and a button that runs each of them again."""

from dataclasses import replace

import streamlit as st

from xlexplain.ui import controls, frame, jobs, prose, texts
from xlexplain.ui.proof import chop, claims, guess, real_text, reuse
from xlexplain.ui.settings import Settings

NAME = "proof"


def first_screen() -> Settings:
    """The controls, and the four results."""
    L, D, row = controls.segment_and_memory()
    settings = guess.choose_task(row, segment_length=L, memory_depth=D)
    claims.show(settings)
    return settings


def experiments(settings: Settings) -> None:
    """What each of them is, its figures, and its button."""
    st.header(prose.section(NAME, "run title"), anchor="run")
    prose.show(NAME, "run")
    workers = jobs.runner().limits.workers
    if workers:
        prose.show(NAME, "run: queue", runs="one run" if workers == 1 else f"up to {workers} runs")
    prose.show(NAME, "run: text")
    settings = replace(settings, text=texts.choose_text(most=real_text.MOST_TEXT).text)

    st.header(prose.section(NAME, "chop title"), anchor="chop")
    prose.show(NAME, "chop")
    chop.show(settings)

    st.header(prose.section(NAME, "guess title"), anchor="guess")
    explained = "guess" if settings.memory_depth else "guess, out of sight"
    prose.show(NAME, explained, K=settings.back, V=settings.symbol_count)
    guess.show(settings)

    st.header(prose.section(NAME, "text title"), anchor="text")
    prose.show(NAME, "text")
    real_text.show(settings)

    st.header(prose.section(NAME, "reuse title"), anchor="reuse")
    prose.show(NAME, "reuse")
    reuse.show(settings)

    st.header(prose.section(NAME, "alone title"), anchor="alone")
    prose.show(NAME, "alone")


frame.set_up(NAME)
frame.ask(NAME)
frame.draw(first_screen, {"experiments": experiments})
frame.close_page(NAME)
