"""The position-conflict page through app.py, without a browser."""

from __future__ import annotations

import csv
import io
import math
import re
import subprocess
import sys
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from tests.pages.conftest import HARD_TEXTS, OpenPage
from tests.pages.drawn import sent
from tests.pages.tables import cells_of, sentences_of, tables_html, with_class
from tests.serving import ROOT
from xlexplain.figures.position_maps import key_csv
from xlexplain.maths.listing import conflict_listing
from xlexplain.maths.positions import position_conflict
from xlexplain.maths.questions import questions
from xlexplain.ui import frame
from xlexplain.ui.position import quiz
from xlexplain.ui.texts import OWN, SAMPLES, visible

NAME = "position_conflict"
DISTANCES = ("distances-told", "distances-true", "distances-error")
ATTENTION = ("attention-absolute", "attention-relative")
GRID = [(2, 0), (2, 1), (2, 4), (8, 0), (8, 1), (8, 2), (13, 3), (32, 0), (32, 4)]
grid = pytest.mark.parametrize(("L", "D"), GRID)


def button(app: AppTest, label: str) -> Button:
    (one,) = (one for one in app.button if one.label == label)
    return one


def words_of(app: AppTest) -> str:
    return "\n".join(one.value for one in (*app.markdown, *app.text, *app.caption, *app.header))


def html_of(app: AppTest) -> str:
    return "\n".join(one.proto.body for one in app.get("html"))


def figures_of(app: AppTest, *keys: str) -> list[dict[str, Any]]:
    """The figures of those keys."""
    return [sent(app, key)["figure"] for key in keys]


@grid
def test_maps_hold_what_is_told_and_what_is_true(open_page: OpenPage, L: int, D: int) -> None:
    app = open_page(NAME, seg=L, mem=D, query=L // 2)
    told, true = cells_of(app)
    S, now = (D + 1) * L, D * L + L // 2
    assert [cell.value for cell in told] == [str(key % L) for key in range(S)]
    assert [cell.value for cell in true] == [str(now - key).replace("-", "−") for key in range(S)]
    for cells in (told, true):
        assert [cell.key for cell in cells] == list(range(S))
        assert with_class(cells, "ahead") == list(range(now + 1, S))
        assert with_class(cells, "query") == [now]
        sample = SAMPLES["Python reference"][:S]
        assert "".join(cell.token for cell in cells) == "".join(map(visible, sample))
    rows = re.findall(r'<th scope="row">(.*?)</th>', tables_html(app))
    assert rows == 2 * [*(f"τ−{age}" for age in range(D, 0, -1)), "τ"]


@grid
def test_the_chosen_key_and_its_twins_are_lit(open_page: OpenPage, L: int, D: int) -> None:
    app = open_page(NAME, seg=L, mem=D, key=1)
    for cells in cells_of(app):
        assert with_class(cells, "self") == [1]
        assert with_class(cells, "lit") == list(range(1, (D + 1) * L, L))


@grid
def test_sentences_name_the_keys_and_their_distances(open_page: OpenPage, L: int, D: int) -> None:
    query = L // 2
    sentences = sentences_of(tables_html(open_page(NAME, seg=L, mem=D, query=query)))
    assert len(sentences) == L
    for position, text in enumerate(sentences):
        back = [query - position + age * L for age in range(D, -1, -1)]
        seen = [str(distance) for distance in back if distance >= 0]
        marked = re.findall(r"<b>(.*?)</b>", text)
        assert marked[0] == str(position)
        assert re.findall(r"\d+", " ".join(marked[1:])) == seen
        assert text.count("in τ") == D + 1
        assert ("hidden" in text) == (back[-1] < 0)
        assert ("no conflict" in text) == (D == 0)


@grid
def test_offset_reading_is_the_sources(open_page: OpenPage, L: int, D: int) -> None:
    app = open_page(NAME, seg=L, mem=D, true="offset")
    offsets = [str(offset).replace("-", "−") for offset in range(-D * L, L)]
    assert [cell.value for cell in cells_of(app)[1]] == offsets
    assert sentences_of(tables_html(app))[0].count("Counted from the start of τ") == 1


@grid
def test_counts_are_those_of_brute_force(open_page: OpenPage, L: int, D: int) -> None:
    app = open_page(NAME, seg=L, mem=D, query=0)
    S = (D + 1) * L
    pairs = sum((a - b) % L == 0 for a, b in combinations(range(S), 2))
    counted, numbers = zip(
        *re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", tables_html(app)), strict=True
    )
    errors = [str(age * L) for age in range(1, D + 1)]
    assert (numbers[0], numbers[1]) == (f"{pairs:,}", str(L))
    assert re.findall(r"\d+", numbers[2]) == (errors or ["0"])
    assert counted[1] == f"different positions for {S} keys"
    seen = range(D * L + 1)
    ambiguous = sum(any(a != b and (a - b) % L == 0 for b in seen) for a in seen)
    assert (
        f"**{ambiguous} of {len(seen)} key{'s' * (len(seen) > 1)} ({ambiguous / len(seen):.0%})**"
        in words_of(app)
    )
    assert html_of(app).count('class="xl-chapter"') == D + 1  # the book's chapters


def test_without_memory_the_page_says_so_and_why(open_page: OpenPage) -> None:
    words = words_of(open_page(NAME, seg=8, mem=0))
    assert "With memory depth 0 there is no conflict" in words
    assert "carry the numbers 0 to 7, each once" in words


@grid
def test_console_shows_what_the_command_prints(open_page: OpenPage, L: int, D: int) -> None:
    app = open_page(NAME, seg=L, mem=D, query=1)
    command, listing = (one.value for one in app.code[:2])
    assert command.startswith("python -m xlexplain conflict --segment-length")
    arguments = [sys.executable, *command.split()[1:]]
    if (L, D) in ((8, 1), (2, 0)):
        done = subprocess.run(
            arguments, cwd=ROOT, capture_output=True, encoding="utf-8", check=True, timeout=60
        )
        assert done.stdout.rstrip("\n") == listing
    assert listing == conflict_listing(segment_length=L, memory_depth=D, query=1)


@grid
def test_distance_matrices_add_up(open_page: OpenPage, L: int, D: int) -> None:
    app = open_page(NAME, seg=L, mem=D, closer="Distances")
    told, true, error = (chart["data"][0]["z"] for chart in figures_of(app, *DISTANCES))
    i, j = np.arange(L)[:, None], np.arange((D + 1) * L)[None, :]
    np.testing.assert_array_equal(told, i - j % L)
    np.testing.assert_array_equal(true, D * L + i - j)
    np.testing.assert_array_equal(error, L * (D - j // L) + 0 * i)
    assert "its largest difference from the truth is **0**" in words_of(app)


@grid
def test_the_query_s_row_is_outlined_and_said_in_numbers(
    open_page: OpenPage, L: int, D: int
) -> None:
    query = L // 2
    app = open_page(NAME, seg=L, mem=D, query=query, closer="Distances")
    for chart in figures_of(app, *DISTANCES):
        row = chart["layout"]["shapes"][-1]
        assert (row["type"], row["y0"], row["y1"]) == ("rect", query - 0.5, query + 0.5)
    (table,) = (one.value for one in app.table)
    assert table.index.tolist() == [*(f"τ−{ago}" for ago in range(D, 0, -1)), "τ"]
    for row, ago in zip(
        table.replace("−", "-", regex=True).to_numpy(), range(D, -1, -1), strict=True
    ):
        positions = range(L if ago else query + 1)
        assert row[0] == ", ".join(str(query - position) for position in positions)
        assert row[1] == ", ".join(str(query - position + ago * L) for position in positions)
        assert row[2] == str(ago * L)


@pytest.mark.parametrize("table", ["sinusoidal", "learned"])
@pytest.mark.parametrize(("L", "D"), [(2, 0), (8, 1), (8, 3), (32, 4)])
def test_strips_say_how_often_their_columns_repeat(
    open_page: OpenPage, table: str, L: int, D: int
) -> None:
    app = open_page(NAME, seg=L, mem=D, query=1, closer="Position vectors", table=table)
    S, pairs = (D + 1) * L, L * D * (D + 1) // 2
    no_two = f"{S} columns, no two equal"
    repeated = f"{L} columns {D + 1} times: {pairs:,} equal pairs" if D else no_two
    for kind, finding, counted in (
        (table, repeated, "told position"),
        ("relative", no_two, "distance from query 1"),
    ):
        strip = sent(app, f"strip-{kind}")
        assert strip["titles"][0][0] == finding
        assert strip["alt"].startswith(finding)
        assert counted in strip["alt"]
        assert "divided by their lengths" in sent(app, f"similarity-{kind}")["alt"]
    assert "the dot product of each two, divided by their lengths" in words_of(app)


@pytest.mark.parametrize("query", [0, 3, 7])
def test_relative_vectors_are_those_from_the_chosen_query(open_page: OpenPage, query: int) -> None:
    app = open_page(NAME, seg=8, mem=1, query=query, closer="Position vectors", width=4)
    strip = sent(app, "strip-relative")["figure"]["data"][0]["z"]
    sines = [math.sin(8 + query - key) for key in range(16)]
    np.testing.assert_allclose(strip[0] / 100, sines, atol=0.0051)
    assert f"distances from query {query}:" in words_of(app)


@pytest.mark.parametrize("table", ["sinusoidal", "learned"])
@pytest.mark.parametrize(("L", "D", "width"), [(2, 0, 4), (8, 2, 16), (32, 4, 64)])
def test_vectors_repeat_or_do_not(
    open_page: OpenPage, table: str, L: int, D: int, width: int
) -> None:
    app = open_page(NAME, seg=L, mem=D, closer="Position vectors", table=table, width=width)
    keys = (f"similarity-{table}", f"strip-{table}", "similarity-relative")
    absolute, strip, relative = (one["data"][0]["z"] for one in figures_of(app, *keys))
    np.testing.assert_array_equal(absolute, np.tile(absolute[:L, :L], (D + 1, D + 1)))
    assert strip.shape == (width, (D + 1) * L)
    assert (np.diag(relative) == 100).all()
    words = words_of(app)
    pairs = L * D * (D + 1) // 2
    assert re.findall(r"\*\*([\d,]+) pairs\*\*", words) == [f"{pairs:,}", "0"]
    assert ("stands for whatever a learned table has learned" in words) == (table == "learned")


@pytest.mark.parametrize(("L", "D"), [(2, 1), (8, 2), (32, 4)])
def test_twins_get_exactly_the_same_from_the_absolute_model(
    open_page: OpenPage, L: int, D: int
) -> None:
    app = open_page(NAME, seg=L, mem=D, query=L - 1, closer="Attention", head=2)
    absolute, relative = (one["data"][0]["y"] for one in figures_of(app, *ATTENTION))
    np.testing.assert_array_equal(absolute, np.tile(absolute[:L], D + 1))
    assert np.ptp(relative.reshape(D + 1, L), axis=0).max() > 0
    assert sum(absolute) == pytest.approx(1, abs=1e-5)
    words = words_of(app)
    pairs = sum(
        (D + 1) * D // 2 if place <= query else D * (D - 1) // 2
        for query in range(L)
        for place in range(L)
    )
    assert f"{pairs:,} pairs of twins" in words
    assert "**exactly 0** in the absolute model" in words
    assert "**exactly 0** in the relative" not in words


def test_the_twins_in_yellow_are_the_most_attended_or_the_chosen(open_page: OpenPage) -> None:
    settings = {"seg": 8, "mem": 1, "query": 5, "key": 2, "head": 2, "closer": "Attention"}
    app = open_page(NAME, **settings)
    chart = sent(app, ATTENTION[0])["figure"]
    weights = chart["data"][0]["y"]
    told = int(weights.reshape(2, 8)[:, :6].sum(axis=0).argmax())
    assert f"keys told position {told}. " in words_of(app)
    assert set(labels_of(chart)) == {f"{weights[told]:.4f}"}
    app = open_page(NAME, **settings, twins="chosen")
    assert "keys told position 2. " in words_of(app)
    assert set(labels_of(sent(app, ATTENTION[0])["figure"])) == {f"{weights[2]:.4f}"}


def labels_of(chart: dict[str, Any]) -> list[str]:
    """What stands at a chart's bars."""
    return [one["text"] for one in chart["layout"]["annotations"]]


def test_own_text_reaches_the_models(open_page: OpenPage) -> None:
    app = open_page(
        NAME, seg=4, mem=1, closer="Attention", run="the text above", sample=OWN, query=3
    )
    app.text_area(key="text").set_value("ab🎉<ab🎉d").run()
    assert not app.exception
    words = words_of(app)
    assert "“🎉” (U+1F389)" in words
    ticks = sent(app, ATTENTION[0])["figure"]["layout"]["xaxis"]["ticktext"]
    assert ticks == ["a", "b", "🎉", "&lt;", "a", "b", "🎉", "d"]
    app.text_area(key="text").set_value("abc").run()
    assert "Your text has 3 of the 8 characters needed" in words_of(app)


def test_without_memory_there_are_no_twins_to_compare(open_page: OpenPage) -> None:
    app = open_page(NAME, seg=8, mem=0, closer="Attention")
    assert "no key has a twin" in words_of(app)
    assert not app.table


def test_page_does_not_import_torch_until_the_models_are_asked_for() -> None:
    program = (
        "import sys\n"
        "from streamlit.testing.v1 import AppTest\n"
        "app = AppTest.from_file('app.py', default_timeout=60)\n"
        "app.switch_page('pages/position_conflict.py').run()\n"
        "assert not app.exception, app.exception\n"
        "assert len(app.code) == 2\n"
        "assert 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, timeout=120)


@pytest.mark.parametrize("kind", HARD_TEXTS)
def test_hard_texts_are_shown_literally(open_page: OpenPage, kind: str) -> None:
    text = HARD_TEXTS[kind]
    app = open_page(NAME, seg=4, mem=2, sample=OWN, closer="Attention")
    app.text_area(key="text").set_value(text).run()
    assert not app.exception
    tokens = [cell.token for cell in cells_of(app)[0]]
    shown = text or SAMPLES["Python reference"]
    known = [visible(char) for char in shown[:12]]
    assert tokens == known + [""] * (12 - len(known))
    if len(text) > 12:
        assert f"Your text has {len(text):,} characters; the page shows the first 12" in words_of(
            app
        )
    if 0 < len(text) < 12:
        assert f"Your text fills {len(text)} of 12 cells" in words_of(app)


@pytest.mark.parametrize("bad", ["-1", "999999999999", "2.5", "", "x", "<b>", "²"])
def test_bad_numbers_in_the_address_fall_back_with_a_notice(open_page: OpenPage, bad: str) -> None:
    app = open_page(NAME, query=bad, key=bad, true=bad, closer=bad)
    (told, _) = cells_of(app)
    assert (with_class(told, "query"), with_class(told, "self")) == ([8 + 5], [5])
    notices = [one.value for one in app.text if "in the address" in one.value]
    assert len(notices) == 4


def test_repeated_values_in_the_address_fall_back(open_page: OpenPage) -> None:
    app = open_page(NAME, key=["3", "4"], true=["offset", "distance"])
    notices = [one.value for one in app.text if "in the address" in one.value]
    _, true = cells_of(app)
    reading = "offset" if true[0].value == "−8" else "distance"
    shown = {notice.split()[-1] for notice in notices}
    assert shown == {f"{with_class(true, 'self')[0]}.", f"{reading}."}


def test_heading_map_and_address_follow_the_key(open_page: OpenPage) -> None:
    app = open_page(NAME, seg=8, mem=2, key=18)
    assert app.title[0].value == "Which “2” do you mean?"
    app.selectbox(key="key").set_value(7).run()
    assert with_class(cells_of(app)[0], "self") == [7]
    assert app.query_params["key"] in ("7", ["7"])
    assert app.title[0].value == "Which “7” do you mean?"


def test_a_key_that_is_gone_becomes_its_twin_in_the_current_segment(open_page: OpenPage) -> None:
    app = open_page(NAME, seg=8, mem=4, key=37)
    app.slider(key="mem").set_value(1).run()
    assert with_class(cells_of(app)[0], "self") == [8 + 37 % 8]
    assert not [one for one in app.text if "in the address" in one.value]


@grid
def test_right_answers_are_marked_right_and_wrong_ones_wrong(
    open_page: OpenPage, L: int, D: int
) -> None:
    app = open_page(NAME, seg=L, mem=D, query=L - 1)
    conflict = position_conflict(segment_length=L, memory_depth=D)
    for number, question in enumerate(questions(conflict, query=L - 1)):
        now = D * L + question.query
        right = {
            "alike": [now - L, now] if D else [],
            "distance": [now - question.distance],
            "truth": [now],
        }[question.kind]
        wrong = {
            "alike": [0, 1],
            "distance": [(now - question.distance + 1) % conflict.key_count],
            "truth": [0] if D else [],
        }[question.kind]
        for given, word in ((right, "Right."), (wrong, "Not quite.")):
            answer = app.session_state[quiz.ANSWERS_KEY]
            answer[quiz.name_of(question)] = given
            app.session_state[quiz.NUMBER_KEY] = number
            app.run()
            assert not app.exception
            (verdict,) = (*app.success, *app.error)
            assert verdict.value.startswith(f"**{word}**"), (question, given)
            (cells,) = cells_of(app, "quiz-map")
            assert set(given) <= set(with_class(cells, "right" if word == "Right." else "wrong"))


def test_answers_are_not_sent_before_they_are_given(open_page: OpenPage) -> None:
    (cells,) = cells_of(open_page(NAME, seg=8, mem=2), "quiz-map")
    assert {cell.value for cell in cells} == {""}
    assert not any(cell.classes & {"right", "wrong", "lit", "self"} for cell in cells)


def test_an_answer_can_be_given_without_a_pointer(open_page: OpenPage) -> None:
    app = open_page(NAME, seg=8, mem=1, query=3)
    app.multiselect[0].set_value([2]).run()
    (cells,) = cells_of(app, "quiz-map")
    assert with_class(cells, "picked") == [2]
    app.multiselect[0].set_value([2, 10]).run()
    assert app.success[0].value.startswith("**Right.** Both are told position 2")


def test_there_are_none_can_be_said(open_page: OpenPage) -> None:
    app = open_page(NAME, seg=8, mem=0)
    button(app, "There are none").click().run()
    assert app.success[0].value.startswith("**Right.**")
    app = open_page(NAME, seg=8, mem=1, query=3)
    button(app, "There are none").click().run()
    assert "both told position 3, in truth 8 and 0 back" in app.error[0].value


def test_new_questions_are_other_questions(open_page: OpenPage) -> None:
    app = open_page(NAME, seg=8, mem=1)
    button(app, "There are none").click().run()
    before = next(one.value for one in app.markdown if "look alike by position?" in one.value)
    button(app, "Three new questions").click().run()
    assert before not in [one.value for one in app.markdown]
    assert not (*app.success, *app.error)


def test_table_can_be_downloaded(open_page: OpenPage) -> None:
    app = open_page(NAME, seg=8, mem=2, query=3)
    assert [one.proto.label for one in app.get("download_button")] == ["Download the table (CSV)"]
    tokens = [cell.token for cell in cells_of(app)[0]]
    conflict = position_conflict(segment_length=8, memory_depth=2)
    rows = list(csv.DictReader(io.StringIO(key_csv(conflict, query=3, tokens=tokens))))
    assert [row["token"] for row in rows] == tokens
    assert [row["distance_from_query"] for row in rows] == [str(19 - key) for key in range(24)]


def test_embedded_page_has_only_the_question_and_the_maps(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frame, "is_embedded", lambda: True)
    app = open_page(NAME)
    assert len(app.title) == 1
    assert len(app.get("bidi_component")) == 2  # the maps, and what watches for light and dark
    assert not (*app.header, *app.code, *app.tabs)


def test_one_change_stays_small(open_page: OpenPage) -> None:
    for settings, most in (({"seg": 8, "mem": 2}, 50_000), ({"seg": 32, "mem": 4}, 200_000)):
        app = open_page(NAME, **settings)
        assert sum(one.proto.ByteSize() for one in app.get("bidi_component")) < most
