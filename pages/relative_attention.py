"""Relative attention: the reader's text through the model, every score taken apart."""

import streamlit as st

from xlexplain.ui import controls, frame, models, texts
from xlexplain.ui.attention import choices, film, notice, tabs
from xlexplain.ui.attention.head_data import LONGEST_TEXT, RELATIVE, HeadData
from xlexplain.ui.settings import Settings

NAME = "relative_attention"


def first_screen() -> HeadData:
    """The controls, and one head watched through the segments."""
    L, D, row = controls.segment_and_memory()
    place = st.container()
    text = texts.choose_text(most=LONGEST_TEXT).text
    settings = choices.choose(row, Settings(L, D, text=text, palette=frame.palette()))
    trace = models.trace(RELATIVE, text, segment_length=L, memory_depth=D)
    data = HeadData(settings, trace)
    with place:
        film.show(data)
    texts.notice_unknown(trace.unknown, vocab_size=len(models.pretrained(RELATIVE).vocabulary))
    return data


frame.set_up(NAME)
frame.ask(NAME)
frame.draw(first_screen, {"tabs": tabs.show, "notice": notice.show})
frame.close_page(NAME)
