"""The relative shift: from scores by distance to scores by key, cell by cell."""

import streamlit as st

from xlexplain.ui import controls, frame, texts
from xlexplain.ui.shift import sections
from xlexplain.ui.shift.explorer import explore
from xlexplain.ui.shift.scores import MOST_TEXT, choose_scores

frame.open_page("relative_shift")
segment_length, memory_depth, places = controls.segment_and_memory(extra=3)
figure = st.container()
reader = texts.choose_text(most=MOST_TEXT)
live = choose_scores(places, reader.text, segment_length=segment_length, memory_depth=memory_depth)
below = None if frame.is_embedded() else st.container()
with figure:
    explore(live, below)
if below is not None:
    notice, reason = st.columns(2, gap="large")
    with notice:
        sections.what_to_notice(live)
    with reason:
        sections.why_it_works()
    sections.what_it_saves(live)
    sections.is_it_right(live)
    sections.in_pytorch()
frame.close_page("relative_shift")
