"""Home: the one-minute version."""

from functools import partial
from itertools import cycle, islice

import streamlit as st

from xlexplain.figures.position_book import book
from xlexplain.maths import position_conflict
from xlexplain.ui import address, controls, frame, position_choices, position_words, prose, site
from xlexplain.ui.position_maps import position_maps
from xlexplain.ui.texts import SAMPLES, visible

NAME = "home"

frame.open_page(NAME)
L, D, _ = controls.segment_and_memory()
conflict = position_conflict(segment_length=L, memory_depth=D)
query = min(position_choices.DEFAULT_POSITION, L - 1)
key = position_choices.chosen_key(conflict, default=query)
palette = frame.palette()
position = key % L
back = int(conflict.distance[query, key])
tokens = [visible(char) for char in islice(cycle(SAMPLES["Python reference"]), conflict.key_count)]
numbers = {
    "L": L,
    "segments": "segment" if D == 1 else f"{D} segments",
    "S": conflict.key_count,
    "carriers": D + 1,
    "pairs": f"{conflict.collision_count:,}",
    "last": L - 1,
    "position": position,
    "page_number": position + 1,
    "back": back if back >= 0 else query,
}

prose.show(NAME, "book" if D else "book alone", **numbers)
st.html(book(conflict, position=position, query=query, palette=palette))

position_maps(
    conflict,
    [
        position_words.told_map(conflict),
        position_words.true_map(conflict, query=query, reading="distance"),
    ],
    tokens=tokens,
    query=query,
    chosen=key,
    sentences=position_words.sentences(conflict, query=query, reading="distance", tokens=tokens),
    palette=palette,
    key="maps",
    on_choose=partial(position_choices.take_choice, "maps"),
)
if frame.is_embedded():
    address.stop()

st.header(prose.section(NAME, "minute title"), anchor="one-minute")
prose.show(NAME, "minute" if D else "minute alone", **numbers)

st.header(prose.section(NAME, "next title"), anchor="next")
pages = [page for page in site.PAGES if page.name != NAME]
for first in range(0, len(pages), 3):
    for place, page in zip(st.columns(3), pages[first : first + 3], strict=False):
        with place.container(border=True, height="stretch"):
            st.page_link(page.script, label=f"**{page.title}**", icon=":material/arrow_forward:")
            prose.show(page.name, "question", position=position)

frame.close_page(NAME)
