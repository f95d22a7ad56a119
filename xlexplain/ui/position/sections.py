"""The short sections of the position page: what to notice, two readings of "true", the book."""

from __future__ import annotations

import streamlit as st

from xlexplain.figures.labels import listed, minus
from xlexplain.figures.position_book import book
from xlexplain.ui import prose
from xlexplain.ui.settings import Settings

PAGE = "position_conflict"


def notice_and_readings(settings: Settings) -> None:
    """What to notice in the maps, beside the two ways to count what is true."""
    left, right = st.columns(2, gap="large")
    with left:
        title = "notice" if settings.memory_depth else "notice without memory"
        prose.show(PAGE, title, **numbers(settings))
    with right:
        prose.show(PAGE, "readings", **numbers(settings))


def chapters(settings: Settings) -> None:
    """The book whose chapters all start at page 1."""
    st.header(prose.section(PAGE, "book title"), anchor="book")
    title = "book" if settings.memory_depth else "book without memory"
    prose.show(PAGE, title, **numbers(settings))
    st.html(
        book(
            settings.conflict,
            position=settings.position,
            query=settings.query,
            palette=settings.palette,
        )
    )


def numbers(settings: Settings) -> dict[str, object]:
    """Values for the prose."""
    conflict, i, j = settings.conflict, settings.query, settings.key or 0
    L, D, M = settings.segment_length, settings.memory_depth, settings.memory_length
    return {
        "L": L,
        "D": D,
        "M": M,
        "S": conflict.key_count,
        "query": i,
        "key": j,
        "position": settings.position,
        "page_number": settings.position + 1,
        "bookmark": i + 1,
        "last": L - 1,
        "carriers": D + 1,
        "pairs": f"{conflict.collision_count:,}",
        "errors": listed([ago * L for ago in range(D, -1, -1)], last_word="or"),
        "offset": minus(conflict.offset[j]),
        "distance": minus(conflict.distance[i, j]),
        "told_distance": minus(conflict.encoded_distance[i, j]),
        "error": conflict.error[i, j],
        "segments_ago": conflict.segments_ago[j],
    }
