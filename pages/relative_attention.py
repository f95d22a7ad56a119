"""Relative attention: the reader's text through the model, every score taken apart."""

from functools import partial

import streamlit as st

from xlexplain.figures import attention_scores
from xlexplain.ui import controls, frame, models, texts
from xlexplain.ui.attention import choices, closer, components, tabs
from xlexplain.ui.attention.view import LONGEST_TEXT, RELATIVE, View

NAME = "relative_attention"


def first_screen() -> View:
    """The controls, and one query's scores."""
    L, D, row = controls.segment_and_memory()
    figure = st.container()
    text = texts.choose_text(most=LONGEST_TEXT).text
    view = View(
        segment_length=L,
        memory_depth=D,
        text=text,
        choice=choices.choose(row, text_length=len(text), segment_length=L, memory_depth=D),
        trace=models.trace(RELATIVE, text, segment_length=L, memory_depth=D),
        palette=frame.palette(),
    )
    with figure:
        components.scores(
            attention_scores.score_strip(view.row, key=view.key, palette=view.palette),
            key="scores",
            on_key=partial(choices.take, "scores", key="key"),
            on_query=partial(choices.take, "scores", query="query"),
        )
    texts.notice_unknown(view.trace.unknown, vocab_size=len(models.pretrained(RELATIVE).vocabulary))
    return view


frame.set_up(NAME)
frame.ask(NAME)
frame.draw(first_screen, {"tabs": tabs.show, "closer": closer.show})
frame.close_page(NAME)
