"""Relative attention: the reader's text through the model, every score taken apart."""

import streamlit as st

from xlexplain.figures import attention_scores
from xlexplain.ui import address, controls, frame, models, texts
from xlexplain.ui.attention import choices, closer, components, tabs
from xlexplain.ui.attention.view import LONGEST_TEXT, RELATIVE, View
from xlexplain.ui.later import draw_as_reached

NAME = "relative_attention"

frame.open_page(NAME)
L, D, places = controls.segment_and_memory(extra=2)
figure = st.container()
text = texts.choose_text(most=LONGEST_TEXT).text
choice = choices.choose(places, text_length=len(text), segment_length=L, memory_depth=D)
view = View(
    segment_length=L,
    memory_depth=D,
    text=text,
    choice=choice,
    trace=models.trace(RELATIVE, text, segment_length=L, memory_depth=D),
    palette=frame.palette(),
)
with figure:
    components.scores(
        attention_scores.score_strip(view.row, key=view.key, palette=view.palette),
        key="scores",
        on_key=lambda: choices.take("scores", key="key"),
        on_query=lambda: choices.take("scores", query="query"),
    )
texts.notice_unknown(view.trace.unknown, vocab_size=len(models.pretrained(RELATIVE).vocabulary))
if frame.is_embedded():
    address.stop()
choices.has_moved()
draw_as_reached(
    NAME,
    {
        "tabs": lambda: tabs.show(view),
        "closer": lambda: closer.show(view),
        "neighbours": lambda: frame.close_page(NAME),
    },
    settings=(L, D, text, choice, view.palette.is_dark),
)
