"""The one queue of experiments of this server, as the pages see it."""

from __future__ import annotations

import atexit
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from xlexplain.experiments.experiment import Result, Settings
from xlexplain.experiments.record import Record, find_stored
from xlexplain.experiments.runner import Limits, Runner, View


@st.cache_resource(show_spinner=False)
def runner() -> Runner:
    """One for all readers; ends with the server."""
    made = Runner(Limits.from_environment(), is_here=is_here)
    atexit.register(made.close)
    return made


def is_here(reader: str) -> bool:
    """Whether a session's page is connected. True where there is no server to ask."""
    return not Runtime.exists() or Runtime.instance().is_active_session(reader)


def reader() -> str:
    """Who asks: the session of this browser tab."""
    context = get_script_run_ctx()
    return context.session_id if context else ""


@dataclass(frozen=True)
class Found:
    """What there is to show for some settings.

    Attributes:
        result: complete or not; None if there is nothing yet.
        origin: "live", "here" (run on this server), "stored", "kept" (stopped by this reader)
            or "none".
        record: of a complete result.
        view: the run under way, or how the last one ended.
    """

    result: Result | None
    origin: str
    record: Record | None
    view: View | None

    @property
    def is_active(self) -> bool:
        return self.view is not None and self.view.is_active


def find(name: str, settings: Settings) -> Found:
    """A run under way, else a result made here, else a stored one, else what a stop left."""
    view = runner().look(name, settings, reader())
    if view is not None and view.is_active:
        return Found(view.result, "live", None, view)
    record = runner().kept(name, settings)
    if record is not None:
        return Found(record.result, "here", record, view)
    left = st.session_state.get(left_key(name, settings))
    if left is not None:
        return Found(left, "kept", None, view)
    record = find_stored(name, settings)
    if record is not None:
        return Found(record.result, "stored", record, view)
    return Found(
        view.result if view else None, "kept" if view and view.result else "none", None, view
    )


def known(name: str, settings: Settings) -> Record | None:
    """A complete result, made here or stored; without waiting for any run."""
    return runner().kept(name, settings) or find_stored(name, settings)


def ask(name: str, settings: Settings) -> None:
    """Start a run for this reader. Raises: QueueFullError."""
    st.session_state.pop(left_key(name, settings), None)
    runner().ask(name, settings, reader())


def stop(name: str, settings: Settings) -> None:
    """Wait no longer, and keep what there is for this reader."""
    view = runner().stop(name, settings, reader())
    if view is not None and view.result is not None and view.is_active:
        st.session_state[left_key(name, settings)] = view.result


def left_key(name: str, settings: Settings) -> str:
    """Where the session keeps what a stop left."""
    return f"left {name} {settings.digest}"
