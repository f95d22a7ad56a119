"""The first screen of the proof: four claims, each a prediction beside its result."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import quote

from xlexplain.figures.theme import Palette, css_variables

STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
SIGNS = {"relative": "●", "absolute": "■", "sliding": "■", "reused": "●"}


@dataclass(frozen=True)
class Row:
    """One line of a card: who, what was predicted, what was measured."""

    kind: str
    label: str
    predicted: str
    measured: str


@dataclass(frozen=True)
class Card:
    """One claim.

    Attributes:
        anchor: the section where it is run.
        claim, setting: what is claimed, and under which settings the figures were made.
        picture: an SVG. alt: what it shows.
        rows: predictions and results.
        is_held: whether the results are as predicted; None while there are none.
        verdict: that in words. invitation: the words of the link to the section,
            "" for none.
    """

    anchor: str
    claim: str
    setting: str
    picture: str
    alt: str
    rows: tuple[Row, ...]
    is_held: bool | None
    verdict: str
    invitation: str


def glance(cards: tuple[Card, ...], *, palette: Palette) -> str:
    """All cards as HTML: a list of claims, each with a picture and a table."""
    colors = css_variables(palette.css | {"sliding": palette.ink, "reused": palette.relative})
    items = "".join(card_html(card, number) for number, card in enumerate(cards, start=1))
    return f'<style>{STYLE}</style><div class="xl-proof" role="list" style="{colors}">{items}</div>'


def card_html(card: Card, number: int) -> str:
    """One claim."""
    picture = quote(card.picture)
    link = f'<a href="#{card.anchor}">{escape(card.invitation)}</a>' if card.invitation else ""
    rows = "".join(row_html(row) for row in card.rows)
    held = {True: "yes", False: "no", None: "open"}[card.is_held]
    sign = {"yes": "✓", "no": "✗", "open": "…"}[held]
    return (
        f'<div role="listitem" data-held="{held}">'
        f'<h2><span class="number">{number}</span> {escape(card.claim)}</h2>'
        f'<img alt="{escape(card.alt)}" src="data:image/svg+xml,{picture}">'
        f"<table><caption>{escape(card.setting)}</caption>"
        '<thead><tr><td></td><th scope="col">predicted</th><th scope="col">measured</th></tr>'
        "</thead>"
        f"<tbody>{rows}</tbody></table>"
        f'<p class="verdict"><span aria-hidden="true">{sign}</span> {escape(card.verdict)}'
        f"{link}</p></div>"
    )


def row_html(row: Row) -> str:
    """One line of a card's table."""
    return (
        f'<tr data-kind="{row.kind}"><th scope="row"><span aria-hidden="true">'
        f"{SIGNS.get(row.kind, '')}</span> {escape(row.label)}</th>"
        f"<td>{escape(row.predicted)}</td><td><b>{escape(row.measured)}</b></td></tr>"
    )
