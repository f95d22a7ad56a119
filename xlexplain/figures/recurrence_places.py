"""Where the streaming figure's states stand: columns of tokens, rows of layers, two panels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from xlexplain.figures.recurrence_reach import Recurrence

WIDTH = 1050  # px of all columns on a page of the usual width
NAMES = 62  # px for the names of the rows
LEAST = 700  # px of the figure: three columns of the legend
NARROW = 4  # px of a column, at least
APART, LETTERED, SIGNED = 7, 10, 17  # px of a column from which states are drawn so
SEGMENT_NAME = 64  # px


@dataclass(frozen=True)
class Panel:
    """A stack of states, row 0 lowest: px from the lower end of the plot.

    Attributes:
        height: of a state.
        has_memory: whether its field reaches into memory.
    """

    bottom: int
    pitch: int
    height: int
    has_memory: bool

    def at(self, row: Any) -> Any:
        """The lower edge of a row's states, of one row or of an array."""
        return self.bottom + row * self.pitch

    def middle(self, row: Any) -> Any:
        """The middle of a row's states."""
        return self.at(row) + self.height / 2


@dataclass(frozen=True)
class Places:
    """A column each token, a gap between two segments; up is in px, across is in columns.

    Attributes:
        query: the chosen token of every segment.
    """

    recurrence: Recurrence
    query: int

    @property
    def gap(self) -> float:
        """Columns between two segments."""
        return 0.4 if self.recurrence.length <= 200 else 1.0

    @property
    def width(self) -> float:
        """Columns and gaps."""
        return self.recurrence.length + (self.recurrence.segment_count - 1) * self.gap

    @property
    def px(self) -> float:
        """A px in columns, on a page of the usual width."""
        return self.width / WIDTH

    @property
    def is_apart(self) -> bool:
        """Whether each state has a bar of its own, with 2 px between two."""
        return APART * self.px <= 1

    @property
    def state(self) -> float:
        """The width of a state in columns."""
        return 1 - 2 * self.px if self.is_apart else 1

    @property
    def least_column(self) -> float:
        """Px of a column where the figure scrolls in its box."""
        column = max(LETTERED, SEGMENT_NAME / self.recurrence.segment_length)
        least = max(column if LETTERED * self.px <= 1 else NARROW, (LEAST - NAMES) / self.width)
        return min(least, 1 / self.px)

    @property
    def least_width(self) -> int:
        """Px of the figure where it scrolls in its box."""
        return round(self.width * self.least_column) + NAMES

    @property
    def panels(self) -> list[Panel]:
        """The rows with memory, and the rows without unless they would be the same."""
        without = Panel(bottom=5, pitch=17, height=13, has_memory=False)
        if self.recurrence.memory_depth == 0:
            return [Panel(bottom=42, pitch=32, height=22, has_memory=True)]
        top = without.at(self.recurrence.layer_count) + without.height
        return [Panel(bottom=top + 52, pitch=32, height=22, has_memory=True), without]

    @property
    def height(self) -> int:
        """Px of the plot."""
        panel = self.panels[0]
        return panel.bottom + self.recurrence.layer_count * panel.pitch + panel.height + 24

    def left(self, token: Any) -> Any:
        """The left edge of tokens' columns, of one token or of an array."""
        return token + np.floor_divide(token, self.recurrence.segment_length) * self.gap

    def border(self, segment: int) -> float:
        """The line between a segment and the one before it."""
        return float(self.left(segment * self.recurrence.segment_length)) - self.gap / 2

    def chosen(self, segment: int) -> int:
        """The chosen token's place in the text."""
        return segment * self.recurrence.segment_length + self.query

    def center(self, segment: int) -> float:
        """The middle between the chosen token and the oldest memory, as a share of the figure."""
        oldest = self.left(self.chosen(segment) - self.recurrence.memory_length)
        middle = float(oldest + self.left(self.chosen(segment))) / 2
        return (NAMES + middle * self.least_column) / self.least_width

    def field(self, panel: Panel, segment: int) -> tuple[int, ...]:
        """The earliest token that the chosen one hears in each row, the highest row first."""
        return self.recurrence.field(self.chosen(segment), has_memory=panel.has_memory)
