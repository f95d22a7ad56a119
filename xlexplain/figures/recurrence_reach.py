"""How far back a token reaches, and the sentences that say so."""

from __future__ import annotations

from dataclasses import dataclass

from xlexplain.maths import receptive_field
from xlexplain.maths.limits import LAYERS
from xlexplain.maths.words import counted

LEAST_SEGMENTS = 6


@dataclass(frozen=True)
class Recurrence:
    """The settings of the page: L, D, and how many layers are counted.

    Attributes:
        segment_length: L, tokens.
        memory_depth: D, segments.
        layer_count: layers between the embedding and the state that is looked at.
    """

    segment_length: int
    memory_depth: int
    layer_count: int

    @property
    def memory_length(self) -> int:
        """M = D·L, tokens."""
        return self.memory_depth * self.segment_length

    @property
    def segment_count(self) -> int:
        """Segments to show: the whole reach of the deepest model and one segment beyond it.

        The same for every layer count, so that changing it changes the reach and nothing else.
        """
        return max(LEAST_SEGMENTS, LAYERS * self.memory_depth + 2)

    @property
    def length(self) -> int:
        """Tokens to show."""
        return self.segment_count * self.segment_length

    def field(self, position: int, *, has_memory: bool = True) -> tuple[int, ...]:
        """Earliest position that the token's state depends on, after 0, 1, … layers."""
        return receptive_field(
            position,
            segment_length=self.segment_length,
            memory_length=self.memory_length if has_memory else 0,
            layer_count=self.layer_count,
        )

    def reach(self, position: int) -> int:
        """Tokens back from `position` to the earliest one that is heard."""
        return position - self.field(position)[-1]


def finding(recurrence: Recurrence, *, position: int) -> str:
    """How far a token reaches, and the sum that it is.

    >>> finding(Recurrence(8, 2, 4), position=79)
    'With memory, the last token reaches 71 tokens back = L − 1 + layers · M = 7 + 4 · 16'
    >>> finding(Recurrence(8, 2, 4), position=13)
    'With memory, token 5 reaches 13 tokens back, not 69: the text begins there'
    """
    reached, place = recurrence.reach(position), position % recurrence.segment_length
    is_last = place == recurrence.segment_length - 1
    where = "With memory" if recurrence.memory_depth else "With memory depth 0"
    token = "the last token" if is_last else f"token {place}"
    full = place + recurrence.layer_count * recurrence.memory_length
    start = "L − 1" if is_last else "i"
    numbers = f"{place} + {recurrence.layer_count} · {recurrence.memory_length}"
    whole = f" = {start} + layers · M = {numbers}"
    reason = whole if reached == full else f", not {full}: the text begins there"
    return f"{where}, {token} reaches {counted(reached, 'token')} back{reason}"


def finding_without(recurrence: Recurrence, *, place: int) -> tuple[str, str]:
    """How far the same token reaches without memory, and why.

    >>> finding_without(Recurrence(8, 2, 4), place=7)
    ('Without memory it reaches 7', 'cut at the segment’s border, however many layers')
    """
    if recurrence.memory_depth:
        why = "cut at the segment’s border, however many layers"
        return f"Without memory it reaches {place}", why
    why = "the same picture, as nothing is kept in either case"
    return "Without memory it reaches as far", why


def story(recurrence: Recurrence, *, segment: int) -> str:
    """What memory holds while a segment is read, and what it has lost.

    >>> story(Recurrence(8, 2, 4), segment=4)[:81]
    'Segment 4 is read. Memory holds segments 2 and 3. Segments 0 to 1 are forgotten, '
    """
    depth = recurrence.memory_depth
    read = f"Segment {segment} is read."
    if segment == 0:
        return f"{read} Memory is empty."
    if depth == 0:
        return f"{read} Memory depth is 0: every state before it is thrown away."
    first, last = max(0, segment - depth), segment - 1
    some = f"segments {first} {'and' if last == first + 1 else 'to'} {last}"
    holds = f"{read} Memory holds {f'segment {last}' if first == last else some}"
    if segment < depth:
        return f"{holds} and has room for {depth}."
    if segment == depth:
        return f"{holds}."
    lost = "Segment 0 is" if first == 1 else f"Segments 0 to {first - 1} are"
    if recurrence.layer_count > 1:
        return f"{holds}. {lost} forgotten, but what memory holds was computed from them."
    return f"{holds}. {lost} forgotten, and with one layer nothing of them is left."


def alternative(recurrence: Recurrence, *, position: int) -> str:
    """The figure in words."""
    back = [position - earliest for earliest in recurrence.field(position)[1:]]
    L = recurrence.segment_length
    steps = ", ".join(f"{tokens} after {n}" for n, tokens in enumerate(back, start=1))
    return (
        f"States of {recurrence.segment_count} segments of {L} tokens, one row a layer. "
        f"Token {position % L} of segment {position // L} reaches so many tokens back, by layers: "
        f"{steps}. Without memory it reaches {counted(position % L, 'token')} back after any "
        "number of layers."
    )
