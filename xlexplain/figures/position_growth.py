"""How bad it gets: what collides as the memory grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from xlexplain.figures.theme import Palette, css_variables
from xlexplain.maths import position_conflict

STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Growth:
    """What one memory depth brings, for a segment length and a query.

    Attributes:
        candidates: keys per position, D + 1.
        pairs: pairs of keys with the same position, L·D(D+1)/2.
        ambiguous, visible: keys that the query sees and cannot tell from another one that it sees
            by position; all keys that it sees.
    """

    memory_depth: int
    candidates: int
    pairs: int
    ambiguous: int
    visible: int

    @property
    def share(self) -> float:
        """The ambiguous share of the visible keys, 0..1."""
        return self.ambiguous / self.visible


def growth(*, segment_length: int, query: int, most_depth: int) -> list[Growth]:
    """The numbers for D = 0, 1, … `most_depth`, counted key by key."""
    rows = []
    for depth in range(most_depth + 1):
        conflict = position_conflict(segment_length=segment_length, memory_depth=depth)
        carriers = conflict.visible_carriers(query)
        rows.append(
            Growth(
                memory_depth=depth,
                candidates=int(np.bincount(conflict.encoded).max()),
                pairs=conflict.collision_count,
                ambiguous=int((carriers > 1).sum()),
                visible=int((carriers > 0).sum()),
            )
        )
    return rows


def growth_table(rows: Sequence[Growth], *, memory_depth: int, query: int, palette: Palette) -> str:
    """The numbers as an HTML table with bars; the current depth's row is marked."""
    most_pairs = max(max(row.pairs for row in rows), 1)
    most_candidates = max(row.candidates for row in rows)
    current = ' aria-current="true"'
    body = ""
    for row in rows:
        is_current = row.memory_depth == memory_depth
        cells = (
            bar(str(row.candidates), share=row.candidates / most_candidates),
            bar(f"{row.pairs:,}", share=row.pairs / most_pairs),
            bar(f"{row.share:.0%}", share=row.share, note=f"{row.ambiguous} of {row.visible}"),
        )
        body += (
            f"<tr{current if is_current else ''}>"
            f'<th scope="row">{row.memory_depth}{" ◂ now" if is_current else ""}</th>'
            f"{''.join(cells)}</tr>"
        )
    colours = css_variables(palette.css | {"bar": palette.memory[0]})
    return (
        f'<style>{STYLE}</style><div class="xl-growth" style="{colours}" tabindex="0" '
        'role="region" aria-label="What collides as the memory grows"><table>'
        "<thead><tr>"
        '<th scope="col">Memory depth</th><th scope="col">Keys that carry each position</th>'
        '<th scope="col">Colliding pairs</th>'
        f'<th scope="col">Keys that query {query} sees but cannot tell apart by position</th>'
        f"</tr></thead><tbody>{body}</tbody></table></div>"
    )


def bar(text: str, *, share: float, note: str = "") -> str:
    """A cell: the number, a bar of at most half the cell, and a note."""
    return (
        f'<td><div><span>{text}</span><i style="width:{50 * share:.1f}%"></i>'
        f"{f'<span>{note}</span>' if note else ''}</div></td>"
    )
