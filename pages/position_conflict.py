"""The position conflict: what the model is told about positions, and what is true."""

from functools import partial

import streamlit as st

from xlexplain.figures.position_book import book
from xlexplain.figures.position_growth import fact_boxes
from xlexplain.maths import position_conflict
from xlexplain.ui import controls, frame, position_choices, position_words, prose
from xlexplain.ui.position_closer import closer_look
from xlexplain.ui.position_console import console, download
from xlexplain.ui.position_maps import position_maps
from xlexplain.ui.position_quiz import check_yourself
from xlexplain.ui.position_view import PositionView, choose_characters, facts

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

maps = st.container()
view = PositionView(
    conflict=conflict,
    query=query,
    key=key,
    reading=reading,
    text=choose_characters(conflict),
    palette=frame.palette(),
)
with maps:
    position_maps(
        conflict,
        [
            position_words.told_map(conflict),
            position_words.true_map(conflict, query=query, reading=reading),
        ],
        tokens=view.tokens,
        query=query,
        chosen=key,
        sentences=position_words.sentences(
            conflict, query=query, reading=reading, tokens=view.tokens
        ),
        palette=view.palette,
        key="maps",
        on_choose=partial(position_choices.take_choice, "maps"),
    )
    st.html(fact_boxes(facts(conflict), view.palette))
if frame.is_embedded():
    st.stop()

numbers = view.numbers | {"last": L - 1, "bookmark": query + 1}
left, right = st.columns(2, gap="large")
with left:
    st.header(prose.section(NAME, "notice title"), anchor="notice")
    prose.show(NAME, "notice" if D else "notice without memory", **numbers)
with right:
    st.header(prose.section(NAME, "readings title"), anchor="two-readings")
    prose.show(NAME, "readings", **numbers)

st.header(prose.section(NAME, "closer title"), anchor="closer-look")
closer_look(view)

st.header(prose.section(NAME, "book title"), anchor="book")
prose.show(NAME, "book" if D else "book without memory", **numbers)
st.html(book(conflict, position=view.position, query=query, palette=view.palette))

st.header(prose.section(NAME, "quiz title"), anchor="check-yourself")
check_yourself(view)

st.header(prose.section(NAME, "console title"), anchor="console")
console(view)
download(view)

frame.close_page(NAME)
