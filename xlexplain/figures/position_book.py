"""The book whose chapters all start at page 1: segments as chapters, positions as pages."""

from __future__ import annotations

from pathlib import Path

from xlexplain.figures.theme import Palette, css_variables
from xlexplain.maths import PositionConflict
from xlexplain.maths.words import counted

MOST_PAGES = 12
STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def book(conflict: PositionConflict, *, position: int, query: int, palette: Palette) -> str:
    """The keys as pages of a book, one chapter a segment, as HTML.

    Page n is position n-1. Each chapter's page at `position` is marked, the reader's bookmark is at
    `query` in the last chapter, and pages after it are still unread. Of long chapters only the
    pages around these are drawn.
    """
    depth = conflict.memory_depth
    chapters = "".join(
        chapter(
            conflict,
            marked=position,
            bookmark=query if ago == 0 else None,
            pages_back=query - position + ago * conflict.segment_length,
            palette=palette,
            segments_ago=ago,
        )
        for ago in range(depth, -1, -1)
    )
    colors = css_variables(palette.css)
    return f'<style>{STYLE}</style><div class="xl-book" style="{colors}">{chapters}</div>'


def chapter(
    conflict: PositionConflict,
    *,
    marked: int,
    bookmark: int | None,
    pages_back: int,
    segments_ago: int,
    palette: Palette,
) -> str:
    """One chapter: the number that is missing, its pages, and where the marked one really lies."""
    pages = ""
    before = -1
    for position in shown_pages(conflict.segment_length, marked=marked, bookmark=bookmark):
        if position > before + 1:
            pages += '<li data-gap="">…</li>'
        pages += page(position, marked=marked, bookmark=bookmark)
        before = position
    colours = f"--fill:{palette.segment(segments_ago)};--edge:{palette.soft}"
    return (
        f'<div class="xl-chapter" style="{colours}"><div>Chapter <span>?</span></div>'
        f"<ol>{pages}</ol>"
        f"<p>page {marked + 1}: <b>{where(pages_back)}</b></p></div>"
    )


def page(position: int, *, marked: int, bookmark: int | None) -> str:
    """One page, numbered from 1."""
    signs = ""
    if position == marked:
        signs += ' data-page=""'
    if bookmark is not None and position == bookmark:
        signs += ' data-reader="" title="your bookmark"'
    if bookmark is not None and position > bookmark:
        signs += ' data-unread="" title="not read yet"'
    return f"<li{signs}>{position + 1}</li>"


def shown_pages(page_count: int, *, marked: int, bookmark: int | None) -> list[int]:
    """The positions drawn of a chapter: all of a short one, else the ends and what is marked.

    >>> shown_pages(32, marked=5, bookmark=20)
    [0, 1, 4, 5, 6, 20, 31]
    """
    if page_count <= MOST_PAGES:
        return list(range(page_count))
    wanted = {0, 1, marked - 1, marked, marked + 1, page_count - 1}
    wanted |= set() if bookmark is None else {bookmark}
    return sorted(position for position in wanted if 0 <= position < page_count)


def where(pages_back: int) -> str:
    """A page's place as a relative encoding gives it.

    >>> where(8), where(1), where(0), where(-3)
    ('8 pages before yours', '1 page before yours', 'the page you are at', 'not read yet')
    """
    if pages_back == 0:
        return "the page you are at"
    if pages_back < 0:
        return "not read yet"
    return f"{counted(pages_back, 'page')} before yours"
