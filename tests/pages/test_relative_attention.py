"""The relative attention page, through the app, without a browser."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.numbers import number_in
from tests.pages.conftest import OpenPage
from tests.titles import title_of
from xlexplain.figures.attention_scores import percent
from xlexplain.figures.labels import power_of_ten
from xlexplain.maths.surprise import mean_bits, surprise_bits
from xlexplain.model import load_pretrained, trace_text
from xlexplain.model.ablation import without_terms
from xlexplain.ui.attention.facts import agreement
from xlexplain.ui.attention.tabs import TABS
from xlexplain.ui.texts import OWN, SAMPLES

NAME = "relative_attention"
TEXT = SAMPLES["Python reference"]
HARD_TEXTS = [
    "",
    "x",
    "short",
    "\n\n\n\n\n\n\n\n\n\n",
    "🙂🙃 😀" * 9,
    "مرحبا بالعالم\u202e abc",
    "\x00\x01\x7f\t",
    "<b>bold</b><script>alert(1)</script>",
    r"$\frac{1}{2}$ :material/info: **x** [a](b)",
    "word " * 20_000,
]


def drawn(app: AppTest, name: str) -> dict[str, Any]:
    """What the component of that name was given."""
    found = [
        one.proto
        for one in app.get("bidi_component")
        if one.proto.component_name == f"xlexplain.attention_{name}"
    ]
    data: dict[str, Any] = json.loads(found[0].json)
    return data


def said(app: AppTest) -> str:
    """All the prose on the page."""
    return "\n".join(one.value for one in [*app.markdown, *app.caption])


@pytest.mark.parametrize("mem", [0, 1, 4])
@pytest.mark.parametrize("seg", [2, 8, 32])
def test_the_strip_shows_the_model_for_every_setting(
    open_page: OpenPage, seg: int, mem: int
) -> None:
    app = open_page(NAME, seg=seg, mem=mem, segment=3, query=1, layer=3, head=4)
    strip = drawn(app, "scores")
    trace = trace_text(load_pretrained(), TEXT, segment_length=seg, memory_depth=mem)
    layer = trace.segments[3].layers[2]
    np.testing.assert_allclose(strip["weights"], layer.probs[3, 1], atol=1e-6)
    for name, values in layer.terms().items():
        np.testing.assert_allclose(strip["terms"][name], values[3, 1], atol=1e-4)
    largest = abs(np.array(list(strip["terms"].values()))).max() * strip["scale"]
    for score_residual, weight_residual in strip["residuals"]:
        assert number_in(score_residual) < max(1e-5, 5e-7 * largest)
        assert number_in(weight_residual) < 1e-5
    assert strip["memory"] == min(mem, 3) * seg
    assert strip["key"] == int(np.argmax(layer.probs[3, 1]))


@pytest.mark.parametrize("view", TABS)
@pytest.mark.parametrize(("seg", "mem"), [(2, 0), (8, 1), (32, 4)])
def test_every_tab_draws(open_page: OpenPage, view: str, seg: int, mem: int) -> None:
    app = open_page(NAME, seg=seg, mem=mem, view=view)
    assert app.session_state["view"] == view
    inside = next(tab for tab in app.tabs if tab.label == view)
    assert len(inside.children) > 1


@pytest.mark.parametrize("text", HARD_TEXTS, ids=lambda text: repr(text[:12]))
def test_any_text_gives_a_sensible_page(open_page: OpenPage, text: str) -> None:
    app = open_page(NAME, sample=OWN)
    app.text_area(key="text").set_value(text).run()
    for view in TABS:
        app.session_state["view"] = view
        app.run()
        assert not app.exception, (view, app.exception)
    tokens = drawn(app, "scores")["tokens"]
    assert all(len(token) == 1 and token.isprintable() and token != " " for token in tokens)
    if len(text) > 320:
        assert "the page shows the first 320" in said(app)


@pytest.mark.parametrize(
    ("name", "value", "label"),
    [
        ("segment", "-1", "Segment"),
        ("segment", "999", "Segment"),
        ("query", "8", "Query"),
        ("query", "1.5", "Query"),
        ("key", "x", "Key"),
        ("layer", "0", "Layer"),
        ("layer", "5", "Layer"),
        ("head", "", "Head"),
        ("head", ["1", "2"], "Head"),
    ],
)
def test_a_bad_address_falls_back_and_says_so(
    open_page: OpenPage, name: str, value: object, label: str
) -> None:
    app = open_page(NAME, **{name: value})
    notice = next(
        one.value for one in app.caption if one.value.startswith(f":material/info: {label} “")
    )
    strip = drawn(app, "scores")
    shown = {
        "segment": app.session_state["segment"],
        "query": strip["query"],
        "key": "the one with the most attention",
        "layer": app.session_state["layer"],
        "head": app.session_state["head"],
    }
    assert notice.endswith(f"; showing {shown[name]}.")


def test_the_address_names_the_cell(open_page: OpenPage) -> None:
    app = open_page(NAME, segment=4, query=2, key=3, layer=1, head=3)
    strip, table = drawn(app, "scores"), drawn(app, "matrices")
    assert (strip["query"], strip["key"], table["query"], table["key"]) == (2, 3, 2, 3)


def test_a_key_that_the_settings_no_longer_have_gives_way(open_page: OpenPage) -> None:
    app = open_page(NAME, mem=4, key=37)
    app.slider(key="mem").set_value(0).run()
    assert not app.exception
    strip = drawn(app, "scores")
    assert strip["key"] == int(np.argmax(strip["weights"]))


def test_terms_that_are_off_are_off_in_the_figure(open_page: OpenPage) -> None:
    app = open_page(NAME, view="Switch terms off")
    model = load_pretrained()
    for off in ("b", "cd"):
        on = [name for name in "abcd" if name not in off]
        app.button_group(key="terms").set_value(on).run()
        figure = json.loads(app.get("plotly_chart")[0].proto.spec)
        switched = trace_text(without_terms(model, off), TEXT, segment_length=8, memory_depth=1)
        strip = drawn(app, "scores")
        choice = app.session_state["layer"] - 1, app.session_state["head"] - 1
        layer = switched.segments[app.session_state["segment"]].layers[choice[0]]
        row = layer.probs[choice[1], app.session_state["query"]]
        moved = abs(np.array(strip["weights"]) - row).sum() / 2
        assert title_of(figure).startswith(f"Without {', '.join(off)}, {percent(moved)}")


def test_bits_on_the_page_are_those_of_the_models(open_page: OpenPage) -> None:
    app = open_page(NAME, view="Swap the model")
    panels = drawn(app, "surprise")["panels"]
    for panel, (model, depth) in zip(
        panels, [("relative", 1), ("absolute", 1), ("relative-no-memory", 0)], strict=True
    ):
        trace = trace_text(load_pretrained(model), TEXT, segment_length=8, memory_depth=depth)
        bits = mean_bits(surprise_bits(trace))
        assert panel["figure"] == f"{bits:.2f} bits a character"


def test_the_example_at_first_shows_what_memory_is_worth(open_page: OpenPage) -> None:
    app = open_page(NAME, view="Next character")
    strip = drawn(app, "scores")
    assert ", in memory: " in strip["finding"]
    assert sum(strip["weights"][: strip["memory"]]) > 0.5
    following = app.session_state["segment"] * 8 + strip["query"] + 1
    with_memory, without = (
        2
        ** -surprise_bits(
            trace_text(load_pretrained(), TEXT, segment_length=8, memory_depth=depth)
        )[following]
        for depth in (1, 0)
    )
    assert with_memory > 0.9
    assert without < 0.1


def test_without_memory_there_is_nothing_to_compare(open_page: OpenPage) -> None:
    panels = drawn(open_page(NAME, mem=0, view="Next character"), "surprise")["panels"]
    assert [panel["name"] for panel in panels] == ["Memory depth 0"]


def test_a_change_weighs_little(open_page: OpenPage) -> None:
    for view in TABS:
        app = open_page(NAME, view=view)
        parts = [*app.get("bidi_component"), *app.get("plotly_chart")]
        assert sum(one.proto.ByteSize() for one in parts) < 110_000, view


def test_embedded_there_is_only_the_figure(open_page: OpenPage) -> None:
    app = open_page(NAME, embed="true")
    assert drawn(app, "scores")["finding"]


@pytest.mark.parametrize(
    ("terms", "scope", "on"),
    [("da", "this head", ["a", "d"]), ("none", "this layer", []), ("abcd", "every layer", "abcd")],
)
def test_a_link_switches_terms_off(
    open_page: OpenPage, terms: str, scope: str, on: list[str]
) -> None:
    app = open_page(NAME, view="Switch terms off", terms=terms, scope=scope)
    assert app.button_group(key="terms").value == list(on)
    assert app.button_group(key="scope").value == scope
    assert not [one for one in app.caption if "in the address" in one.value]
    figure = json.loads(app.get("plotly_chart")[0].proto.spec)
    off = [name for name in "abcd" if name not in on]
    start = f"Without {', '.join(off)}, " if off else "All four terms are on"
    assert title_of(figure).startswith(start)


def test_switched_terms_are_told_to_the_address(open_page: OpenPage) -> None:
    app = open_page(NAME, view="Switch terms off")
    app.button_group(key="terms").set_value(["d", "a"]).run()
    app.button_group(key="scope").set_value("this head").run()
    assert app.query_params["terms"] == "ad"
    assert app.query_params["scope"] == "this head"
    app.button_group(key="terms").set_value([]).run()
    assert app.query_params["terms"] == "none"
    app.button_group(key="terms").set_value(["a", "c", "d"]).run()
    app.button_group(key="scope").set_value("every layer").run()
    assert not {"terms", "scope"} & set(app.query_params)


@pytest.mark.parametrize("bad", ["", "e", "aa", "a,b", ["a", "b"], "<b>"])
def test_terms_that_are_none_fall_back_and_say_so(open_page: OpenPage, bad: object) -> None:
    app = open_page(NAME, view="Switch terms off", terms=bad, scope="there")
    assert app.button_group(key="terms").value == ["a", "c", "d"]
    notices = [one.value for one in app.caption if "in the address" in one.value]
    assert notices[0].startswith(":material/info: Terms “")
    assert notices[0].endswith("; showing acd.")
    assert notices[1].endswith("; showing every layer.")
    app.button_group(key="terms").set_value(["b"]).run()
    assert not [one for one in app.caption if "Terms “" in one.value]


@pytest.mark.parametrize(("seg", "mem"), [(8, 1), (32, 4)])
def test_residuals_stand_beside_their_bound(open_page: OpenPage, seg: int, mem: int) -> None:
    app = open_page(NAME, seg=seg, mem=mem, segment=5)
    table = drawn(app, "matrices")
    marks = [row[-1] for row in table["check"] if row[-1]]
    assert len(marks) == 5
    for mark in [*marks, *re.findall(r"\S+10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+ [✓✗]", table["note"])]:
        assert (number_in(mark) <= 1e-5) == mark.endswith("✓")
    assert len(re.findall("[✓✗] in a", table["note"])) == 2
    assert "✓ means ≤ 1·10⁻⁵" in table["note"]
    assert ("More than that is rounding" in table["note"]) == ("✗" in table["note"])
    assert drawn(app, "scores")["bound"] == "1·10⁻⁵"


def test_a_residual_over_the_bound_is_said_to_be_over_it() -> None:
    trace = trace_text(load_pretrained(), TEXT, segment_length=8, memory_depth=1)
    layer = trace.segments[3].layers[0]
    assert "✗" not in agreement(layer, head=0)
    far = agreement(replace(layer, ac=layer.ac + np.float32(1e-3)), head=0)
    off = number_in(re.findall(r"(\S+) ✗ in a score", far)[0])
    assert off == pytest.approx(1e-3 * layer.scale, rel=0.05)
    reach = np.abs(layer.ac[0] + layer.bd[0])[~layer.is_masked].max()
    assert f"the sums reach ±{reach:.0f} here" in far
    assert f"steps are {power_of_ten(float(np.spacing(np.float32(reach))))} wide" in far
