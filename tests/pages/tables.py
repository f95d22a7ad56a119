"""Tables of keys read back from what a page sends to the browser."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass

from streamlit.testing.v1 import AppTest

from tests.pages.drawn import component

CELL = re.compile(
    r'<td data-key="(\d+)" data-position="(\d+)"([^>]*)><small>(.*?)</small>(.*?)</td>', re.DOTALL
)


@dataclass(frozen=True)
class Cell:
    """One key in one table: its classes say what marks it."""

    key: int
    position: int
    classes: frozenset[str]
    token: str
    value: str


def tables_html(app: AppTest, key: str = "maps") -> str:
    """What the component of that key puts in place."""
    source: str = json.loads(component(app, key).json)["html"]
    return source


def cells_in(source: str) -> list[list[Cell]]:
    """The cells of every table, in order."""
    return [
        [
            Cell(
                int(key),
                int(position),
                frozenset(" ".join(re.findall(r'class="([^"]*)"', attributes)).split()),
                html.unescape(token),
                html.unescape(value),
            )
            for key, position, attributes, token, value in CELL.findall(table)
        ]
        for table in re.findall(r"<table.*?</table>", source, re.DOTALL)
    ]


def cells_of(app: AppTest, key: str = "maps") -> list[list[Cell]]:
    """The cells of every table that a page shows."""
    return cells_in(tables_html(app, key))


def with_class(cells: list[Cell], name: str) -> list[int]:
    """The keys of cells that are marked so."""
    return [cell.key for cell in cells if name in cell.classes]


def sentences_of(source: str) -> list[str]:
    """The sentence of every position, as text with its marks."""
    (said,) = re.findall(r'<div class="xlm-say">(.*?)</div>', source, re.DOTALL)
    return re.findall(r"<p [^>]*>(.*?)</p>", said, re.DOTALL)
