"""Below the home page's maps: the story in a minute, and where to go next."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from xlexplain.maths import PositionConflict
from xlexplain.ui import prose, site

NAME = "home"


@dataclass(frozen=True)
class Chapter:
    """The settings and the key that the reader points at."""

    conflict: PositionConflict
    query: int
    key: int

    @property
    def position(self) -> int:
        return self.key % self.conflict.segment_length

    @property
    def seen_key(self) -> int:
        """The chosen key; if the query can't see it, the same position one segment before.

        Without memory there is no such key: then the query's own.
        """
        conflict = self.conflict
        if conflict.visible[self.query, self.key]:
            return self.key
        return self.query if self.is_alone else self.key - conflict.segment_length

    @property
    def is_alone(self) -> bool:
        """Whether there is no memory."""
        return self.conflict.memory_depth == 0

    @property
    def numbers(self) -> dict[str, object]:
        """Values for the prose."""
        conflict, D = self.conflict, self.conflict.memory_depth
        return {
            "L": conflict.segment_length,
            "segments": "segment" if D == 1 else f"{D} segments",
            "S": conflict.key_count,
            "carriers": D + 1,
            "pairs": f"{conflict.collision_count:,}",
            "last": conflict.segment_length - 1,
            "position": int(conflict.encoded[self.seen_key]),
            "page_number": self.position + 1,
            "back": int(conflict.distance[self.query, self.seen_key]),
        }


def minute(chapter: Chapter) -> None:
    """The whole story in a minute."""
    st.header(prose.section(NAME, "minute title"), anchor="one-minute")
    prose.show(NAME, "minute alone" if chapter.is_alone else "minute", **chapter.numbers)
    prose.show(NAME, "paper")


def next_pages(chapter: Chapter) -> None:
    """Where to go next: every page with its question."""
    st.header(prose.section(NAME, "next title"), anchor="next")
    others = [page for page in site.PAGES if page.name != NAME]
    for place, page in zip(st.columns(len(others)), others, strict=True):
        with place.container(border=True, height="stretch"):
            st.page_link(page.script, label=f"**{page.title}**")
            prose.show(page.name, "question", position=chapter.position)
