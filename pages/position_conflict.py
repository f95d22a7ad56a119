"""The position conflict: what the model is told about positions, and what is true."""

from functools import partial

import streamlit as st

from xlexplain.maths import position_conflict
from xlexplain.ui import controls, frame, position_choices, position_words
from xlexplain.ui.position_maps import position_maps
from xlexplain.ui.texts import SAMPLES, visible

NAME = "position_conflict"

heading = st.container()
L, D, (query_place, key_place, reading_place) = controls.segment_and_memory(extra=3)
conflict = position_conflict(segment_length=L, memory_depth=D)
with query_place:
    query = position_choices.choose_query(L)
with key_place:
    key = position_choices.choose_key(conflict)
with reading_place:
    reading = position_choices.choose_reading()
with heading:
    frame.open_page(NAME, position=key % L)

tokens = [visible(char) for char in SAMPLES["Python reference"][: conflict.key_count]]
position_maps(
    conflict,
    [
        position_words.told_map(conflict),
        position_words.true_map(conflict, query=query, reading=reading),
    ],
    tokens=tokens,
    query=query,
    chosen=key,
    sentences=position_words.sentences(conflict, query=query, reading=reading, tokens=tokens),
    palette=frame.palette(),
    key="maps",
    on_choose=partial(position_choices.take_choice, "maps"),
)
frame.close_page(NAME)
