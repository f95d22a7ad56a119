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
    """A run under way, else a result made here, else what a stop left, else a stored result.

    A reader who has stopped a run does not see it any more, though others may wait for it still.
    """
    left = st.session_state.get(left_key(name, settings))
    view = None if left is not None else runner().look(name, settings, reader())
    if view is not None and view.is_active:
        return Found(view.result, "live", None, view)
    record = runner().kept(name, settings)
    if record is not None:
        return Found(record.result, "here", record, view)
    if left:
        return Found(left, "kept", None, view)
    record = find_stored(name, settings)
    if record is not None:
        return Found(record.result, "stored", record, view)
    partial = view.result if view is not None else None
    return Found(partial, "kept" if partial else "none", None, view)


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
    if view is not None and view.is_active:
        st.session_state[left_key(name, settings)] = view.result or {}


def left_key(name: str, settings: Settings) -> str:
    """Where the session keeps what a stop left."""
    return f"left {name} {settings.digest}"
