"""The home page's book, the story in a minute, and where to go next."""

from __future__ import annotations

import streamlit as st

from xlexplain.figures.position_book import book
from xlexplain.maths import PositionConflict
from xlexplain.ui import prose, site
from xlexplain.ui.settings import Settings

NAME = "home"


def show_book(settings: Settings) -> None:
    """The book whose chapters all start at page 1."""
    title = "book" if settings.memory_depth else "book alone"
    prose.show(NAME, title, **numbers(settings))
    st.html(
        book(
            settings.conflict,
            position=settings.position,
            query=settings.query,
            palette=settings.palette,
        )
    )


def minute(settings: Settings) -> None:
    """The whole story in a minute."""
    st.header(prose.section(NAME, "minute title"), anchor="one-minute")
    title = "minute" if settings.memory_depth else "minute alone"
    prose.show(NAME, title, **numbers(settings))
    prose.show(NAME, "paper")


def next_pages(settings: Settings) -> None:
    """Where to go next: every page with its question."""
    st.header(prose.section(NAME, "next title"), anchor="next")
    others = [page for page in site.PAGES if page.name != NAME]
    for place, page in zip(st.columns(len(others)), others, strict=True):
        with place.container(border=True, height="stretch"):
            st.page_link(page.script, label=f"**{page.title}**")
            prose.show(page.name, "question", position=settings.position)


def numbers(settings: Settings) -> dict[str, object]:
    """Values for the prose."""
    conflict, D = settings.conflict, settings.memory_depth
    seen = seen_key(conflict, settings.key or 0, query=settings.query)
    return {
        "L": settings.segment_length,
        "segments": "segment" if D == 1 else f"{D} segments",
        "S": conflict.key_count,
        "carriers": D + 1,
        "pairs": f"{conflict.collision_count:,}",
        "last": settings.segment_length - 1,
        "position": int(conflict.encoded[seen]),
        "page_number": settings.position + 1,
        "back": int(conflict.distance[settings.query, seen]),
    }


def seen_key(conflict: PositionConflict, key: int, *, query: int) -> int:
    """A key that the query sees: `key`, or the same position one segment before.

    Without memory there is no such key: then the query's own.
    """
    if conflict.visible[query, key]:
        return key
    return key - conflict.segment_length if conflict.memory_depth else query
