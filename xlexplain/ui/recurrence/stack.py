"""The streaming figure: segments arrive, states are kept and forgotten, the reach is drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

FOLDER = Path(__file__).parent
KEY = "recurrence stack"


def read(file: str) -> str:
    """A file of this folder without indents and comment lines: it is sent at every change."""
    lines = map(str.strip, (FOLDER / file).read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


mount = st.components.v2.component(
    "xlexplain.recurrence_stack",
    html=read("stack.html"),
    css=read("stack.css"),
    js="".join(read(part) for part in ("geometry.js", "panel.js", "words.js", "stack.js")),
)


def stack(data: dict[str, Any], *, on_choice: Callable[[], None]) -> None:
    """Draw it; the trigger `choice` holds the segment and the token that were stepped to."""
    mount(key=KEY, data=data, on_choice_change=on_choice)
