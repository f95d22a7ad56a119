"""A page's words, from the Markdown file beside it."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

import streamlit as st

PAGES = Path(__file__).parents[2] / "pages"
MARKDOWN_SIGNS = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:^&])")


@lru_cache(maxsize=64)
def _sections(path: Path, modified: float) -> dict[str, str]:
    parts = re.split(r"^## (.+)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(
        zip((title.strip() for title in parts[1::2]), map(str.strip, parts[2::2]), strict=True)
    )


def sections_of(page: str) -> tuple[Path, dict[str, str]]:
    """The page's file and what stands in it now; called some fifty times a run."""
    path = _path(page)
    return path, _sections(path, os.stat(path).st_mtime)


@lru_cache(maxsize=64)
def _path(page: str) -> Path:
    return PAGES / f"{page}.md"


def section(page: str, title: str, **values: object) -> str:
    """A section of `pages/PAGE.md` with every [[name]] replaced by the value of that name.

    Values must be safe as Markdown; `literal` makes a reader's text so.
    Raises: ValueError for a section that does not exist, or a name without a value.
    """
    path, sections = sections_of(page)
    if title not in sections:
        raise ValueError(
            f"need one of the sections {', '.join(sections)} of {path.name}, got {title!r}"
        )

    def value(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise ValueError(f"section {title!r} of {path.name} needs a value for [[{match[1]}]]")
        return str(values[match[1]])

    return re.sub(r"\[\[(\w+)\]\]", value, sections[title])


def group(page: str, prefix: str) -> dict[str, str]:
    """The sections of `pages/PAGE.md` titled "PREFIX: name", by name: words for a component."""
    start = f"{prefix}: "
    return {
        title.removeprefix(start): words
        for title, words in sections_of(page)[1].items()
        if title.startswith(start)
    }


def show(page: str, title: str, **values: object) -> None:
    """Print a section of the page's prose."""
    st.markdown(section(page, title, **values))


def literal(text: str) -> str:
    """A reader's text as Markdown that shows exactly its characters.

    >>> literal("<b>*x*")
    '\\\\<b\\\\>\\\\*x\\\\*'
    """
    return MARKDOWN_SIGNS.sub(r"\\\1", text)
