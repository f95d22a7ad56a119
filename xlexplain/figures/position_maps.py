"""Positions as tables: rows are segments, columns are positions, a cell is a key.

`key_table` is the data frame of the keys; `conflict_maps` draws it twice, as what the model is told
and as what is true. Pointing at a cell lights its position in both tables, by CSS alone.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from xlexplain.figures.labels import listed, minus
from xlexplain.figures.position_sentences import sentence
from xlexplain.figures.theme import Palette, css_variables
from xlexplain.maths import PositionConflict, segment_name

STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
LEAST_CELL, DIGIT, GAP, ROW_NAMES = 27, 8.5, 3, 52  # px
LEAST_TABLE = 306  # px; with less than two of these, one table stands below the other
MOST_BESIDE = 16  # columns that the widest page has room for twice
LIT = (
    "{--lit-fill:var(--twin);--lit-ink:var(--twin-ink);--lit-line:2px;"
    "--lit-name:var(--ink);--lit-weight:700;--lit-shown:visible}"
)
SIGNS = {
    "current": "τ, the current segment",
    "memory": "kept from before",
    "twin": "told the same position",
    "query": "the query, the token that asks",
    "ahead": "after the query: hidden from it",
}
SPOKEN = {"ahead": "after the query, hidden", "query": "the query", "self": "chosen"}


@dataclass(frozen=True)
class KeyMap:
    """One table: its name, a caption, and the column of the data frame that its cells show.

    Attributes: column: None for cells with tokens only.
    """

    name: str
    caption: str
    column: str | None


def key_table(conflict: PositionConflict, *, query: int, tokens: Sequence[str]) -> pd.DataFrame:
    """The conflict as a table: one row a key, oldest first.

    Distances are tokens back from `query`, negative for keys after it; twins are keys, parted by
    spaces. Keys beyond the tokens given have an empty token.

    >>> conflict = PositionConflict(segment_length=2, memory_depth=1)
    >>> print(key_table(conflict, query=1, tokens="ab").to_csv(index=False).splitlines()[1])
    0,a,τ−1,1,0,-2,3,2
    """
    L, S = conflict.segment_length, conflict.key_count
    carriers = [range(position, S, L) for position in conflict.encoded.tolist()]
    return pd.DataFrame(
        {
            "key": range(S),
            "token": [*tokens[:S], *[""] * (S - len(tokens))],
            "segment": [segment_name(ago) for ago in conflict.segments_ago.tolist()],
            "segments_ago": conflict.segments_ago,
            "encoded": conflict.encoded,
            "offset": conflict.offset,
            "distance_from_query": conflict.distance[query],
            "twins": [
                " ".join(str(other) for other in keys if other != key)
                for key, keys in enumerate(carriers)
            ],
        }
    )


def key_csv(conflict: PositionConflict, *, query: int, tokens: Sequence[str]) -> str:
    """The table as comma-separated values.

    Lines end as RFC 4180 has it, so that Python quotes a token that is a carriage return.
    """
    keys = key_table(conflict, query=query, tokens=tokens)
    return keys.to_csv(index=False, lineterminator="\r\n")


def conflict_maps(
    conflict: PositionConflict,
    *,
    query: int,
    key: int,
    true_means: Literal["distance", "offset"],
    tokens: Sequence[str],
    palette: Palette,
    with_counts: bool = False,
) -> str:
    """What the model is told and what is true, as two linked HTML tables and a sentence.

    Args:
        key: j; it and its twins are lit while no cell is pointed at.
        true_means: what stands in the second table.
        with_counts: add the settings' three numbers.
    """
    is_distance = true_means == "distance"
    each = "every row is the same row" if conflict.memory_depth else "each number once"
    counted = f"tokens back from query {query}" if is_distance else "offset from the start of τ"
    told = KeyMap("What the model is told", f"encoded absolute position: {each}", "encoded")
    true = KeyMap(
        "What is true",
        f"{counted}: every cell differs",
        "distance_from_query" if is_distance else "offset",
    )
    sentences = "".join(
        f'<p data-position="{position}"{" class=lit" if position == conflict.encoded[key] else ""}>'
        + sentence(conflict, position, query=query, true_means=true_means, tokens=tokens)
        + "</p>"
        for position in range(conflict.segment_length)
    )
    return key_maps(
        key_table(conflict, query=query, tokens=tokens),
        [told, true],
        query=query,
        chosen=key,
        palette=palette,
        below=f'<div class="xlm-say">{sentences}</div>{counts(conflict) if with_counts else ""}',
    )


def key_maps(
    keys: pd.DataFrame,
    maps: Sequence[KeyMap],
    *,
    query: int,
    palette: Palette,
    chosen: int | None = None,
    signs: Sequence[str] = tuple(SIGNS),
    marks: Mapping[int, str] | None = None,
    below: str = "",
) -> str:
    """Tables of the keys as HTML with its style sheet.

    Args:
        keys: as `key_table` makes it; further columns may be shown too.
        chosen: key j, lit with its twins; without it the tables are not linked.
        signs: what the legend names; what does not occur is left out.
        marks: "picked", "right" or "wrong" by key.
        below: HTML after the legend.
    """
    L = int(keys["encoded"].max()) + 1
    D = len(keys) // L - 1
    drawn = "".join(
        table(keys, one, query=query, chosen=chosen, marks=marks or {}, palette=palette)
        for one in maps
    )
    numbers = [value for one in maps if one.column for value in keys[one.column]]
    digits = max((len(str(number)) for number in numbers), default=1)
    least = max(LEAST_CELL, round(DIGIT * digits) + 2)
    height = 33 if L > MOST_BESIDE else 44 if D < 3 else 38
    sizes = {
        "columns": str(L),
        "least": f"{least}px",
        "track": f"{max(LEAST_TABLE, ROW_NAMES + L * (least + GAP))}px",
        "height": f"{height}px",
    }
    colors = palette.css | {"memory": palette.memory[0]}
    absent = set() if D else {"memory", "twin"}
    absent |= set() if query < L - 1 else {"ahead"}
    legend = "".join(
        f'<li><i class="{sign}" aria-hidden="true"></i>{SIGNS[sign]}</li>'
        for sign in signs
        if sign not in absent
    )
    return (
        f"<style>{STYLE}{'' if chosen is None else linked(L)}</style>"
        f'<div class="xlm{" xlm-wide" if L > MOST_BESIDE else ""}" '
        f'style="{css_variables(colors | sizes)}"><div class="xlm-pair">{drawn}</div>'
        f'<ul class="xlm-legend">{legend}</ul>{below}</div>'
    )


def linked(column_count: int) -> str:
    """Style rules: the chosen position is lit, or the one that is pointed at, in all tables."""
    pointed = ",".join(
        f'.xlm:has([data-position="{one}"]:hover) [data-position="{one}"]'
        for one in range(column_count)
    )
    reset = "".join(f"{one.split(':')[0]}:initial;" for one in LIT.strip("{}").split(";"))
    return (
        f".xlm .lit{LIT}@media (hover: hover)"
        f"{{.xlm:has([data-position]:hover) .lit{{{reset}}}{pointed}{LIT}}}"
    )


def table(
    keys: pd.DataFrame,
    shown: KeyMap,
    *,
    query: int,
    chosen: int | None,
    marks: Mapping[int, str],
    palette: Palette,
) -> str:
    """One table with its name and caption; it scrolls in a box of its own."""
    L = int(keys["encoded"].max()) + 1
    values = keys[shown.column].map(minus).tolist() if shown.column else [""] * len(keys)
    tokens = [html.escape(token) for token in keys["token"]]
    lit = None if chosen is None else chosen % L

    def cell(key: int) -> str:
        position, ahead = key % L, key - (len(keys) - L) - query
        names = {
            "ahead": ahead > 0,
            "query": ahead == 0,
            "lit": position == lit,
            "self": key == chosen,
            marks.get(key, ""): key in marks,
        }
        classes = [name for name, holds in names.items() if holds]
        spoken = ", ".join(SPOKEN.get(name, name) for name in classes if name != "lit")
        attributes = f' class="{" ".join(classes)}"' if classes else ""
        attributes += f' aria-description="{spoken}"' if spoken else ""
        return (
            f'<td data-key="{key}" data-position="{position}"{attributes}>'
            f"<small>{tokens[key]}</small>{values[key]}</td>"
        )

    rows = ""
    for start in range(0, len(keys), L):
        ago = int(keys["segments_ago"][start])
        rows += (
            f'<tr class="{"memory" if ago else "current"}" style="--fill:{palette.segment(ago)}">'
            f'<th scope="row">{keys["segment"][start]}</th>'
            f"{''.join(map(cell, range(start, start + L)))}</tr>"
        )
    heads = "".join(
        f'<th scope="col" data-position="{one}"{" class=lit" if one == lit else ""}>{one}</th>'
        for one in range(L)
    )
    heading = f"<h2>{shown.name}</h2>" if shown.name else ""
    caption = f"<p>{shown.caption}</p>" if shown.caption else ""
    label = ". ".join(filter(None, (shown.name, shown.caption))) or "The keys by their tokens"
    region = f'tabindex="0" role="region" aria-label="{shown.name or "The keys"}"'
    return (
        f'<section class="xlm-map">{heading}{caption}'
        f'<div class="xlm-scroll" {region}>'
        f'<table aria-label="{label}"><thead><tr><td></td>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div></section>"
    )


def counts(conflict: PositionConflict) -> str:
    """The settings' three numbers, each with what it counts."""
    errors = np.unique(conflict.error)[1:].tolist()
    pairs = conflict.collision_count
    numbers = {
        f"{'pair' if pairs == 1 else 'pairs'} of keys told the same position": f"{pairs:,}",
        f"different positions for {conflict.key_count} keys": conflict.segment_length,
        "tokens too near: what every key of memory is told" if errors else "tokens off": (
            listed(errors, last_word="or") if errors else "0"
        ),
    }
    pairs_of_terms = "".join(
        f"<div><dt>{what}</dt><dd>{number}</dd></div>" for what, number in numbers.items()
    )
    return f'<dl class="xlm-counts">{pairs_of_terms}</dl>'
