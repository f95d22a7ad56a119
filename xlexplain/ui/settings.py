"""What a page looks at, in one value of the same type on every page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xlexplain.figures.theme import LIGHT, Palette
from xlexplain.maths import PositionConflict
from xlexplain.maths.limits import LAYERS

TrueMeans = Literal["distance", "offset"]


@dataclass(frozen=True)
class Settings:
    """Made once from a page's controls, and passed whole; what a page does not use stays as it is.

    Attributes:
        segment_length: L, tokens. memory_depth: D, segments.
        segment: which piece of the text is read. query: i in it. layer, head: all counted from 0.
        key: the chosen key j, from 0; None where the page looks for the most interesting one.
        text: what is read, or what stands in the cells.
        true_means: how a true position is counted.
        layer_count: layers between the embedding and the state that is looked at.
        back: K, tokens back, of the guessing task. symbol_count: V, its symbols.
        palette: the colours of the reader's theme.
    """

    segment_length: int
    memory_depth: int
    segment: int = 0
    query: int = 0
    key: int | None = None
    layer: int = 0
    head: int = 0
    text: str = ""
    true_means: TrueMeans = "distance"
    layer_count: int = LAYERS
    back: int = 3
    symbol_count: int = 16
    palette: Palette = LIGHT

    @property
    def memory_length(self) -> int:
        """M = D·L, tokens."""
        return self.memory_depth * self.segment_length

    @property
    def conflict(self) -> PositionConflict:
        """Told and true positions at these settings."""
        return PositionConflict(self.segment_length, self.memory_depth)

    @property
    def position(self) -> int:
        """The absolute position that the chosen key was given in its segment."""
        return (self.key or 0) % self.segment_length
