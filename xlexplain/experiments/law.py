"""The guessing law: how well one layer can do when keys share an encoding. Exact, no sampling.

The task is "name the token K back" over independent, uniform tokens from V symbols. The query at
position i of its segment looks for the key at offset i-K, and all the model is told about that
key's place is (i-K) mod L. m of the keys that it can see carry this number. One layer gives keys
with equal content and equal number equal weight, so its output depends on the m tokens, not on
their order. Each of the m is the right one with probability 1/m: the best answer is the most
frequent of them, and it is right with probability E[largest count]/m.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from xlexplain.maths import position_conflict


def partitions(total: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """The ways to write `total` as a sum of whole numbers >= 1, the largest first.

    >>> list(partitions(3))
    [(3,), (2, 1), (1, 1, 1)]
    """
    if total == 0:
        yield ()
        return
    for first in range(min(total, largest or total), 0, -1):
        for rest in partitions(total - first, first):
            yield (first, *rest)


@lru_cache(maxsize=256)
def count_patterns(
    key_count: int, symbol_count: int
) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
    """How m uniform tokens from V symbols repeat: (counts, probability), which sum to 1.

    A pattern (2, 1) says that one symbol came twice and another once. It is met by
    m!/Π count! orders of the tokens times V!/(V-k)!/Π(equal counts)! choices of the k symbols.

    >>> count_patterns(2, 16)
    (((2,), Fraction(1, 16)), ((1, 1), Fraction(15, 16)))
    """
    if key_count < 0 or symbol_count < 1:
        raise ValueError(f"need m >= 0 keys and V >= 1 symbols, got {key_count}, {symbol_count}")
    found = []
    for counts in partitions(key_count):
        if len(counts) > symbol_count:
            continue
        orders = math.factorial(key_count) // math.prod(map(math.factorial, counts))
        symbols = math.perm(symbol_count, len(counts)) // math.prod(
            map(math.factorial, Counter(counts).values())
        )
        found.append((counts, Fraction(orders * symbols, symbol_count**key_count)))
    return tuple(found)


def best_accuracy(candidate_count: int, symbol_count: int) -> Fraction:
    """E[largest count among m of V symbols] / m, and 1/V where there is no candidate.

    >>> best_accuracy(2, 16) == Fraction(1, 2) + Fraction(1, 2 * 16)
    True
    """
    if candidate_count == 0:
        return Fraction(1, symbol_count)
    patterns = count_patterns(candidate_count, symbol_count)
    return sum((chance * counts[0] for counts, chance in patterns), Fraction(0)) / candidate_count


def least_loss_bits(candidate_count: int, symbol_count: int) -> float:
    """Least possible cross-entropy, in bits: the mean entropy of counts/m; log2 V for m = 0."""
    if candidate_count == 0:
        return math.log2(symbol_count)
    return sum(
        float(chance)
        * sum(count / candidate_count * math.log2(candidate_count / count) for count in counts)
        for counts, chance in count_patterns(candidate_count, symbol_count)
    )


@dataclass(frozen=True)
class LawStep:
    """What can be known at one position of the segment.

    Attributes:
        position: i.
        carriers: m, visible keys that carry the right key's encoding; 0 if the right key is
            further back than the memory goes.
        knows_one: whether one of them is the query's own token. The residual stream holds it, so
            it can be subtracted; with absolute positions this is so iff K is a multiple of L.
        accuracy: the best possible share of right answers.
        loss_bits: the least possible cross-entropy.
    """

    position: int
    carriers: int
    knows_one: bool
    accuracy: Fraction
    loss_bits: float

    @property
    def candidates(self) -> int:
        """The tokens among which one has to guess."""
        return self.carriers - self.knows_one

    @property
    def label(self) -> str:
        """How many carry the encoding, in a few signs."""
        if not self.carriers:
            return "out of sight"
        return f"m = {self.carriers}" + (", one known" if self.knows_one else "")


def guessing_law(
    *, segment_length: int, memory_depth: int, back: int, symbol_count: int, is_relative: bool
) -> tuple[LawStep, ...]:
    """The law at every position of a segment that has its memory full.

    Args:
        back: K >= 1, how many tokens back the asked token lies.
        is_relative: keys carry their distance from the query, and no two share one.
    Raises: ValueError for K < 1 or V < 2.

    >>> steps = guessing_law(
    ...     segment_length=4, memory_depth=1, back=1, symbol_count=16, is_relative=False)
    >>> [step.carriers for step in steps], [float(step.accuracy) for step in steps]
    ([1, 2, 2, 2], [1.0, 0.53125, 0.53125, 0.53125])
    """
    if back < 1 or symbol_count < 2:
        raise ValueError(f"need K >= 1 and V >= 2, got {back}, {symbol_count}")
    conflict = position_conflict(segment_length=segment_length, memory_depth=memory_depth)
    steps = []
    for position in range(segment_length):
        right_key = conflict.memory_length + position - back
        if right_key < 0:
            carriers = 0
        else:
            carriers = 1 if is_relative else int(conflict.visible_carriers(position)[right_key])
        knows_one = carriers > 1 and back % segment_length == 0
        candidates = carriers - knows_one
        steps.append(
            LawStep(
                position=position,
                carriers=carriers,
                knows_one=knows_one,
                accuracy=best_accuracy(candidates, symbol_count),
                loss_bits=least_loss_bits(candidates, symbol_count),
            )
        )
    return tuple(steps)
