"""The relative shift: from scores by distance to scores by key, cell by cell."""

import streamlit as st

from xlexplain.ui import controls, frame, texts
from xlexplain.ui.later import draw_as_reached
from xlexplain.ui.shift import sections
from xlexplain.ui.shift.explorer import explore
from xlexplain.ui.shift.scores import MOST_TEXT, choose_scores

NAME = "relative_shift"

frame.open_page(NAME)
segment_length, memory_depth, places = controls.segment_and_memory(extra=3)
figure = st.container()
reader = texts.choose_text(most=MOST_TEXT)
live = choose_scores(places, reader.text, segment_length=segment_length, memory_depth=memory_depth)
below = None if frame.is_embedded() else st.container()
with figure:
    explore(live, below)
if below is not None:
    draw_as_reached(
        NAME,
        {
            "notice": lambda: sections.notice_and_reason(live),
            "saves": lambda: sections.what_it_saves(live),
            "right": lambda: sections.is_it_right(live),
            "pytorch": sections.in_pytorch,
            "neighbours": lambda: frame.close_page(NAME),
        },
        settings=live.signature,
    )
