"""The streaming figure: segments arrive, states are kept and forgotten, the reach is drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from xlexplain.ui.component import register

KEY = "recurrence stack"


mount = register(
    "recurrence_stack",
    Path(__file__).parent,
    html="stack.html",
    css="stack.css",
    js=["geometry.js", "panel.js", "words.js", "stack.js"],
)


def stack(data: dict[str, Any], *, on_choice: Callable[[], None]) -> None:
    """Draw it; the trigger `choice` holds the segment and the token that were stepped to."""
    mount(key=KEY, data=data, on_choice_change=on_choice)
