"""Segment recurrence: what memory keeps, and how far back a token reaches because of it."""

from xlexplain.ui import frame
from xlexplain.ui.recurrence import explanation, first_screen, influence

NAME = "segment_recurrence"

frame.set_up(NAME)
frame.ask(NAME)
frame.draw(
    first_screen.draw,
    {
        "notice": explanation.notice,
        "measured": influence.measurement,
        "formula": explanation.formula,
        "code": explanation.code,
        "check": explanation.check_yourself,
    },
)
frame.close_page(NAME)
