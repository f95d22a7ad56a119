"""The relative-shift page through app.py, without a browser."""

from __future__ import annotations

import json
import re
import sys
from types import FrameType
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import HARD_TEXTS, OpenPage
from xlexplain.maths import rel_shift, rel_shift_steps
from xlexplain.model import trace_text
from xlexplain.ui import address, models
from xlexplain.ui.texts import SAMPLES


def moving_cells(app: AppTest) -> Any:
    """The message that draws the moving cells."""
    element = app.get("bidi_component")[0]
    return element.proto


def data_of(app: AppTest) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(moving_cells(app).json)
    return data


def stage_source(data: dict[str, Any], stage: dict[str, Any], S: int) -> dict[tuple[int, int], int]:
    """Row and column of every drawn cell → where it came from, read from the page's data."""
    found = {}
    for name, at in zip(data["cells"]["name"], stage["at"], strict=True):
        if at < 0:
            continue
        row, column = divmod(at, len(stage["columns"]))
        query, _, place = name.partition(",")
        source = -1 - int(query) if place == "pad" else int(query) * S + int(place)
        found[stage["rows"][row], stage["columns"][column]] = source
    return found


@pytest.mark.parametrize(("L", "D"), [(8, 1), (2, 0), (2, 4), (3, 2), (16, 1), (32, 0), (32, 4)])
def test_cells_and_values_are_the_models(open_page: OpenPage, L: int, D: int) -> None:
    app = open_page("relative_shift", seg=L, mem=D, segment=D, layer=3, head=4)
    data = data_of(app)
    trace = models.trace("relative", SAMPLES["Python reference"], segment_length=L, memory_depth=D)
    scores = trace.segments[D].layers[2].bd_by_distance
    assert scores is not None
    stages = rel_shift_steps(scores[3])
    S = L * (D + 1)
    for stage, shown in zip(stages, data["views"]["code"], strict=True):
        places = stage_source(data, shown, S)
        assert all(stage.source[place] == source for place, source in places.items())
        if L * S <= 500:
            assert len(places) == stage.source.size
    for name, value in zip(data["cells"]["name"], data["cells"]["value"], strict=True):
        query, _, column = name.partition(",")
        expected = 0 if column == "pad" else scores[3][int(query), int(column)]
        assert float(value.replace("−", "-")) == pytest.approx(expected, rel=1e-3, abs=1e-9)


def test_a_change_weighs_little(open_page: OpenPage) -> None:
    assert moving_cells(open_page("relative_shift")).ByteSize() < 100_000
    assert moving_cells(open_page("relative_shift", seg=10, mem=4)).ByteSize() < 150_000


def test_a_large_matrix_is_a_window_and_says_so(open_page: OpenPage) -> None:
    app = open_page("relative_shift", seg=32, mem=4, query=20, key=40)
    data = data_of(app)
    ends = set(zip(data["cells"]["row"], data["cells"]["column"], strict=True))
    assert ends == {(i, j) for i in range(16, 24) for j in range(32, 48)}
    (notice,) = [one.value for one in app.caption if "too many" in one.value]
    assert "5,120" in notice
    assert data["shown"] == "Shown: 128 of 5,120 cells."
    assert all(data["shown"] in one["alt"] for one in data["views"]["code"])
    assert data_of(open_page("relative_shift"))["shown"] == ""
    assert "queries 16–23 and keys 32–47" in notice


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
    from xlexplain.ui.shift.scores import LiveScores, live_scores

    text = SAMPLES["A story"]
    trace = models.trace("relative", text, segment_length=6, memory_depth=2)
    live = live_scores(trace, text, segment=3, layer=1, head=1)
    checked = check.__wrapped__(live.signature, live)
    assert checked.pairs == 6 * 18 - 15
    assert checked.moved == 0
    assert 0 < checked.computed <= 1e-5 * max(1, checked.largest)
    shifted = rel_shift(live.by_distance)
    wrong = live.by_distance.copy()
    wrong[2, 9] += 1
    broken = LiveScores(**{**vars(live), "by_distance": wrong})
    assert check.__wrapped__("broken", broken).computed == pytest.approx(1, rel=1e-3)
    assert np.abs(shifted - rel_shift(wrong)).max() == pytest.approx(1, rel=1e-3)


def test_both_ways_are_timed_on_this_machine(open_page: OpenPage) -> None:
    app = open_page("relative_shift", seg=8, mem=1)
    (table,) = [one.value for one in app.markdown if "The largest setting" in one.value]
    assert "128 vectors | 16 vectors | **8×**" in table
    assert "5,120 vectors | 160 vectors | **32×**" in table
    assert "NumPy" in table


@pytest.mark.parametrize("name", HARD_TEXTS)
def test_hard_texts_give_a_page(open_page: OpenPage, name: str) -> None:
    app = open_page("relative_shift", sample="My own text", seg=4, mem=1)
    app.text_area(key="text").set_value(HARD_TEXTS[name]).run()
    assert not app.exception
    data = data_of(app)
    assert len(data["cells"]["name"]) > 0
    assert len(data["tokens"]) == len(data["views"]["code"][0]["rowLabels"])
    if name == "HTML":
        assert "".join(data["keys"]) in HARD_TEXTS["HTML"]
    if name == "very long":
        assert any("100,000 characters" in one.value for one in app.caption)


@pytest.mark.parametrize(("L", "D"), [(16, 3), (20, 2), (23, 3), (32, 1), (32, 4)])
def test_a_window_first_shows_both_sides_of_the_mask(open_page: OpenPage, L: int, D: int) -> None:
    left = data_of(open_page("relative_shift", seg=L, mem=D))["cells"]["left"]
    assert 0 < sum(left) < len(left)


def test_a_short_segment_says_so(open_page: OpenPage) -> None:
    app = open_page("relative_shift", seg=8, mem=2, segment=1)
    assert any("Segment 1 has 8 of 16 tokens in memory" in one.value for one in app.caption)


@pytest.mark.parametrize("bad", ["-1", "999999999999999999999", "1.5", "", "x", ["1", "2"]])
def test_bad_values_in_the_address_fall_back(open_page: OpenPage, bad: object) -> None:
    values = dict.fromkeys(("seg", "mem", "segment", "layer", "head", "query", "key"), bad)
    assert len(data_of(open_page("relative_shift", **values))["cells"]["name"]) == 8 * 17


def notices(app: AppTest) -> list[str]:
    return [one.value for one in app.caption if "in the address" in one.value]


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        *[("stage", bad) for bad in ("6", "-1", "x", "1.5", "", "<b>", ["1", "2"])],
        *[("speed", bad) for bad in ("3", "2.0", "", "*4*", ["2", "4"])],
        *[("shown", bad) for bad in ("rows", "", "Code", ["code", "slide"])],
    ],
)
def test_what_cannot_be_opened_is_said_until_the_reader_changes_it(
    open_page: OpenPage, name: str, bad: object
) -> None:
    app = open_page("relative_shift", **{name: bad})
    start = data_of(app)["start"]
    assert (start["stage"], start["speed"], start["shown"]) == (0, 1, "code")
    assert start["bad"] == [name]
    (notice,) = notices(app)
    assert notice.endswith(f"showing {'code' if name == 'shown' else int(name == 'speed')}.")
    assert not set("<*") & set(notice.replace("\\<", "").replace("\\*", ""))
    app.run()
    assert notices(app) == [notice]
    app.session_state[address.KEY].bad.pop(name)
    app.run()
    assert notices(app) == []
    assert data_of(app)["start"]["bad"] == []


def test_what_can_be_opened_is_opened(open_page: OpenPage) -> None:
    app = open_page("relative_shift", stage=3, speed="0.5", shown="slide")
    start = data_of(app)["start"]
    assert (start["stage"], start["speed"], start["shown"]) == (3, 0.5, "slide")
    assert notices(app) == start["bad"] == []
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
    assert data_of(app)["chosen"] == {"query": 20, "key": 40}
    assert not any("Why bother" in one.value for one in app.markdown)
