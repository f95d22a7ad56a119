"""What the page works on: the settings, and what the model computed of the reader's text."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from xlexplain.figures.attention_scores import QueryRow, query_row
from xlexplain.maths import AttentionTrace, ForwardTrace, SegmentTrace
from xlexplain.ui import models, texts
from xlexplain.ui.settings import Settings

LONGEST_TEXT = 320
RELATIVE = "relative"
PAGE = "relative_attention"


@dataclass(frozen=True)
class HeadData:
    """One query of one head in one segment of the reader's text."""

    settings: Settings
    trace: ForwardTrace = field(compare=False)  # follows from the settings

    @property
    def segment(self) -> SegmentTrace:
        return self.trace.segments[self.settings.segment]

    @property
    def layer(self) -> AttentionTrace:
        return self.segment.layers[self.settings.layer]

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """(S,) the keys' tokens as something to see."""
        return self.shown(self.trace.key_tokens(self.settings.segment))

    @cached_property
    def row(self) -> QueryRow:
        """The chosen query against all keys."""
        return query_row(
            self.layer,
            head=self.settings.head,
            query=self.settings.query,
            tokens=self.tokens,
        )

    @property
    def key(self) -> int:
        """The chosen key j, or the one with the largest weight."""
        return self.row.strongest if self.settings.key is None else self.settings.key

    @property
    def place(self) -> int:
        """Where the chosen query stands in the text."""
        return self.segment.start + self.settings.query

    @staticmethod
    def shown(tokens: tuple[str, ...]) -> tuple[str, ...]:
        """Tokens as something to see."""
        return tuple(map(texts.visible, tokens))

    def trace_of(self, model: str, *, memory_depth: int | None = None) -> ForwardTrace:
        """The same text through another shipped model, or with another memory."""
        depth = self.settings.memory_depth if memory_depth is None else memory_depth
        return models.trace(
            model,
            self.settings.text,
            segment_length=self.settings.segment_length,
            memory_depth=depth,
        )
