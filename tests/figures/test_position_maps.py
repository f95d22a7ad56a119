"""Tables of keys: the frame, its HTML, its sentences, against positions in the text alone."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pages.tables import cells_in, with_class
from xlexplain.figures.position_attention import twin_table
from xlexplain.figures.position_distances import row_table
from xlexplain.figures.position_maps import KeyMap, conflict_maps, key_csv, key_maps, key_table
from xlexplain.figures.position_sentences import sentence
from xlexplain.figures.theme import DARK, LIGHT
from xlexplain.maths import position_conflict

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
    conflict = position_conflict(segment_length=4, memory_depth=0)
    source = conflict_maps(
        conflict, query=3, key=0, true_means="offset", tokens="<&'\"", palette=DARK
    )
    assert "<small>&lt;</small>" in source
    assert "<small>&amp;</small>" in source
    assert "‘\u2068&lt;\u2069’" in sentence(
        conflict, 0, query=3, true_means="offset", tokens="<&'\""
    )


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
    query = L // 2
    table = row_table(conflict, query=query)
    told = ", ".join(str(query - position) for position in range(L if D else query + 1))
    assert table.iloc[0]["told"].replace("−", "-") == told
    assert table["off by"].tolist() == [str(ago * L) for ago in range(D, -1, -1)]


def test_twins_stand_with_their_weights() -> None:
    conflict = position_conflict(segment_length=2, memory_depth=1)
    weights = {"absolute": [0.25, 0.25, 0.25, 0.25], "relative": [0.1, 0.2, 0.3, 0.4]}
    arrays = {name: np.array(values) for name, values in weights.items()}
    table = twin_table(np.array([1, 3]), conflict, arrays, tokens="abcd", query=1)
    assert table["tokens back"].tolist() == ["2", "0"]
    assert table["relative"].tolist() == ["0.20000000", "0.40000000"]
