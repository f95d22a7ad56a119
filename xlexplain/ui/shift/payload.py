"""What the moving cells are given: plain lists of small integers and short words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from xlexplain.figures.shift import cell_values
from xlexplain.figures.shift_layout import (
    Cells,
    Placement,
    Window,
    code_placements,
    shown_cells,
    slide_placements,
    window_around,
)
from xlexplain.figures.theme import MONO, ColorScale, Palette, color_at, ink_on
from xlexplain.maths import ShiftStage, rel_shift_steps
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.shift_cost import written_bytes
from xlexplain.ui import prose
from xlexplain.ui.shift.scores import LiveScores

SHADES = 20  # steps from 0 to the largest value, each way
PAGE = "relative_shift"


def moving_cells_data(
    live: LiveScores,
    scores: FloatArray,
    palette: Palette,
    *,
    query: int,
    key: int,
) -> dict[str, Any]:
    """The cells that `moving_cells.js` draws.

    Args: scores: (L, S) those of `live`, or with one value changed.
    """
    stages = rel_shift_steps(scores)
    window = chosen_window(live, query=query, key=key)
    cells = shown_cells(stages, window)
    written = written_bytes(stages)
    words = stage_words(live, stages)
    code = [
        stage_data(live, placement, cells)
        | {
            "cost": cost(placement.shape, number, written[number]),
            "showsLeft": number >= 4,
        }
        | caption(f"code {number}", words)
        for number, placement in enumerate(code_placements(stages, cells))
    ]
    slide_costs = (
        code[0]["cost"],
        prose.section(PAGE, "slide cost 1", **words),
        prose.section(PAGE, "slide cost 2", **words),
        code[-1]["cost"],
    )
    slide = [
        stage_data(live, placement, cells)
        | {"cost": slide_costs[number], "showsLeft": number >= 1}
        | caption(f"slide {number}", words)
        for number, placement in enumerate(slide_placements(stages, cells))
    ]
    shown = "" if window.is_whole else shown_words(live, window)
    for view in (code, slide):
        for stage in view:
            stage["alt"] = f"{len(cells.source)} cells. {shown} {stage['title']}".replace("  ", " ")
    largest = float(np.abs(scores).max(initial=0))
    return {
        "signature": f"{live.signature},{window.queries},{window.keys}",
        "views": {"code": code, "slide": slide},
        "cells": cells_data(cells, cell_values(scores, cells), live, largest=largest),
        "colors": shades(palette.diverging),
        "ages": [palette.segment(age) for age in range(max(live.segments_ago) + 1)],
        "tokens": live.query_tokens,
        "keys": live.key_tokens,
        "palette": css_colors(palette),
        "shown": shown,
        "chosen": {"query": query, "key": key},
        "largest": number_in_words(largest),
    }


def chosen_window(live: LiveScores, *, query: int, key: int) -> Window:
    """The part of the matrix that is drawn."""
    return window_around(
        query=query, key=key, segment_length=live.query_count, key_count=live.key_count
    )


def shown_words(live: LiveScores, window: Window) -> str:
    """How many of the matrix's cells the window holds."""
    shown = len(window.queries) * len(window.keys)
    cells = live.query_count * live.key_count
    return prose.section(PAGE, "shown", shown=shown, cells=f"{cells:,}")


def stage_words(live: LiveScores, stages: Sequence[ShiftStage]) -> dict[str, object]:
    """The numbers that the captions name."""
    L, S = live.by_distance.shape
    left_over = int(stages[-1].is_masked.sum())
    return {
        "L": L,
        "S": S,
        "S1": S + 1,
        "M": S - L,
        "last": L - 1,
        "distances": distances_in_words(S),
        "padded": L * (S + 1),
        "cells": L * S,
        "left_over": left_over,
        "left_overs": left_overs_in_words(left_over),
    }


def distances_in_words(count: int) -> str:
    """All distances from the farthest to 0; of many only the ends.

    >>> distances_in_words(1), distances_in_words(3), distances_in_words(16)
    ('0', '2, 1, 0', '15, …, 1, 0')
    """
    shown = range(count - 1, -1, -1) if count <= 4 else [count - 1, "…", 1, 0]
    return ", ".join(map(str, shown))


def left_overs_in_words(count: int) -> str:
    """What the mask hides, as the end of a title.

    >>> left_overs_in_words(1)
    'the left-over belongs to the next query'
    """
    if count == 0:
        return "nothing is left over"
    if count == 1:
        return "the left-over belongs to the next query"
    return f"the {count} left-overs belong to the next query"


def caption(title: str, words: dict[str, object]) -> dict[str, str]:
    """A stage's finding and the reason, from the page's prose."""
    finding, _, why = prose.section(PAGE, title, **words).partition("\n")
    return {"title": finding, "why": why}


def cost(shape: tuple[int, int], number: int, written: int) -> str:
    """Shape after a line, and the memory it wrote.

    >>> cost((8, 17), 1, 544), cost((17, 8), 2, 0)
    ('8 × 17 · writes 544 B', '17 × 8 · writes nothing')
    """
    size = f"{shape[0]} × {shape[1]}"
    if number == 0:
        return f"{size} · given"
    return f"{size} · writes {bytes_in_words(written) if written else 'nothing'}"


def bytes_in_words(count: int) -> str:
    """Bytes for a reader.

    >>> bytes_in_words(544), bytes_in_words(20480), bytes_in_words(2621440)
    ('544 B', '20.0 kB', '2.5 MB')
    """
    if count < 1024:
        return f"{count} B"
    return f"{count / 1024:.1f} kB" if count < 1024**2 else f"{count / 1024**2:.1f} MB"


def stage_data(live: LiveScores, placement: Placement, cells: Cells) -> dict[str, Any]:
    """One stage: its drawn rows and columns, their labels, and one integer a cell for its place."""
    at = np.where(
        placement.is_present,
        placement.drawn_row * len(placement.columns) + placement.drawn_column,
        -1,
    )
    rows, columns = placement.rows.tolist(), placement.columns.tolist()
    has_queries, has_keys = placement.row_axis == "query", placement.column_axis == "key"
    ages = live.segments_ago
    is_key = [has_keys and 0 <= column < live.key_count for column in columns]
    return {
        "name": placement.name,
        "code": placement.code,
        "rows": rows,
        "columns": columns,
        "at": at.tolist(),
        "tokens": has_queries,
        "rowLabels": [
            f"{row} {live.query_tokens[row]}" if has_queries else str(row) for row in rows
        ],
        "columnLabels": [
            live.key_tokens[column] if known else ""
            for column, known in zip(columns, is_key, strict=True)
        ],
        "ages": [ages[c] if known else -1 for c, known in zip(columns, is_key, strict=True)],
        "corner": placement.row_axis,
        "axis": COLUMN_TITLES[placement.column_axis],
    }


COLUMN_TITLES = {
    "distance": "distance in tokens back, the farthest first",
    "column": "just the next numbers in memory",
    "key": "",
}


def cells_data(
    cells: Cells, values: FloatArray, live: LiveScores, *, largest: float
) -> dict[str, Any]:
    """What each cell carries from stage to stage."""
    shade = np.rint(values / largest * SHADES) if largest > 0 else np.zeros(values.shape)
    return {
        "name": [cell_name(int(one), key_count=live.key_count) for one in cells.source],
        "query": cells.query.tolist(),
        "distance": cells.distance.tolist(),
        "value": [number_in_words(float(value)) for value in values],
        "color": (shade.astype(int) + SHADES).tolist(),
        "row": np.maximum(cells.final_row, -1).tolist(),
        "column": np.maximum(cells.final_column, -1).tolist(),
        "left": cells.is_left_over.astype(int).tolist(),
    }


def cell_name(source: int, *, key_count: int) -> str:
    """A cell's name from the first stage to the last: its row and column in the scores.

    >>> cell_name(19, key_count=16), cell_name(-3, key_count=16)
    ('1,3', '2,pad')
    """
    if source < 0:
        return f"{-1 - source},pad"
    row, column = divmod(source, key_count)
    return f"{row},{column}"


def number_in_words(value: float) -> str:
    """A score with four digits and a real minus sign.

    >>> number_in_words(-0.123456), number_in_words(0.0)
    ('−0.1235', '0')
    """
    return f"{value:.4g}".replace("-", "−")


@lru_cache(maxsize=4)
def shades(scale: ColorScale) -> list[tuple[str, str]]:
    """Fill and ink for every step of a scale."""
    fills = [color_at(scale, step / (2 * SHADES)) for step in range(2 * SHADES + 1)]
    return [(fill, ink_on(fill)) for fill in fills]


def css_colors(palette: Palette) -> dict[str, str]:
    """The palette as CSS variables."""
    return palette.css | {
        "accent-ink": ink_on(palette.accent),
        "hatch": palette.line,
        "least": color_at(palette.diverging, 0),
        "middle": color_at(palette.diverging, 0.5),
        "most": color_at(palette.diverging, 1),
        "memory": palette.segment(1),
        "mono": MONO,
    }
