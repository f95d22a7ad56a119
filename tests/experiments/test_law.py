"""The law against enumeration: every text, every thing that a layer can tell apart."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Hashable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xlexplain.experiments.law import (
    best_accuracy,
    count_patterns,
    guessing_law,
    least_loss_bits,
    partitions,
)


@pytest.mark.parametrize(("m", "V"), list(itertools.product(range(1, 6), range(1, 6))))
def test_best_accuracy_is_what_counting_all_texts_gives(m: int, V: int) -> None:
    largest = [max(Counter(tokens).values()) for tokens in itertools.product(range(V), repeat=m)]
    assert best_accuracy(m, V) == Fraction(sum(largest), len(largest) * m)


@pytest.mark.parametrize(("m", "V"), list(itertools.product(range(1, 5), range(1, 5))))
def test_least_loss_is_the_mean_entropy_over_all_texts(m: int, V: int) -> None:
    entropies = [
        -sum(n / m * math.log2(n / m) for n in Counter(tokens).values())
        for tokens in itertools.product(range(V), repeat=m)
    ]
    assert least_loss_bits(m, V) == pytest.approx(sum(entropies) / len(entropies), abs=1e-12)


@settings(deadline=None)
@given(st.integers(0, 12), st.integers(1, 64))
def test_patterns_are_all_that_can_happen(m: int, V: int) -> None:
    patterns = count_patterns(m, V)
    assert sum(chance for _, chance in patterns) == 1
    assert all(sum(counts) == m and len(counts) <= V for counts, _ in patterns)


@settings(deadline=None)
@given(st.integers(1, 14))
def test_partitions_add_up_and_are_distinct(total: int) -> None:
    found = list(partitions(total))
    assert all(sum(parts) == total and list(parts) == sorted(parts)[::-1] for parts in found)
    assert len(set(found)) == len(found)


def test_two_keys_give_a_half_and_a_bit() -> None:
    for V in (2, 3, 16, 100):
        assert best_accuracy(2, V) == Fraction(1, 2) + Fraction(1, 2 * V)


def observations(
    tokens: tuple[int, ...], *, position: int, L: int, D: int, is_relative: bool
) -> Hashable:
    """All that one layer has at a query: its own token, and what it sees, in no order."""
    query = D * L + position
    seen = Counter(
        (tokens[key], query - key if is_relative else key % L) for key in range(query + 1)
    )
    return tokens[query], position, frozenset(seen.items())


TINY = [(2, 1, 1, 3), (2, 1, 2, 3), (3, 1, 2, 2), (3, 1, 3, 2), (2, 2, 1, 2), (2, 2, 2, 2)]
TINY += [(2, 2, 4, 2), (2, 1, 3, 3), (4, 0, 2, 3), (3, 1, 5, 2)]


@pytest.mark.parametrize("is_relative", [False, True])
@pytest.mark.parametrize(("L", "D", "K", "V"), TINY)
def test_law_is_the_best_of_all_answers_to_what_a_layer_sees(
    L: int, D: int, K: int, V: int, is_relative: bool
) -> None:
    """Count, over all texts, the right tokens that go with each observation; answer the commonest.

    Tokens before the memory are drawn too: the right one may be out of sight.
    """
    law = guessing_law(
        segment_length=L, memory_depth=D, back=K, symbol_count=V, is_relative=is_relative
    )
    before = max(0, K - D * L)
    for position in range(L):
        answers: dict[Hashable, Counter[int]] = defaultdict(Counter)
        for text in itertools.product(range(V), repeat=before + D * L + position + 1):
            seen = observations(text[before:], position=position, L=L, D=D, is_relative=is_relative)
            answers[seen][text[before + D * L + position - K]] += 1
        total = V ** (before + D * L + position + 1)
        best = Fraction(sum(max(counts.values()) for counts in answers.values()), total)
        loss = sum(
            n / total * math.log2(sum(counts.values()) / n)
            for counts in answers.values()
            for n in counts.values()
        )
        assert law[position].accuracy == best
        assert law[position].loss_bits == pytest.approx(loss, abs=1e-12)


@settings(deadline=None)
@given(st.integers(1, 12), st.integers(0, 4), st.integers(1, 40), st.integers(2, 20))
def test_relative_positions_know_or_cannot_see(L: int, D: int, K: int, V: int) -> None:
    law = guessing_law(segment_length=L, memory_depth=D, back=K, symbol_count=V, is_relative=True)
    for step in law:
        is_visible = D * L + step.position >= K
        assert step.accuracy == (1 if is_visible else Fraction(1, V))
        assert step.carriers == int(is_visible)


@settings(deadline=None)
@given(st.integers(1, 12), st.integers(1, 4), st.integers(2, 20))
def test_exception_of_the_own_token(L: int, D: int, V: int) -> None:
    """K = L: the query's own token is one of the D + 1 carriers and can be subtracted."""
    law = guessing_law(segment_length=L, memory_depth=D, back=L, symbol_count=V, is_relative=False)
    assert all(step.knows_one and step.candidates == D for step in law)
    assert all(step.accuracy == best_accuracy(D, V) for step in law)


@pytest.mark.parametrize(("back", "symbols"), [(0, 16), (1, 1), (-3, 16)])
def test_senseless_tasks_are_refused(back: int, symbols: int) -> None:
    with pytest.raises(ValueError, match="need K >= 1 and V >= 2"):
        guessing_law(
            segment_length=8, memory_depth=1, back=back, symbol_count=symbols, is_relative=False
        )
