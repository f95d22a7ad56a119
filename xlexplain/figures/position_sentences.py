"""What the maps of positions say in words."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Literal

import numpy as np

from xlexplain.figures.labels import listed, minus
from xlexplain.maths import PositionConflict, segment_name

FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"


def quoted(token: str) -> str:
    """A token in quotes, kept from turning the direction of the text around it."""
    return f"‘{FIRST_STRONG_ISOLATE}{token}{POP_ISOLATE}’"


def segment_of(conflict: PositionConflict, key: int) -> str:
    """The name of a key's segment."""
    return segment_name(conflict.memory_depth - key // conflict.segment_length)


def key_name(conflict: PositionConflict, key: int, tokens: Sequence[str]) -> str:
    """A key by its token and its segment, in a sentence."""
    token = quoted(tokens[key]) if key < len(tokens) else f"number {key}"
    return f"key {token} in {segment_of(conflict, key)}"


def key_label(conflict: PositionConflict, key: int, tokens: Sequence[str]) -> str:
    """A key in a list of choices.

    >>> key_label(PositionConflict(segment_length=2, memory_depth=1), 1, "abcd")
    '1: b in τ−1, position 1'
    """
    token = f" {tokens[key]}" if key < len(tokens) else ""
    position = key % conflict.segment_length
    return f"{key}:{token} in {segment_of(conflict, key)}, position {position}"


def sentence(
    conflict: PositionConflict,
    position: int,
    *,
    query: int,
    true_means: Literal["distance", "offset"],
    tokens: Sequence[str],
) -> str:
    """What the keys at one encoded position are told, and where they are, as HTML."""
    D = conflict.memory_depth
    keys = np.flatnonzero(conflict.encoded == position).tolist()
    names = html.escape(listed([key_name(conflict, key, tokens) for key in keys]), quote=False)
    told = f"K{names[1:]} are {'both' if D == 1 else 'all'}" if D else f"Only {names} is"
    parts = [f"{told} told to be at position <b>{position}</b>."]
    if true_means == "offset":
        offsets = listed([minus(conflict.offset[key]) for key in keys])
        they = "they stand" if D else "it stands"
        parts.append(f"Counted from the start of τ {they} at <b>{offsets}</b>.")
    else:
        parts += distances(conflict.distance[query, keys].tolist(), query=query)
    if not D:
        parts.append("Without memory each number is used once: no conflict.")
    return " ".join(parts)


def distances(back: list[int], *, query: int) -> list[str]:
    """How far back keys lie from the query, oldest first; only the last may be ahead of it.

    >>> distances([8, 0], query=5), distances([7, -1], query=5)[1]
    (['From query 5 they lie <b>8 and 0</b> back.'], \
'The last one lies 1 ahead of query 5 and is hidden from it.')
    """
    seen = [distance for distance in back if distance >= 0]
    they = "they lie" if len(back) > 1 else "it lies"
    if len(seen) < len(back):
        they = "the first one lies" if len(seen) == 1 else f"the first {len(seen)} lie"
    parts = [f"From query {query} {they} <b>{listed(seen)}</b> back."] if seen else []
    if len(seen) < len(back):
        last = "The last one" if len(back) > 1 else "It"
        parts.append(f"{last} lies {-back[-1]} ahead of query {query} and is hidden from it.")
    return parts
