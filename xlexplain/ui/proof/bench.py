"""What every experiment has over its figure: where the result comes from, run, progress, stop."""

from __future__ import annotations

from collections.abc import Callable

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from xlexplain.experiments.experiment import Settings
from xlexplain.experiments.record import Record
from xlexplain.experiments.runner import QueueFullError, View
from xlexplain.ui import jobs, prose
from xlexplain.ui.jobs import Found

PAGE = "proof"
SECONDS_BETWEEN_LOOKS = 1.0


def bench(name: str, settings: Settings, *, draw: Callable[[Found], None]) -> None:
    """The controls of one experiment and, by `draw`, its figures; alive while it runs."""
    is_active = jobs.find(name, settings).is_active
    every = SECONDS_BETWEEN_LOOKS if is_active else None
    st.fragment(look_again, run_every=every)(name, settings, draw, is_active)


def look_again(
    name: str, settings: Settings, draw: Callable[[Found], None], was_active: bool
) -> None:
    """One look at the run; the page is run again when it has begun or ended."""
    found = jobs.find(name, settings)
    if found.is_active != was_active:
        st.rerun()
    with st.container(key=f"bench_{name}"):
        if found.view is not None and found.is_active:
            under_way(name, settings, found.view)
        else:
            at_rest(name, settings, found)
    draw(found)


def at_rest(name: str, settings: Settings, found: Found) -> None:
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
    words.markdown(prose.section(PAGE, "run: off") if is_off else origin(found))
    if found.view is not None and found.view.state in ("failed", "stopped"):
        st.warning(prose.literal(found.view.note))


def under_way(name: str, settings: Settings, view: View) -> None:
    """A progress bar with the time left, or the place in the queue; and the way out."""
    button, words = st.columns([1, 4], vertical_alignment="center")
    label = "Leave the queue" if view.state == "waiting" else "Stop, keep this"
    if button.button(label, key=f"stop_{name}", icon=":material/stop:", width="stretch"):
        jobs.stop(name, settings)
        st.rerun()
    words.progress(view.done, text=progress_words(view))


def show_figure(
    place: DeltaGenerator, figure: go.Figure, *, finding: str, key: str, alt: str
) -> None:
    """A figure under its finding, which wraps on a narrow page as a figure's own title cannot."""
    place.markdown(f"**{prose.literal(finding)}**")
    place.plotly_chart(figure, key=key, width="stretch", alt=f"{finding}. {alt}")


def progress_words(view: View) -> str:
    """Where the run stands, in words."""
    if view.state == "waiting":
        words = f"Waiting. Your place in the queue: {view.place}"
    elif view.done == 0:
        words = "Starting: the worker is loading"
    else:
        words = f"Running: {view.done:.0%}"
        if view.seconds_left is not None:
            words += f", about {max(1, round(view.seconds_left))} s left"
    if view.others:
        noun = "reader waits" if view.others == 1 else "readers wait"
        words += f". {view.others} other {noun} for the same run"
    return words


def origin(found: Found) -> str:
    """Where a result comes from, in a sentence."""
    if found.record is not None:
        section = "run: stored" if found.origin == "stored" else "run: here"
        return prose.section(PAGE, section, **origin_values(found.record))
    return prose.section(PAGE, "run: kept" if found.result else "run: none")


def origin_values(record: Record) -> dict[str, object]:
    """A record's origin as values for the prose."""
    return {
        "date": record.date,
        "machine": prose.literal(record.machine),
        "seconds": f"{record.seconds:.0f}" if record.seconds >= 10 else f"{record.seconds:.1f}",
        "seed": record.settings.seed,
    }
