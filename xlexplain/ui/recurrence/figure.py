"""The first screen: the stack of segments and layers, with its words."""

from __future__ import annotations

from typing import Any

from xlexplain.figures.recurrence_stack import alternative, stack_data
from xlexplain.ui import prose, texts
from xlexplain.ui.recurrence import choices
from xlexplain.ui.recurrence.stack import stack

PAGE = "segment_recurrence"


def streaming(choice: choices.Choice) -> None:
    """Draw the figure."""
    data = stack_data(
        choice.recurrence,
        tokens=[texts.visible(char) for char in choice.text],
        segment=choice.segment,
        query=choice.query,
        words=words(),
        palette=choice.palette,
    )
    data["alt"] = alternative(choice.recurrence, position=choice.position)
    data["count"] = choices.taken()
    stack(data, on_choice=choices.take_choice)


def words() -> dict[str, Any]:
    """The templates of the page's prose that the browser fills in."""
    return prose.group(PAGE, "figure") | {"legend": prose.group(PAGE, "legend")}
