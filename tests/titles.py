"""What a figure's title says, however it is wrapped."""

from __future__ import annotations

from typing import Any


def title_of(figure: Any) -> str:
    """The title of a plotly figure, or of one as Streamlit sends it, on one line."""
    return str(figure["layout"]["title"]["text"]).replace("<br>", " ")


def plain(text: str) -> str:
    """A title or subtitle on one line."""
    return text.replace("<br>", " ")
