"""The streaming figure: segments arrive, states are kept and forgotten, the reach is drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

FOLDER = Path(__file__).parent
KEY = "recurrence stack"

mount = st.components.v2.component(
    "xlexplain.recurrence_stack",
    html=(FOLDER / "stack.html").read_text(encoding="utf-8"),
    css=(FOLDER / "stack.css").read_text(encoding="utf-8"),
    js=(FOLDER / "stack.js").read_text(encoding="utf-8"),
)


def stack(data: dict[str, Any], *, on_choice: Callable[[], None]) -> None:
    """Draw it; the trigger `choice` holds the segment and the token that were stepped to."""
    mount(key=KEY, data=data, on_choice_change=on_choice)
