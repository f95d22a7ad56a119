"""Segment recurrence: what memory keeps, and how far back a token reaches because of it."""

import streamlit as st

from xlexplain.ui import address, controls, frame
from xlexplain.ui.later import draw_as_reached
from xlexplain.ui.recurrence import choices, figure, measurement, sections

NAME = "segment_recurrence"

frame.open_page(NAME)
L, D, places = controls.segment_and_memory(extra=3)
choice = choices.choose(places, segment_length=L, memory_depth=D)
drawing = st.container()
text = choices.choose_text(choice.recurrence.length)
with drawing:
    figure.streaming(choice, text)
if frame.is_embedded():
    address.stop()

draw_as_reached(
    NAME,
    {
        "notice": sections.titled("notice", lambda: sections.notice(choice)),
        "measured": sections.titled("measured", lambda: measurement.measurement(choice, text)),
        "formula": sections.titled("formula", lambda: sections.formula(choice)),
        "code": sections.titled("code", sections.code),
        "check": sections.titled("check", lambda: sections.check_yourself(choice)),
        "neighbours": lambda: frame.close_page(NAME),
    },
    settings=(choice, text, frame.palette().is_dark),
)
