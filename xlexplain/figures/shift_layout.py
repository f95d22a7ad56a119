"""Where every cell of the relative shift stands after each line, in two views of the same thing.

A cell keeps its identity from the first stage to the last. Rows and columns are those of the whole
matrix; a matrix too large to move smoothly is drawn as a window, and then only the rows and columns
that hold a cell of the window are drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from xlexplain.maths import ShiftStage
from xlexplain.maths.arrays import BoolArray, IntArray

MOST_CELLS = 500
WINDOW_QUERIES, WINDOW_KEYS = 8, 16
NOWHERE = -9999  # row and column of a cell that is not in the matrix


@dataclass(frozen=True)
class Window:
    """The queries and the keys whose cells are drawn."""

    queries: range
    keys: range
    is_whole: bool


def window_around(*, query: int, key: int, segment_length: int, key_count: int) -> Window:
    """The whole matrix up to 500 cells; above that the tile of 8 × 16 that holds a chosen cell.

    >>> window_around(query=9, key=100, segment_length=32, key_count=160)
    Window(queries=range(8, 16), keys=range(96, 112), is_whole=False)
    """
    if segment_length * key_count <= MOST_CELLS:
        return Window(range(segment_length), range(key_count), is_whole=True)
    first_query = query // WINDOW_QUERIES * WINDOW_QUERIES
    first_key = key // WINDOW_KEYS * WINDOW_KEYS
    return Window(
        range(first_query, min(first_query + WINDOW_QUERIES, segment_length)),
        range(first_key, min(first_key + WINDOW_KEYS, key_count)),
        is_whole=False,
    )


@dataclass(frozen=True)
class Cells:
    """The N cells that are drawn, in the order of the padded matrix's memory.

    Attributes:
        source: (N,) as in `ShiftStage.source`: the flat address in the scores, or -(i+1) for the
            zero in front of row i.
        query: (N,) the row it came from.
        distance: (N,) in tokens; -1 for a padded zero.
        final_row, final_column: (N,) its place in the shifted matrix, NOWHERE if it is dropped.
        is_left_over: (N,) True where that place belongs to another query.
    """

    source: IntArray
    query: IntArray
    distance: IntArray
    final_row: IntArray
    final_column: IntArray
    is_left_over: BoolArray

    @property
    def is_pad(self) -> BoolArray:
        """(N,) True for the zeros that the first line puts in."""
        return self.source < 0


@dataclass(frozen=True)
class Placement:
    """The drawn cells after one line.

    Attributes:
        name, code: what happened, and the line that did it.
        shape: rows and columns of the whole matrix.
        rows, columns: the rows and columns that are drawn, in order.
        row, column: (N,) where each cell is in the whole matrix, NOWHERE if it is not in it.
        is_masked: (N,) True where the mask hides the cell.
        row_axis, column_axis: what rows and columns mean; "row" and "column" mean nothing.
    """

    name: str
    code: str
    row_axis: str
    column_axis: str
    shape: tuple[int, int]
    rows: IntArray
    columns: IntArray
    row: IntArray
    column: IntArray
    is_masked: BoolArray

    @property
    def is_present(self) -> BoolArray:
        """(N,) True for the cells that are in the matrix at this stage."""
        is_present: BoolArray = self.row != NOWHERE
        return is_present

    @property
    def drawn_row(self) -> IntArray:
        """(N,) which of the drawn rows each cell stands in; -1 if it is not in the matrix."""
        return np.where(self.is_present, np.searchsorted(self.rows, self.row), -1)

    @property
    def drawn_column(self) -> IntArray:
        """(N,) which of the drawn columns each cell stands in; -1 if it is not in the matrix."""
        return np.where(self.is_present, np.searchsorted(self.columns, self.column), -1)


def places(source: IntArray, *, key_count: int, segment_length: int) -> tuple[IntArray, IntArray]:
    """Rows and columns of all L·(S+1) cells at a stage, from that stage's `source` matrix.

    Cell n = i·(S+1) + c is the one that stands there in the padded matrix; c = 0 is a padded zero.
    Returns: two (L·(S+1),) arrays, NOWHERE for a cell that is not in the matrix.
    """
    L, S = segment_length, key_count
    padded_address = np.where(source < 0, (-1 - source) * (S + 1), source + source // S + 1)
    row, column = np.full((2, L * (S + 1)), NOWHERE)
    row[padded_address], column[padded_address] = np.indices(source.shape)
    return row, column


def shown_cells(stages: Sequence[ShiftStage], window: Window) -> Cells:
    """The cells that end in the window; of a whole matrix also those that are dropped."""
    L, S = stages[0].source.shape
    is_pad = np.arange(L * (S + 1)) % (S + 1) == 0
    query, column = np.divmod(np.arange(L * (S + 1)), S + 1)
    final_row, final_column = places(stages[-1].source, key_count=S, segment_length=L)
    is_left_over = np.zeros(L * (S + 1), np.bool_)
    is_there = final_row != NOWHERE
    is_left_over[is_there] = stages[-1].is_masked[final_row[is_there], final_column[is_there]]
    if window.is_whole:
        shown = np.arange(L * (S + 1))
    else:
        shown = np.flatnonzero(
            np.isin(final_row, window.queries) & np.isin(final_column, window.keys)
        )
    return Cells(
        source=np.where(is_pad, -1 - query, query * S + column - 1)[shown],
        query=query[shown],
        distance=np.where(is_pad, -1, S - column)[shown],
        final_row=final_row[shown],
        final_column=final_column[shown],
        is_left_over=is_left_over[shown],
    )


# `rel_shift` sets 0, since a + c is added to it; what a softmax reads is masked with −∞.
MASK = "x = np.where(np.tri(L, S, S - L), x, -np.inf)"
CODE_AXES = (
    ("query", "distance"),
    ("query", "distance"),
    ("row", "column"),
    ("row", "column"),
    ("query", "key"),
    ("query", "key"),
)


def code_placements(stages: Sequence[ShiftStage], cells: Cells) -> tuple[Placement, ...]:
    """One placement a stage of `rel_shift_steps`: pad, re-read, drop, re-read, mask."""
    L, S = stages[0].source.shape
    padded_address = cells.query * (S + 1) + np.where(cells.is_pad, 0, S - cells.distance)
    placements = []
    for stage, (row_axis, column_axis) in zip(stages, CODE_AXES, strict=True):
        row, column = (
            axis[padded_address] for axis in places(stage.source, key_count=S, segment_length=L)
        )
        is_present = row != NOWHERE
        drawn_columns = np.unique(column[is_present])
        if stage is stages[0]:  # leave room for the zeros, so that only they appear with the pad
            drawn_columns = np.unique(np.where(cells.is_pad, -1, column))
        placements.append(
            Placement(
                name=stage.name,
                code=MASK if stage is stages[-1] else stage.code,
                row_axis=row_axis,
                column_axis=column_axis,
                shape=(stage.source.shape[0], stage.source.shape[1]),
                rows=np.unique(row[is_present]),
                columns=drawn_columns,
                row=row,
                column=column,
                is_masked=masked(stage, row, column),
            )
        )
    return tuple(placements)


SLIDE_LINES = (
    ("Scores by distance", "x = (q + v) @ r.T"),
    ("Slide row i left by L−1−i", "column = r - (L-1 - i)"),
    ("Overhang to the row above", "column < 0: row i-1, column + S"),
    ("Mask the left-overs", MASK),
)


def slide_placements(stages: Sequence[ShiftStage], cells: Cells) -> tuple[Placement, ...]:
    """The same move as rows that slide: row i by L-1-i, its overhang to the row above, the mask.

    The overhang of row 0 has no row above it: these are the cells that the code drops. The last
    placement equals the last one of `code_placements`.
    """
    L, S = stages[0].source.shape
    column = np.where(cells.is_pad, -1, S - 1 - cells.distance)
    slid = column - (L - 1 - cells.query)
    last_row, last_column = cells.final_row, cells.final_column
    given_row = np.where(cells.is_pad, NOWHERE, cells.query)
    given_column = np.where(cells.is_pad, NOWHERE, column)
    coordinates = (
        (given_row, given_column),
        (cells.query, slid),
        (last_row, last_column),
        (last_row, last_column),
    )
    rows = present(cells.query, last_row)
    every_column = present(column, slid, last_column)
    is_whole = len(cells.source) == L * (S + 1)  # a window is too far from the matrix's other end
    return tuple(
        Placement(
            name=name,
            code=code,
            row_axis="query",
            column_axis="key" if number else "distance",
            shape=(L, S),
            rows=rows,
            columns=every_column if is_whole else present(place),
            row=row,
            column=place,
            is_masked=cells.is_left_over if number == 3 else np.zeros_like(cells.is_left_over),
        )
        for number, ((name, code), (row, place)) in enumerate(
            zip(SLIDE_LINES, coordinates, strict=True)
        )
    )


def present(*places: IntArray) -> IntArray:
    """The distinct rows or columns that hold a cell, in order."""
    distinct = np.unique(places)
    drawn: IntArray = distinct[distinct != NOWHERE]
    return drawn


def masked(stage: ShiftStage, row: IntArray, column: IntArray) -> BoolArray:
    """(N,) whether the stage's mask hides each cell."""
    is_present = row != NOWHERE
    is_masked = np.zeros(row.shape, np.bool_)
    is_masked[is_present] = stage.is_masked[row[is_present], column[is_present]]
    return is_masked
