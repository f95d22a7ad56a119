"""Run an experiment, see how far it is, stop it; and where the result that is shown comes from."""

from __future__ import annotations

from collections.abc import Callable

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from xlexplain.experiments.experiment import Settings
from xlexplain.experiments.memory import ENOUGH_FOR_RUNS, GIB
from xlexplain.experiments.runner import QueueFullError, Status
from xlexplain.maths.words import counted
from xlexplain.ui import figure, jobs, prose
from xlexplain.ui.jobs import Found

PAGE = "proof"
SECONDS_BETWEEN_LOOKS = 1.0


def show(name: str, settings: Settings, *, draw: Callable[[Found], None]) -> None:
    """The controls of one experiment's run and, by `draw`, its figures; alive while it runs."""
    was_active = jobs.find(name, settings).is_active

    @st.fragment(run_every=SECONDS_BETWEEN_LOOKS if was_active else None)
    def show_again() -> None:
        found = jobs.find(name, settings)
        if found.is_active != was_active:  # it has begun or ended, which the whole page shows
            st.rerun()
        with st.container(key=f"run_of_{name}"):
            if found.status is not None and found.is_active:
                offer_stop(name, settings, found.status)
            else:
                offer_run(name, settings, found)
        draw(found)

    show_again()


def offer_run(name: str, settings: Settings, found: Found) -> None:
    """A button that runs it, and where what is shown comes from."""
    button, words = st.columns([1, 4], vertical_alignment="center")
    is_off = jobs.runner().limits.workers == 0
    label = "Run it again here" if found.origin == "here" else "Run it here"
    if button.button(
        label, key=f"run_{name}", icon=":material/play_arrow:", disabled=is_off, width="stretch"
    ):
        try:
            jobs.ask(name, settings)
        except QueueFullError:
            words.warning(prose.section(PAGE, "run: full"))
            return
        st.rerun()
    words.text(switched_off() if is_off else origin(found))
    if found.status is not None and found.status.state in ("failed", "stopped"):
        with st.container(border=True):
            prose.notice(found.status.note)


def switched_off() -> str:
    """Why nothing can be run here."""
    return prose.section(PAGE, "run: off", enough=f"{ENOUGH_FOR_RUNS / GIB:g} GiB")


def offer_stop(name: str, settings: Settings, status: Status) -> None:
    """A progress bar with the time left, or the place in the queue; and the way out."""
    button, words = st.columns([1, 4], vertical_alignment="center")
    label = "Leave the queue" if status.state == "waiting" else "Stop, keep this"
    if button.button(label, key=f"stop_{name}", icon=":material/stop:", width="stretch"):
        jobs.stop(name, settings)
        st.rerun()
    words.progress(status.done, text=progress_words(status))


def progress_words(status: Status) -> str:
    """Where the run stands, in words."""
    if status.state == "waiting":
        words = f"Waiting. Your place in the queue: {status.place}"
    elif status.done == 0:
        words = "Starting: the worker is loading"
    else:
        words = f"Running: {status.done:.0%}"
        if status.seconds_left is not None:
            words += f", about {max(1, round(status.seconds_left))} s left"
    if status.others:
        others = counted(status.others, "other reader waits", "other readers wait")
        words += f". {others} for the same run"
    return words


def origin(found: Found) -> str:
    """Where a result comes from, in a sentence."""
    if found.record is None:
        return prose.section(PAGE, "run: kept" if found.result else "run: none")
    seconds = found.record.seconds
    return prose.section(
        PAGE,
        f"run: {found.origin}",
        date=found.record.date,
        machine=found.record.machine,
        seconds=f"{seconds:.0f}" if seconds >= 10 else f"{seconds:.1f}",
        seed=found.record.settings.seed,
    )


def show_figure(
    picture: go.Figure, *, key: str, numbers: str, place: DeltaGenerator | None = None
) -> None:
    """A figure whose text alternative is its finding and some of its numbers."""
    finding = picture.layout.title.text.replace("<br>", " ")
    figure.show(picture, key=key, alt=f"{finding}. {numbers}.", place=place)
