"""How far back a token's output can depend on the text."""

from __future__ import annotations


def earliest_read(position: int, *, segment_length: int, memory_length: int) -> int:
    """Earliest position whose stored state one layer reads for the token at `position`.

    f(p) = floor(p/L)·L - M, not before the text's start. The token reads its own segment up to
    itself and the M states that the segment found in memory.

    >>> earliest_read(21, segment_length=8, memory_length=8)
    8
    """
    if position < 0 or segment_length < 1 or memory_length < 0:
        raise ValueError(
            "need position >= 0, L >= 1 and M >= 0, "
            f"got {position}, L={segment_length}, M={memory_length}"
        )
    return max(0, position // segment_length * segment_length - memory_length)


def receptive_field(
    position: int, *, segment_length: int, memory_length: int, layer_count: int
) -> tuple[int, ...]:
    """Earliest position that the token's state depends on, after 0, 1, … n_layer layers.

    >>> receptive_field(23, segment_length=8, memory_length=8, layer_count=2)
    (23, 8, 0)
    """
    earliest = [position]
    for _ in range(layer_count):
        earliest.append(
            earliest_read(earliest[-1], segment_length=segment_length, memory_length=memory_length)
        )
    return tuple(earliest)


def reach(position: int, *, segment_length: int, memory_length: int, layer_count: int) -> int:
    """Tokens back from `position` to the earliest one that can influence its output.

    Far from the text's start it is L-1 + n_layer·M for a segment's last token and n_layer·M for
    its first one, if M is a multiple of L.

    >>> reach(8 * 9 + 7, segment_length=8, memory_length=16, layer_count=4)   # 7 + 4·16
    71
    """
    earliest = receptive_field(
        position,
        segment_length=segment_length,
        memory_length=memory_length,
        layer_count=layer_count,
    )[-1]
    return position - earliest
