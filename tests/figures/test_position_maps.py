"""Tables of keys: the frame, its HTML, its sentences, against positions in the text alone."""

from __future__ import annotations

import csv
import io
import re
from itertools import combinations
from string import ascii_lowercase
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pages.tables import cells_in, sentences_of, with_class
from xlexplain.figures.position_attention import twin_table
from xlexplain.figures.position_distances import row_table
from xlexplain.figures.position_maps import KeyMap, conflict_maps, key_csv, key_maps, key_table
from xlexplain.figures.position_sentences import sentence
from xlexplain.figures.position_vectors import repeats
from xlexplain.figures.theme import DARK, LIGHT
from xlexplain.maths import position_conflict
from xlexplain.maths.words import counted

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
HEADER = "key,token,segment,segments_ago,encoded,offset,distance_from_query,twins"


@settings(deadline=None)
@given(st.integers(1, 10), st.integers(0, 4), TEXT, st.data())
def test_csv_reads_back(length: int, depth: int, tokens: str, data: st.DataObject) -> None:
    query = data.draw(st.integers(0, length - 1))
    conflict = position_conflict(segment_length=length, memory_depth=depth)
    text = key_csv(conflict, query=query, tokens=tokens)
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    assert ",".join(header) == HEADER
    assert len(rows) == conflict.key_count
    for j, row in enumerate(rows):
        age = depth - j // length
        place = j % length
        twins = [other * length + place for other in range(depth + 1)]
        assert row == [
            str(j),
            tokens[j] if j < len(tokens) else "",
            "τ" if age == 0 else f"τ−{age}",
            str(age),
            str(place),
            str(j - depth * length),
            str(depth * length + query - j),
            " ".join(str(other) for other in twins if other != j),
        ]


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 32), st.integers(0, 4), TEXT, st.data())
def test_tables_hold_told_and_true_numbers(
    L: int, D: int, tokens: str, data: st.DataObject
) -> None:
    S, query = (D + 1) * L, data.draw(st.integers(0, L - 1))
    chosen = data.draw(st.integers(0, S - 1))
    conflict = position_conflict(segment_length=L, memory_depth=D)
    source = conflict_maps(
        conflict, query=query, key=chosen, true_means="distance", tokens=tokens, palette=LIGHT
    )
    told, true = cells_in(source)
    now = D * L + query
    for cells, number in ((told, lambda key: key % L), (true, lambda key: now - key)):
        assert [cell.value for cell in cells] == [
            str(number(key)).replace("-", "−") for key in range(S)
        ]
        assert [cell.token for cell in cells] == [*tokens[:S], *[""] * (S - len(tokens))]
        assert with_class(cells, "ahead") == list(range(now + 1, S))
        assert with_class(cells, "query") == [now]
        assert with_class(cells, "self") == [chosen]
        assert with_class(cells, "lit") == list(range(chosen % L, S, L))


def test_a_reader_s_text_is_text() -> None:
    conflict, tokens = position_conflict(segment_length=5, memory_depth=0), ["<b>", *"&<'\""]
    source = conflict_maps(
        conflict, query=3, key=0, true_means="offset", tokens=tokens, palette=DARK
    )
    for cells in cells_in(source):
        assert [cell.token for cell in cells] == tokens
    for written in ("&lt;b&gt;", "&amp;", "&lt;", "&#x27;", "&quot;"):
        assert source.count(f"<small>{written}</small>") == 2
    for position, spoken in enumerate(["&lt;b&gt;", "&amp;", "&lt;", "'", '"']):
        assert f"Only key ‘\u2068{spoken}\u2069’ in τ is told" in sentences_of(source)[position]


@pytest.mark.parametrize(("L", "D"), [(1, 0), (2, 0), (8, 1), (5, 3), (32, 4)])
@pytest.mark.parametrize("true_means", ["distance", "offset"])
def test_sentences_say_where_the_keys_of_a_position_are(L: int, D: int, true_means: Any) -> None:
    conflict, tokens = position_conflict(segment_length=L, memory_depth=D), "x" * (D * L)
    for query in {0, L // 2, L - 1}:
        for position in range(L):
            said = sentence(conflict, position, query=query, true_means=true_means, tokens=tokens)
            keys = range(position, (D + 1) * L, L)
            names = re.findall(r"[Kk]ey (‘\u2068x\u2069’|number \d+) in (τ(?:−\d)?)", said)
            assert names == [
                ("‘\u2068x\u2069’", f"τ−{D - key // L}") if key < D * L else (f"number {key}", "τ")
                for key in keys
            ]
            back = [D * L + query - key for key in keys]
            marked = [[str(position)]]
            if true_means == "offset":
                marked += [[str(key - D * L).replace("-", "−") for key in keys]]
            else:
                seen = [str(distance) for distance in back if distance >= 0]
                marked += [seen] if seen else []
            assert [re.split(", | and ", one) for one in re.findall("<b>(.*?)</b>", said)] == marked
            hidden = f"lies {-back[-1]} ahead of query {query} and is hidden from it."
            assert (hidden in said) == (back[-1] < 0 and true_means == "distance")
            assert said.endswith("no conflict.") == (D == 0)


@pytest.mark.parametrize(
    ("L", "D", "query", "true_means", "said"),
    [
        (
            *(8, 1, 2, "distance"),
            "Key ‘f’ in τ−1 and key ‘n’ in τ are both told to be at position <b>5</b>. From query "
            "2 the first one lies <b>5</b> back. The last one lies 3 ahead of query 2 and is "
            "hidden from it.",
        ),
        (
            *(8, 2, 5, "distance"),
            "Key ‘f’ in τ−2, key ‘n’ in τ−1 and key ‘v’ in τ are all told to be at position "
            "<b>5</b>. From query 5 they lie <b>16, 8 and 0</b> back.",
        ),
        (
            *(8, 1, 2, "offset"),
            "Key ‘f’ in τ−1 and key ‘n’ in τ are both told to be at position <b>5</b>. Counted "
            "from the start of τ they stand at <b>−3 and 5</b>.",
        ),
        (
            *(8, 0, 2, "distance"),
            "Only key ‘f’ in τ is told to be at position <b>5</b>. It lies 3 ahead of query 2 and "
            "is hidden from it. Without memory each number is used once: no conflict.",
        ),
    ],
)
def test_whole_sentences(L: int, D: int, query: int, true_means: Any, said: str) -> None:
    conflict = position_conflict(segment_length=L, memory_depth=D)
    shown = sentence(conflict, 5, query=query, true_means=true_means, tokens=ascii_lowercase)
    assert re.sub("[\u2068\u2069]", "", shown) == said


def test_a_table_of_tokens_only_tells_no_answer() -> None:
    conflict = position_conflict(segment_length=4, memory_depth=1)
    keys = key_table(conflict, query=2, tokens="abcdefgh")
    marks = {1: "right", 5: "wrong"}
    (cells,) = cells_in(key_maps(keys, [KeyMap("", "", None)], query=2, palette=LIGHT, marks=marks))
    assert {cell.value for cell in cells} == {""}
    assert (with_class(cells, "right"), with_class(cells, "wrong")) == ([1], [5])
    assert with_class(cells, "lit") == []


@pytest.mark.parametrize(("L", "D"), [(2, 0), (8, 2), (32, 4)])
def test_a_query_s_row_is_what_it_sees(L: int, D: int) -> None:
    conflict = position_conflict(segment_length=L, memory_depth=D)
    for query in {0, L // 2, L - 1}:
        rows = row_table(conflict, query=query).replace("−", "-", regex=True)
        assert len(rows) == D + 1
        for ago, row in zip(range(D, -1, -1), rows.to_numpy().tolist(), strict=True):
            told = [query - position for position in range(L if ago else query + 1)]
            assert row == [
                ", ".join(map(str, told)),
                ", ".join(str(distance + ago * L) for distance in told),
                str(ago * L),
            ]


def test_twins_stand_with_their_weights() -> None:
    conflict = position_conflict(segment_length=2, memory_depth=1)
    weights = {"absolute": [0.25, 0.25, 0.25, 0.25], "relative": [0.1, 0.2, 0.3, 0.4]}
    arrays = {name: np.array(values) for name, values in weights.items()}
    table = twin_table(np.array([1, 3]), conflict, arrays, tokens="abcd", query=1)
    assert re.findall(r"<t[dh]\b[^>]*>(.*?)</t[dh]>", table) == [
        *("key", "segment", "tokens back", "absolute", "relative"),
        *("‘\u2068b\u2069’", "τ−1", "2", "0.25000000", "0.20000000"),
        *("‘\u2068d\u2069’", "τ", "0", "0.25000000", "0.40000000"),
    ]


@given(st.lists(st.integers(0, 2), min_size=1, max_size=4), st.integers(1, 4))
def test_equal_columns_are_counted(columns: list[int], times: int) -> None:
    block = sorted(set(columns))
    vectors = np.array([[float(one), 1.0] for one in block * times])
    pairs = sum(one == other for one, other in combinations(vectors.tolist(), 2))
    if pairs:
        equal = counted(pairs, "equal pair")
        assert repeats(vectors) == f"{counted(len(block), 'column')} {times} times: {equal}"
    else:
        assert repeats(vectors) == f"{counted(len(block), 'column')}, no two equal"
