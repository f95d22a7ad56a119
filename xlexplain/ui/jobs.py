"""The one queue of experiments of this server, as the pages see it."""

from __future__ import annotations

import atexit
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from xlexplain.experiments.experiment import Result, Settings
from xlexplain.experiments.record import Record, find_stored
from xlexplain.experiments.runner import Limits, Runner, Status


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
        status: of the run under way, or how the last one ended.
    """

    result: Result | None
    origin: str
    record: Record | None
    status: Status | None

    @property
    def is_active(self) -> bool:
        return self.status is not None and self.status.is_active


def find(name: str, settings: Settings) -> Found:
    """A run under way, else a result made here, else a partial one kept after Stop, else a stored.

    A reader who has stopped a run does not see it any more, though others may wait for it still.
    """
    stopped = st.session_state.get(stopped_key(name, settings))
    status = None if stopped is not None else runner().status(name, settings, reader())
    if status is not None and status.is_active:
        return Found(status.result, "live", None, status)
    if record := runner().kept(name, settings):
        return Found(record.result, "here", record, status)
    if stopped:
        return Found(stopped, "kept", None, status)
    if record := find_stored(name, settings):
        return Found(record.result, "stored", record, status)
    partial = status.result if status is not None else None
    return Found(partial, "kept" if partial else "none", None, status)


def known(name: str, settings: Settings) -> Record | None:
    """A complete result, made here or stored; without waiting for any run."""
    return runner().kept(name, settings) or find_stored(name, settings)


def ask(name: str, settings: Settings) -> None:
    """Start a run for this reader. Raises: QueueFullError."""
    st.session_state.pop(stopped_key(name, settings), None)
    runner().ask(name, settings, reader())


def stop(name: str, settings: Settings) -> None:
    """Wait no longer, and keep what there is for this reader."""
    status = runner().stop(name, settings, reader())
    if status is not None and status.is_active:
        st.session_state[stopped_key(name, settings)] = status.result or {}


def stopped_key(name: str, settings: Settings) -> str:
    """Where the session keeps the partial result after Stop."""
    return f"stopped {name} {settings.digest}"
