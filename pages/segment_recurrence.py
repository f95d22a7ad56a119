"""Segment recurrence: what memory keeps, and how far back a token reaches because of it."""

import streamlit as st

from xlexplain.ui import address, controls, frame, prose
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

st.header(prose.section(NAME, "notice title"), anchor="notice")
sections.notice(choice)

st.header(prose.section(NAME, "measured title"), anchor="measured")
measurement.measurement(choice, text)

st.header(prose.section(NAME, "formula title"), anchor="formula")
sections.formula(choice)

st.header(prose.section(NAME, "code title"), anchor="code")
sections.code()

st.header(prose.section(NAME, "check title"), anchor="check")
sections.check_yourself(choice)

frame.close_page(NAME)
