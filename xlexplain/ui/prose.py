"""A page's words, from the Markdown file beside it, and how a reader's text gets among them.

Streamlit makes links, icons and arrows of what it finds in Markdown, even of escaped characters.
So nothing that a reader wrote, in the text or in the address, is ever put into Markdown: it is
shown by `notice`, which interprets nothing, or as HTML by `show_html`, which escapes its values.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

import streamlit as st

from xlexplain.maths.words import counted
from xlexplain.ui.site import APP


@lru_cache
def sections_of(page: str) -> dict[str, str]:
    """The sections of `pages/PAGE.md` by title, read once: a run asks for some fifty."""
    path = APP / "pages" / f"{page}.md"
    parts = re.split(r"^## (.+)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(
        zip((title.strip() for title in parts[1::2]), map(str.strip, parts[2::2]), strict=True)
    )


def section(page: str, title: str, **values: object) -> str:
    """A section of `pages/PAGE.md` with every [[name]] replaced by the value of that name.

    [[name|key is|keys are]] stands for the value and what it counts.
    Values are the product's own words and numbers, no reader's text.
    Raises: ValueError for a section that does not exist, or a name without a value.
    """
    sections = sections_of(page)
    if title not in sections:
        raise ValueError(
            f"need one of the sections {', '.join(sections)} of {page}.md, got {title!r}"
        )

    def value(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise ValueError(f"section {title!r} of {page}.md needs a value for [[{match[1]}]]")
        return counted(values[match[1]], match[2], match[3]) if match[2] else str(values[match[1]])

    return re.sub(r"\[\[(\w+)(?:\|([^]|]+)\|([^]|]+))?\]\]", value, sections[title])


def group(page: str, prefix: str) -> dict[str, str]:
    """The sections of `pages/PAGE.md` titled "PREFIX: name", by name: words for a component."""
    start = f"{prefix}: "
    return {
        title.removeprefix(start): words
        for title, words in sections_of(page).items()
        if title.startswith(start)
    }


def show(page: str, title: str, **values: object) -> None:
    """Print a section of the page's prose."""
    st.markdown(section(page, title, **values))


def section_html(page: str, title: str, **values: object) -> str:
    """A section that is written in HTML, with values that may hold a reader's text."""
    return section(page, title, **{name: escape(str(value)) for name, value in values.items()})


def show_html(page: str, title: str, **values: object) -> None:
    """Print a section that is written in HTML."""
    st.html(f'<div class="xl-words">{section_html(page, title, **values)}</div>')


def notice(text: str) -> None:
    """Print a line small, every character as it is."""
    st.text(text)
