"""The state of the position page: the settings, the choices and the text, in one value."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle, islice

import streamlit as st

from xlexplain.figures.labels import listed
from xlexplain.figures.theme import Palette
from xlexplain.maths import PositionConflict, segment_name
from xlexplain.ui import controls, position_words
from xlexplain.ui.position_choices import DEFAULT_POSITION
from xlexplain.ui.position_maps import Follow
from xlexplain.ui.position_words import Reading
from xlexplain.ui.texts import OWN, SAMPLES, choose_text, visible

MOST_KEYS = controls.SEGMENT_LENGTH.most * (1 + controls.MEMORY_DEPTH.most)


@dataclass(frozen=True)
class PositionView:
    """What the sections of the page draw.

    Attributes:
        query, key: i and j. reading: what “true” means.
        text: the characters in the cells, at most S. tokens: the same as something to see.
    """

    conflict: PositionConflict
    query: int
    key: int
    reading: Reading
    text: str
    palette: Palette

    @property
    def position(self) -> int:
        """The encoded position of the chosen key."""
        return self.key % self.conflict.segment_length

    @property
    def tokens(self) -> list[str]:
        return [visible(char) for char in self.text]

    @property
    def numbers(self) -> dict[str, object]:
        """Values for the prose."""
        conflict, i = self.conflict, self.query
        L, D, M = conflict.segment_length, conflict.memory_depth, conflict.memory_length
        errors = [ago * L for ago in range(D, -1, -1)]
        return {
            "L": L,
            "D": D,
            "M": M,
            "S": conflict.key_count,
            "query": i,
            "key": self.key,
            "position": self.position,
            "page_number": self.position + 1,
            "bookmark": i + 1,
            "last": L - 1,
            "carriers": D + 1,
            "pairs": f"{conflict.collision_count:,}",
            "errors": listed(errors, last_word="or"),
            "offset": position_words.signed(self.key - M),
            "distance": position_words.signed(M + i - self.key),
            "told_distance": position_words.signed(i - self.position),
            "error": M + i - self.key - (i - self.position),
            "segments_ago": D - self.key // L,
            "segment": segment_name(D - self.key // L),
        }


def choose_characters(conflict: PositionConflict) -> str:
    """The text whose characters stand in the cells; a sample fills them all, one's own may not."""
    S = conflict.key_count
    text = choose_text(most=S).text
    if st.session_state.get("sample") != OWN:
        return filled(text, S)
    if len(text) < S:
        st.caption(
            f":material/info: Your text fills {len(text)} of {S} cells; the others have no token."
        )
    return text


def filled(text: str, count: int) -> str:
    """A text, again and again.

    >>> filled("abc", 7)
    'abcabca'
    """
    return "".join(islice(cycle(text), count))


def follow(text: str) -> Follow:
    """What the maps need to go with the sliders, for a sample or a reader's own `text`."""
    sample = SAMPLES.get(st.session_state.get("sample", ""))
    characters = text if sample is None else filled(sample, MOST_KEYS)
    return Follow(tokens="".join(map(visible, characters)), position=DEFAULT_POSITION)


def facts(conflict: PositionConflict) -> list[tuple[str, str]]:
    """The settings' three numbers, each with what it counts."""
    L, D = conflict.segment_length, conflict.memory_depth
    errors = [ago * L for ago in range(1, D + 1)]
    pairs = conflict.collision_count
    return [
        (f"{pairs:,}", f"pair{'' if pairs == 1 else 's'} of keys told the same position"),
        (f"{L}", f"different positions for {conflict.key_count} keys"),
        (
            listed(errors, last_word="or") if errors else "0",
            "tokens too near: what every key of memory is told" if errors else "tokens off",
        ),
    ]
