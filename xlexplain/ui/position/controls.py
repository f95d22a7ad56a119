"""The controls of pages about positions: query, key, text, and how to count what is true."""

from __future__ import annotations

from itertools import cycle, islice

import streamlit as st

from xlexplain.figures.position_sentences import key_label
from xlexplain.ui import controls, prose
from xlexplain.ui.settings import Settings, TrueMeans
from xlexplain.ui.texts import OWN, choose_text, visible

DEFAULT_POSITION = 5
TRUE_MEANS: tuple[TrueMeans, ...] = ("distance", "offset")


def choose_query(segment_length: int) -> int:
    """The query i, a slider bound to `query`."""
    return controls.bounded_slider(
        "Query",
        "query",
        most=segment_length - 1,
        default=DEFAULT_POSITION,
        help="i: the token of the current segment that asks.",
    )


def choose_true_means() -> TrueMeans:
    """What “true” means, bound to `true`."""
    chosen = controls.bound_option(
        "True means",
        "true",
        TRUE_MEANS,
        help="Distance: tokens back from the query. Offset: place from the start of τ.",
    )
    return "offset" if chosen == "offset" else "distance"


def choose_characters(key_count: int) -> str:
    """The text whose characters stand in the cells; a sample fills them all, one's own may not."""
    text = choose_text(most=key_count).text
    if st.session_state.get("sample") != OWN:
        return filled(text, key_count)
    if len(text) < key_count:
        prose.notice(f"Your text fills {len(text)} of {key_count} cells; the rest has no token.")
    return text


def filled(text: str, count: int) -> str:
    """A text, again and again.

    >>> filled("abc", 7)
    'abcabca'
    """
    return "".join(islice(cycle(text), count))


def tokens_of(settings: Settings) -> list[str]:
    """The text's characters as something to see."""
    return [visible(char) for char in settings.text]


def choose_key(settings: Settings, *, default: int = DEFAULT_POSITION) -> int:
    """The key j, a select box bound to `key`, where other pages have it too.

    A value from the URL that is no key falls back, with a notice until the reader chooses. A key
    that the settings no longer have becomes the one of the same position in τ.
    """
    conflict, tokens = settings.conflict, tokens_of(settings)
    last = conflict.key_count - 1
    limits = controls.Range("Key", "key", 0, last, min(default, last))

    def twin(key: int) -> int:
        return key if key <= last else conflict.memory_length + key % conflict.segment_length

    def label_of(key: int) -> str:
        return key_label(conflict, key, tokens)

    controls.load_number(limits, fit=twin)
    st.session_state["key"] = st.session_state["key"]  # kept when the options change
    value = st.selectbox(
        "Key",
        range(last + 1),
        key="key",
        format_func=label_of,
        help="j: the token that is looked at. Or click it in the tables.",
        on_change=controls.chosen("key"),
    )
    return controls.save_number(limits, value, label_of=label_of)
