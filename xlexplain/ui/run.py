"""What Streamlit says of the run that is under way."""

from __future__ import annotations

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState


def page() -> str:
    """Which page it is for, by Streamlit's hash."""
    ctx = get_script_run_ctx()
    return "" if ctx is None else ctx.page_script_hash


def is_history() -> bool:
    """Whether it is for the browser's Back or Forward."""
    ctx = get_script_run_ctx()
    return ctx is not None and ctx.is_history_navigation


def parts() -> tuple[str, ...]:
    """The fragments that are to be drawn, by Streamlit's names; none if it is the whole page."""
    ctx = get_script_run_ctx()
    return () if ctx is None else tuple(ctx.fragment_ids_this_run or ())


def part() -> str:
    """The fragment that is being drawn; "" outside of any."""
    return ThreadState.get().fragment_id or ""
