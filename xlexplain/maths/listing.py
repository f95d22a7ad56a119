"""The position conflict as text, for the console."""

from __future__ import annotations

import numpy as np

from xlexplain.maths.arrays import IntArray
from xlexplain.maths.positions import PositionConflict, position_conflict, segment_name
from xlexplain.maths.words import counted

MOST_KEYS = 100_000


def conflict_listing(*, segment_length: int, memory_depth: int, query: int | None = None) -> str:
    """Encoded positions beside true ones, segment by segment, and what follows.

    Args:
        segment_length: L, tokens. memory_depth: D, segments.
        query: i, the token of the current segment that asks; the last one by default.
    Returns: lines of text, joined by newlines, without one at the end.
    Raises: ValueError for settings that make no sense, or more keys than anybody can read.

    >>> print(conflict_listing(segment_length=2, memory_depth=1))
    L = 2, D = 1: 2 queries, 4 keys (2 from memory, 2 of the current segment τ)
    <BLANKLINE>
    Cached segment τ−1
      encoded position         0  1
      offset from start of τ  -2 -1
      distance from query 1    3  2
    <BLANKLINE>
    Current segment τ
      encoded position         0  1
      offset from start of τ   0  1
      distance from query 1    1  0
    <BLANKLINE>
    Conclusion
      2 positions for 4 keys: each position is carried by 2 keys.
      2 pairs of keys are told to be at the same position.
      Position 1 means 2 tokens that query 1 can see: 2 and 0 back.
      The encodings say 0 back for each of them; the error is a whole number of segments: 2 or 0.
    """
    conflict = position_conflict(segment_length=segment_length, memory_depth=memory_depth)
    if conflict.key_count > MOST_KEYS:
        raise ValueError(
            f"need at most {MOST_KEYS:,} keys, (D + 1)·L, got {conflict.key_count:,}; "
            "make the segments shorter or the memory less deep"
        )
    query = segment_length - 1 if query is None else query
    if not 0 <= query < segment_length:
        raise ValueError(f"need a query in 0..{segment_length - 1}, got {query}")
    blocks = [headline(conflict)]
    for ago in range(memory_depth, -1, -1):
        blocks.append(segment_rows(conflict, ago, query=query))
    blocks.append(conclusion(conflict, query=query))
    return "\n\n".join("\n".join(lines) for lines in blocks)


def headline(conflict: PositionConflict) -> list[str]:
    """The settings and what they count to."""
    L, D, M, S = (
        conflict.segment_length,
        conflict.memory_depth,
        conflict.memory_length,
        conflict.key_count,
    )
    return [
        f"L = {L}, D = {D}: {counted(L, 'query', 'queries')}, {counted(S, 'key')} "
        f"({M} from memory, {L} of the current segment τ)"
    ]


def segment_rows(conflict: PositionConflict, segments_ago: int, *, query: int) -> list[str]:
    """One segment's rows, its columns as wide as the widest number of the whole listing."""
    L = conflict.segment_length
    start = (conflict.memory_depth - segments_ago) * L
    keys = slice(start, start + L)
    width = 1 + max(2, len(str(-conflict.memory_length)), len(str(conflict.memory_length + query)))
    title = "Cached segment" if segments_ago else "Current segment"
    distance_name = f"distance from query {query}"
    rows = {
        "encoded position": conflict.encoded[keys],
        "offset from start of τ": conflict.offset[keys],
        distance_name: query - conflict.offset[keys],
    }
    name_width = max(map(len, rows))
    return [f"{title} {segment_name(segments_ago)}"] + [
        f"  {name:<{name_width}} "
        + numbers(values, width=width, hides_negative=name == distance_name)
        for name, values in rows.items()
    ]


def numbers(values: IntArray, *, width: int, hides_negative: bool) -> str:
    """Numbers in columns; a key that the query cannot see has no distance, but a dot."""
    cells = ("·" if hides_negative and value < 0 else str(value) for value in values)
    return "".join(f"{cell:>{width}}" for cell in cells)


def conclusion(conflict: PositionConflict, *, query: int) -> list[str]:
    """What the rows amount to, in numbers."""
    L, D = conflict.segment_length, conflict.memory_depth
    if D == 0:
        return [
            "Conclusion",
            f"  {counted(L, 'position')} for {counted(L, 'key')}: each position is carried by one.",
            "  No two keys are told to be at the same position: without memory, no conflict.",
        ]
    back = [query - offset for offset in range(query - D * L, query + 1, L)]
    return [
        "Conclusion",
        f"  {counted(L, 'position')} for {counted(conflict.key_count, 'key')}: "
        f"each position is carried by {counted(D + 1, 'key')}.",
        f"  {counted(conflict.collision_count, 'pair of keys is', 'pairs of keys are')} "
        "told to be at the same position.",
        f"  Position {query} means {counted(D + 1, 'token')} that query {query} can see: "
        f"{in_words(back, 'and')} back.",
        "  The encodings say 0 back for each of them; the error is a whole number of segments: "
        f"{in_words(np.arange(D, -1, -1) * L, 'or')}.",
    ]


def in_words(values: list[int] | IntArray, last_word: str) -> str:
    """Numbers as a list: "16, 8 and 0"."""
    *start, last = (str(value) for value in values)
    return f"{', '.join(start)} {last_word} {last}" if start else last
