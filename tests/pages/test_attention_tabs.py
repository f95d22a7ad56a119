"""All heads, the next character, switched terms and other models, without a browser."""

from __future__ import annotations

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import OpenPage
from tests.pages.drawn import sent
from xlexplain.figures.labels import percent
from xlexplain.maths.surprise import mean_bits, surprise_bits
from xlexplain.maths.traces import ForwardTrace
from xlexplain.model import load_pretrained, trace_text
from xlexplain.model.ablation import without_terms
from xlexplain.ui.texts import SAMPLES

NAME = "relative_attention"
TEXT = SAMPLES["Python reference"]
VIEWS = ("All heads", "Next character", "Switch terms off", "Swap the model", "Whole pass")


def written(app: AppTest) -> str:
    """All HTML of the page."""
    return "\n".join(one.proto.body for one in app.get("html"))


def trace_with(model: str = "relative", *, seg: int = 8, mem: int = 1) -> ForwardTrace:
    return trace_text(load_pretrained(model), TEXT, segment_length=seg, memory_depth=mem)


@pytest.mark.parametrize(("seg", "mem"), [(2, 0), (8, 1), (32, 4)])
def test_small_maps_and_the_large_one_are_the_models(
    open_page: OpenPage, seg: int, mem: int
) -> None:
    app = open_page(NAME, view="All heads", seg=seg, mem=mem, segment=4, layer=3, head=2)
    layers = trace_with(seg=seg, mem=mem).segments[4].layers
    traces = sent(app, "heads")["figure"]["data"]
    maps = [one["z"] for one in traces if one["type"] == "heatmap"]
    weights = [probs for layer in layers for probs in layer.probs]
    for shown, probs in zip(maps, weights, strict=True):
        np.testing.assert_array_equal(shown, np.rint(255 * probs / probs.max()))
    large = sent(app, "enlarged")["figure"]["data"][0]["z"]
    expected = np.where(layers[2].is_masked, np.nan, layers[2].probs[1])
    np.testing.assert_allclose(large, expected, rtol=1e-6)
    bars = sent(app, "share")["figure"]["data"][0]["y"]
    m = seg * min(mem, 4)
    np.testing.assert_allclose(
        bars, [100 * probs[:, :m].sum(axis=1).mean() for probs in weights], atol=1e-3
    )


def test_terms_that_are_off_are_off_in_the_figure(open_page: OpenPage) -> None:
    app = open_page(NAME, view="Switch terms off", segment=5, query=3, layer=2, head=3)
    before = trace_with().segments[5].layers[1].probs[2, 3]
    for off in ("b", "cd"):
        app.button_group(key="terms").set_value([name for name in "abcd" if name not in off]).run()
        model = without_terms(load_pretrained(), off)
        switched = trace_text(model, TEXT, segment_length=8, memory_depth=1)
        after = switched.segments[5].layers[1].probs[2, 3]
        given = sent(app, "switched")
        for bars, weights in zip(given["figure"]["data"], (before, after), strict=True):
            np.testing.assert_allclose(bars["y"], 100 * weights, rtol=1e-6)
        moved = percent(abs(before - after).sum() / 2)
        assert given["titles"][0][0].startswith(f"Without {', '.join(off)}, {moved}")
        costs = sent(app, "costs")["figure"]["data"][0]
        expected = mean_bits(surprise_bits(switched))
        shown = dict(zip(costs["y"], costs["x"], strict=True))
        assert shown[f"without {', '.join(off)}"] == pytest.approx(expected)


def test_bits_and_weights_are_those_of_the_three_models(open_page: OpenPage) -> None:
    app = open_page(NAME, view="Swap the model", segment=5, layer=2, head=3)
    traces = [
        trace_with(model, mem=mem)
        for model, mem in (("relative", 1), ("absolute", 1), ("relative-no-memory", 0))
    ]
    shown = re.findall(r"<p>([\d.]+) bits a character</p>", written(app))
    assert shown == [f"{mean_bits(surprise_bits(trace)):.2f}" for trace in traces]
    maps = [one for one in sent(app, "models")["figure"]["data"] if one["type"] == "heatmap"]
    for one, trace in zip(maps, traces, strict=True):
        layer = trace.segments[5].layers[1]
        np.testing.assert_allclose(
            one["z"], np.where(layer.is_masked, np.nan, layer.probs[2]), rtol=1e-6
        )
        assert one["x0"] == -trace.memory_length


def test_the_example_at_first_shows_what_memory_is_worth(open_page: OpenPage) -> None:
    app = open_page(NAME, view="Next character")
    place = app.session_state["segment"] * 8 + app.session_state["query"] + 1
    chances = [2 ** -surprise_bits(trace_with(mem=depth))[place] for depth in (1, 0)]
    assert chances[0] > 0.9
    assert chances[1] < 0.1
    shown = re.findall(r"came next: “t”, given (.+?)\.<", written(app))
    assert shown == [percent(chance, 1) for chance in chances]


@pytest.mark.parametrize(
    ("mem", "names"),
    [(0, ["Memory depth 0"]), (1, ["With memory", "Without memory", "Saved by memory"])],
)
def test_without_memory_there_is_nothing_to_compare(
    open_page: OpenPage, mem: int, names: list[str]
) -> None:
    app = open_page(NAME, mem=mem, view="Next character")
    assert re.findall("<section><h2>(.*?)</h2>", written(app)) == names


@pytest.mark.parametrize(("seg", "mem", "most"), [(8, 1, 100_000), (32, 4, 400_000)])
@pytest.mark.parametrize("view", VIEWS)
def test_a_change_weighs_little(
    open_page: OpenPage, view: str, seg: int, mem: int, most: int
) -> None:
    app = open_page(NAME, view=view, seg=seg, mem=mem)
    inside = next(tab for tab in app.tabs if tab.label == view)
    parts = [*inside.get("bidi_component"), *inside.get("html")]
    assert 0 < sum(one.proto.ByteSize() for one in parts) < most


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
    assert not [one for one in app.text if "in the address" in one.value]
    off = [name for name in "abcd" if name not in on]
    start = f"Without {', '.join(off)}, " if off else "All four terms are on"
    assert sent(app, "switched")["titles"][0][0].startswith(start)


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
    notices = [one.value for one in app.text if "in the address" in one.value]
    assert notices[0].startswith("Terms that count “")
    assert notices[0].endswith(
        "; showing a: what → what, c: this key matters, d: this distance matters."
    )
    assert notices[1].endswith("; showing every layer.")
    app.button_group(key="terms").set_value(["b"]).run()
    assert not [one for one in app.text if "Terms that count “" in one.value]
