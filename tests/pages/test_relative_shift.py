"""The relative-shift page through app.py, without a browser."""

from __future__ import annotations

import html
import re
import sys
from dataclasses import replace
from types import FrameType
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import HARD_TEXTS, OpenPage
from tests.pages.drawn import component, frame_traces, sent
from xlexplain.maths import rel_shift, rel_shift_steps
from xlexplain.model import trace_text
from xlexplain.ui import address, models
from xlexplain.ui.settings import Settings
from xlexplain.ui.texts import SAMPLES

KEY = "moving-cells"


def cells_of(app: AppTest, number: int) -> dict[str, Any]:
    """The trace of the cells as a frame has it."""
    traces = frame_traces(sent(app, KEY)["figure"], number)
    (cells,) = [one for one in traces if one.get("name") == "cells"]
    return cells


@pytest.mark.parametrize(("L", "D"), [(8, 1), (2, 0), (2, 4), (3, 2), (16, 1), (32, 0), (32, 4)])
@pytest.mark.parametrize("form", ["slide", "code"])
def test_cells_and_values_are_the_models(open_page: OpenPage, L: int, D: int, form: str) -> None:
    app = open_page("relative_shift", seg=L, mem=D, segment=D, layer=3, head=4, shown=form)
    trace = models.trace("relative", SAMPLES["Python reference"], segment_length=L, memory_depth=D)
    scores = trace.segments[D].layers[2].bd_by_distance
    assert scores is not None
    stages, S = rel_shift_steps(scores[3]), L * (D + 1)
    cells = cells_of(app, 0)
    sources = np.array(cells["ids"], int)
    value = np.where(sources < 0, 0, scores[3].reshape(-1)[sources])
    np.testing.assert_array_equal(cells["marker"]["color"], value)
    last = cells_of(app, len(sent(app, KEY)["figure"]["frames"]) - 1)
    is_there = np.array(last["text"]) != ""
    ends = last["customdata"][is_there]
    np.testing.assert_array_equal(stages[-1].source[ends[:, 0], ends[:, 1]], sources[is_there])
    if L * S <= 500:
        assert is_there.sum() == L * S


def test_a_change_weighs_little(open_page: OpenPage) -> None:
    def size(**settings: object) -> int:
        return int(component(open_page("relative_shift", **settings), KEY).ByteSize())

    assert size(seg=8, mem=2, shown="code") < 100_000
    assert size(seg=32, mem=4, shown="code") < 400_000
    assert size(seg=10, mem=4, shown="code") < 250_000


def test_a_large_matrix_is_a_window_and_says_so(open_page: OpenPage) -> None:
    app = open_page("relative_shift", seg=32, mem=4, query=20, key=40)
    ends = {tuple(one) for one in cells_of(app, 3)["customdata"].tolist()}
    assert ends == {(i, j) for i in range(16, 24) for j in range(32, 48)}
    (notice,) = [one.value for one in app.text if "too many" in one.value]
    assert "5,120" in notice
    assert "queries 16–23 and keys 32–47" in notice
    titles = sent(app, KEY)["titles"]
    assert all(why.endswith("Shown: 128 of 5,120 cells.") for _, why in titles)
    assert not any("Shown:" in why for _, why in sent(open_page("relative_shift"), KEY)["titles"])


def test_the_mask_writes_minus_infinity_and_says_why(open_page: OpenPage) -> None:
    for form in ("slide", "code"):
        app = open_page("relative_shift", shown=form)
        assert cells_of(app, -1)["text"].count("−∞") == 28
        given = sent(app, KEY)
        assert "-np.inf" in given["figure"]["frames"][-1]["name"]
        assert "A 0 would not do" in given["titles"][-1][1]


def test_a_changed_value_is_followed_to_where_it_lands(open_page: OpenPage) -> None:
    app = open_page("relative_shift", seg=4, mem=1, query=2, key=3)
    before = cells_of(app, 0)["marker"]["color"]
    next(one for one in app.button if one.label == "Change this value").click().run()
    words = "row 2, column 3 of the result changed and nothing else"
    assert any(words in one.value for one in app.markdown)
    cells = cells_of(app, 3)
    (place,) = np.flatnonzero(before != cells["marker"]["color"])
    assert cells["customdata"][place].tolist() == [2, 3]
    assert cells["text"][place].endswith("*")


@pytest.mark.parametrize(("query", "key"), [(0, 0), (3, 9), (7, 15), (0, 15), (2, 11)])
def test_address_arithmetic_finds_the_score(open_page: OpenPage, query: int, key: int) -> None:
    app = open_page("relative_shift", query=query, key=key)
    text = "\n".join(one.value for one in app.markdown)
    address = 7 + query * 15 + key
    assert f"7 + {query}·15 + {key} = {address}" in text
    assert f"{address} = {address // 16}·16 + {address % 16}" in text
    is_left_over = key > query + 8
    assert ("the mask hides it" in text) == is_left_over
    if not is_left_over:
        assert f"8 + {query} − {key} = **{8 + query - key}**" in text


def test_the_check_is_computed_and_passes(open_page: OpenPage) -> None:
    from xlexplain.ui.shift.checks import check
    from xlexplain.ui.shift.scores import live_scores

    text = SAMPLES["A story"]
    trace = models.trace("relative", text, segment_length=6, memory_depth=2)
    settings = Settings(segment_length=6, memory_depth=2, segment=3, layer=1, head=1, text=text)
    live = live_scores(trace, settings)
    checked = check.__wrapped__(live.signature, live)
    assert checked.pairs == 6 * 18 - 15
    assert checked.moved == 0
    assert 0 < checked.computed <= 1e-5 * max(1, checked.largest)
    shifted = rel_shift(live.by_distance)
    wrong = np.array(live.layer_trace.bd_by_distance)
    wrong[1, 2, 9] += 1
    broken = replace(live, layer_trace=replace(live.layer_trace, bd_by_distance=wrong))
    assert check.__wrapped__("broken", broken).computed == pytest.approx(1, rel=1e-3)
    assert np.abs(shifted - rel_shift(wrong[1])).max() == pytest.approx(1, rel=1e-3)


def test_both_ways_are_timed_on_this_machine(open_page: OpenPage) -> None:
    app = open_page("relative_shift", seg=8, mem=1)
    (table,) = [one.value for one in app.markdown if "The largest setting" in one.value]
    assert "128 vectors | 16 vectors | **8×**" in table
    assert "5,120 vectors | 160 vectors | **32×**" in table
    assert any("NumPy" in one.proto.body for one in app.get("html"))


@pytest.mark.parametrize("name", HARD_TEXTS)
def test_hard_texts_give_a_page(open_page: OpenPage, name: str) -> None:
    app = open_page("relative_shift", sample="My own text", seg=4, mem=1)
    app.text_area(key="text").set_value(HARD_TEXTS[name]).run()
    assert not app.exception
    assert len(cells_of(app, 0)["ids"]) > 0
    names = sent(app, KEY)["figure"]["frames"][-1]["data"][0]["text"]
    if name == "HTML":
        assert html.unescape("".join(names)) in HARD_TEXTS["HTML"]
    if name == "very long":
        assert any("100,000 characters" in one.value for one in app.text)


@pytest.mark.parametrize(("L", "D"), [(16, 3), (20, 2), (23, 3), (32, 1), (32, 4)])
def test_a_window_first_shows_both_sides_of_the_mask(open_page: OpenPage, L: int, D: int) -> None:
    texts = cells_of(open_page("relative_shift", seg=L, mem=D), 3)["text"]
    assert 0 < texts.count("−∞") < len(texts)


def test_a_short_segment_says_so(open_page: OpenPage) -> None:
    app = open_page("relative_shift", seg=8, mem=2, segment=1)
    assert any("Segment 1 has 8 of 16 tokens in memory" in one.value for one in app.text)


@pytest.mark.parametrize("bad", ["-1", "999999999999999999999", "1.5", "", "x", ["1", "2"]])
def test_bad_values_in_the_address_fall_back(open_page: OpenPage, bad: object) -> None:
    values = dict.fromkeys(("seg", "mem", "segment", "layer", "head", "query", "key"), bad)
    assert len(cells_of(open_page("relative_shift", **values), 0)["ids"]) == 8 * 17


def notices(app: AppTest) -> list[str]:
    return [one.value for one in app.text if "in the address" in one.value]


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        *[("stage", bad) for bad in ("4", "-1", "x", "1.5", "", "<b>", ["1", "2"])],
        *[("speed", bad) for bad in ("3", "2.0", "", "*4*", ["2", "4"])],
        *[("shown", bad) for bad in ("rows", "", "Code", ["code", "slide"])],
    ],
)
def test_what_cannot_be_opened_is_said_until_the_reader_changes_it(
    open_page: OpenPage, name: str, bad: object
) -> None:
    app = open_page("relative_shift", **{name: bad})
    assert (sent(app, KEY)["frame"], sent(app, KEY)["speed"]) == (0, "1")
    assert len(sent(app, KEY)["figure"]["frames"]) == 4
    (notice,) = notices(app)
    shown = {"shown": "Sliding rows", "stage": "0", "speed": "1×"}[name]
    assert notice.endswith(f"showing {shown}.")
    app.run()
    assert notices(app) == [notice]
    app.session_state[address.KEY].bad.pop(name)
    app.run()
    assert notices(app) == []


def test_what_can_be_opened_is_opened(open_page: OpenPage) -> None:
    app = open_page("relative_shift", stage=5, speed="0.5", shown="code")
    assert (sent(app, KEY)["frame"], sent(app, KEY)["speed"]) == (5, "0.5")
    assert len(sent(app, KEY)["figure"]["frames"]) == 6
    assert notices(app) == []
    assert len(notices(open_page("relative_shift", stage=4, shown="slide"))) == 1


def test_the_code_in_pytorch_is_what_the_model_runs(open_page: OpenPage) -> None:
    import torch

    app = open_page("relative_shift")
    names = [re.match(r"def (\w+)", one.value) for one in app.code]
    shown = [name[1] for name in names if name]
    ran: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.endswith("transformer_xl.py"):
            ran.append(frame.f_code.co_name)

    model = models.pretrained("relative").model
    sys.setprofile(note)
    try:
        trace_text(model, "recorded", segment_length=4, memory_depth=1)
        recorded = set(ran)
        ran.clear()
        with torch.no_grad():
            model(torch.zeros(1, 4, dtype=torch.long), memory_length=4)
    finally:
        sys.setprofile(None)
    copying, strided = shown
    assert copying in recorded - set(ran)
    assert strided in set(ran) - recorded


def test_an_embedded_page_stops_after_the_figure(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xlexplain.ui.frame.is_embedded", lambda: True)
    app = open_page("relative_shift", seg=32, mem=4, query=20, key=40)
    assert [20, 40] in cells_of(app, 3)["customdata"].tolist()
    assert not any("Why bother" in one.value for one in app.markdown)
