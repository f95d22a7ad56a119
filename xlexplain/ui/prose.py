"""A page's words, from the Markdown file beside it."""

from __future__ import annotations

import re
from functools import lru_cache

import streamlit as st

from xlexplain.ui.site import APP

MARKDOWN_SIGNS = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:^&])")


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

    Values must be safe as Markdown; `literal` makes a reader's text so.
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
        return str(values[match[1]])

    return re.sub(r"\[\[(\w+)\]\]", value, sections[title])


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


def caption(page: str, title: str, **values: object) -> None:
    """Print a section small, as a notice."""
    st.caption(f":material/info: {section(page, title, **values)}")


def literal(text: str) -> str:
    """A reader's text as Markdown that shows exactly its characters.

    >>> literal("<b>*x*")
    '\\\\<b\\\\>\\\\*x\\\\*'
    """
    return MARKDOWN_SIGNS.sub(r"\\\1", text)
