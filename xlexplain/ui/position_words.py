"""What the maps of positions say in words; the templates are in pages/position_conflict.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from xlexplain.figures.labels import listed
from xlexplain.maths import PositionConflict, segment_name
from xlexplain.ui import prose
from xlexplain.ui.position_maps import PositionMap

PAGE = "position_conflict"
Reading = Literal["distance", "offset"]
FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"


def quoted(token: str) -> str:
    """A token in quotes, kept from turning the direction of the text around it."""
    return f"‘{FIRST_STRONG_ISOLATE}{token}{POP_ISOLATE}’"


def key_name(conflict: PositionConflict, key: int, tokens: Sequence[str]) -> str:
    """A key by its token and its segment."""
    ago = conflict.memory_depth - key // conflict.segment_length
    token = quoted(tokens[key]) if key < len(tokens) and tokens[key] else f"number {key}"
    return f"key {token} in {segment_name(ago)}"


def sentences(
    conflict: PositionConflict, *, query: int, reading: Reading, tokens: Sequence[str]
) -> list[list[str]]:
    """For each position, what the keys that carry it are told and where they are.

    Returns: L sentences, each a list of parts; every second part is to be marked.
    """
    return [
        sentence(conflict, position, query=query, reading=reading, tokens=tokens)
        for position in range(conflict.segment_length)
    ]


def sentence(
    conflict: PositionConflict,
    position: int,
    *,
    query: int,
    reading: Reading,
    tokens: Sequence[str],
) -> list[str]:
    """What the keys at one encoded position are told, and where they are."""
    L, depth = conflict.segment_length, conflict.memory_depth
    keys = [segment * L + position for segment in range(depth + 1)]
    back = [conflict.memory_length + query - key for key in keys]
    seen = [distance for distance in back if distance >= 0]
    names = listed([key_name(conflict, key, tokens) for key in keys])
    titles = ["told the same" if depth else "told one"]
    if reading == "offset":
        titles.append("true offset")
    elif seen:
        titles.append("true distance")
    if reading == "distance" and back[-1] < 0:
        titles.append("hidden")
    if depth == 0:
        titles.append("no conflict")
    values = {
        "name": names,
        "names": names[0].upper() + names[1:],
        "position": position,
        "together": "both" if depth == 1 else "all",
        "query": query,
        "they": "they" if len(keys) > 1 else "it",
        "lie": "lie" if len(keys) > 1 else "lies",
        "stand": "stand" if len(keys) > 1 else "stands",
        "back": listed(seen) if seen else "",
        "offsets": listed([signed(key - conflict.memory_length) for key in keys]),
        "which": "The last one" if depth else "It",
        "ahead": -back[-1],
    }
    if back[-1] < 0 and seen:
        older = "The first one" if len(seen) == 1 else f"The first {len(seen)}"
        values |= {"they": older.lower(), "lie": "lies" if len(seen) == 1 else "lie"}
    return " ".join(prose.section(PAGE, title, **values) for title in titles).split("**")


def signed(number: int) -> str:
    """A whole number with a real minus sign."""
    return str(number).replace("-", "−")


def told_map(conflict: PositionConflict) -> PositionMap:
    """What the model is told: every row is the same row."""
    title = "told caption" if conflict.memory_depth else "told caption alone"
    return PositionMap(
        name=prose.section(PAGE, "told name"),
        caption=prose.section(PAGE, title),
        spoken="told position",
        values=[str(position) for position in conflict.encoded],
        counts="encoded",
    )


def true_map(conflict: PositionConflict, *, query: int, reading: Reading) -> PositionMap:
    """What is true, in one of two readings: every cell differs."""
    is_distance = reading == "distance"
    title = f"true caption {reading}"
    values = query - conflict.offset if is_distance else conflict.offset
    return PositionMap(
        name=prose.section(PAGE, "true name"),
        caption=prose.section(PAGE, title, query=query),
        template=prose.sections_of(PAGE)[title],
        spoken="tokens back" if is_distance else "offset",
        values=[signed(value) for value in values],
        counts=reading,
    )
