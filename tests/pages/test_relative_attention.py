"""The first screen of the relative attention page and its matrices, without a browser."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.numbers import number_in
from tests.pages.conftest import OpenPage
from tests.pages.drawn import component, frame_traces, sent
from xlexplain.figures.labels import percent, power_of_ten
from xlexplain.maths.surprise import surprise_bits
from xlexplain.model import load_pretrained, trace_text
from xlexplain.ui.attention.film import COLORED
from xlexplain.ui.attention.matrix_tabs import agreement
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


def shown(app: AppTest) -> tuple[list[dict[str, Any]], list[str]]:
    """The traces of the film's frame that is shown, and its title and subtitle."""
    film = sent(app, "film")
    return frame_traces(film["figure"], film["frame"]), film["titles"][film["frame"]]


def chosen_cell(app: AppTest) -> tuple[int, int]:
    """The query and the offset of the key that the film outlines."""
    outline = shown(app)[0][3]
    return round(sum(outline["y"][1:3]) / 2), round(sum(outline["x"][:2]) / 2)


def said(app: AppTest) -> str:
    """All the prose and the HTML on the page."""
    return "\n".join(str(one.value) for one in [*app.markdown, *app.text, *app.caption]) + "".join(
        one.proto.body for one in app.get("html")
    )


@pytest.mark.parametrize(("seg", "mem"), [(2, 0), (8, 1), (32, 4)])
def test_the_film_shows_the_model_in_every_segment(open_page: OpenPage, seg: int, mem: int) -> None:
    app = open_page(NAME, seg=seg, mem=mem, segment=3, query=1, layer=3, head=4)
    trace = trace_text(load_pretrained(), TEXT, segment_length=seg, memory_depth=mem)
    film = sent(app, "film")
    assert film["frame"] == 3
    assert len(film["figure"]["frames"]) == len(trace.segments)
    for number, segment in enumerate(trace.segments):
        z = frame_traces(film["figure"], number)[0]["z"]
        layer, M = segment.layers[2], seg * mem
        window = z[: len(segment.ids), M - segment.memory_length : M + len(segment.ids)]
        expected = np.where(layer.is_masked, np.nan, layer.probs[3])
        np.testing.assert_allclose(window, expected, atol=1e-6)
    top = trace.segments[3].layers[2].probs[3, 1].max()
    assert film["titles"][3][0].endswith(f": {percent(float(top))} of its attention")


def test_what_is_colored_is_in_the_address(open_page: OpenPage) -> None:
    app = open_page(NAME, color="how far back")
    assert "b + d" in shown(app)[1][0]
    for word in COLORED:
        app.button_group(key="color").set_value(word).run()
        assert app.query_params.get("color") == (None if word == "weight" else word)
    app = open_page(NAME, color="pink")
    notice = next(one.value for one in app.text if "“pink”" in one.value)
    assert notice.endswith("showing weight.")


@pytest.mark.parametrize("view", TABS)
@pytest.mark.parametrize(("seg", "mem"), [(2, 0), (8, 1), (32, 4)])
def test_every_tab_draws(open_page: OpenPage, view: str, seg: int, mem: int) -> None:
    app = open_page(NAME, seg=seg, mem=mem, view=view)
    assert app.session_state["view"] == view
    inside = next(tab for tab in app.tabs if tab.label == view)
    assert len(inside.children) > 1


def test_an_old_link_to_the_segments_opens_the_page_without_a_notice(open_page: OpenPage) -> None:
    app = open_page(NAME, view="Segments", segment=5)
    assert app.session_state["view"] == next(iter(TABS))
    assert sent(app, "film")["frame"] == 5
    assert not [one for one in app.text if "in the address" in one.value]


@pytest.mark.parametrize("text", HARD_TEXTS, ids=lambda text: repr(text[:12]))
def test_any_text_gives_a_sensible_page(open_page: OpenPage, text: str) -> None:
    app = open_page(NAME, sample=OWN)
    app.text_area(key="text").set_value(text).run()
    for view in TABS:
        app.session_state["view"] = view
        app.run()
        assert not app.exception, (view, app.exception)
    film = sent(app, "film")["figure"]
    words = [re.sub("</?b>", "", one) for one in film["layout"]["yaxis"]["ticktext"]]
    assert all(one.isprintable() and one != " " for one in words)
    assert {len(one) for one in words} <= {1, 4}  # 4: &lt; and &gt;
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
    notice = next(one.value for one in app.text if one.value.startswith(f"{label} “"))
    falls_back_to = {
        "segment": sent(app, "film")["frame"],
        "query": chosen_cell(app)[0],
        "key": "top",
        "layer": app.session_state["layer"],
        "head": app.session_state["head"],
    }
    assert notice.endswith(f"; showing {falls_back_to[name]}.")


def test_the_address_names_the_cell(open_page: OpenPage) -> None:
    app = open_page(NAME, segment=4, query=2, key=3, layer=1, head=3, view="Matrices")
    assert chosen_cell(app) == (2, 3 - 8)
    layer = trace_text(load_pretrained(), TEXT, segment_length=8, memory_depth=1).segments[4]
    weight = percent(float(layer.layers[0].probs[2, 2, 3]), 1)
    assert weight in sent(app, "terms-bar")["titles"][0][0]
    assert weight in sent(app, "matrices")["figure"]["layout"]["annotations"][-1]["text"]
    assert weight in said(app)


def test_a_key_that_the_settings_no_longer_have_gives_way(open_page: OpenPage) -> None:
    app = open_page(NAME, mem=4, key=37)
    app.slider(key="mem").set_value(0).run()
    assert not app.exception
    assert app.session_state["key"] is None
    query, offset = chosen_cell(app)
    weights = shown(app)[0][0]["z"][query]
    assert offset == int(np.nanargmax(weights))


def test_the_example_at_first_shows_what_memory_is_worth(open_page: OpenPage) -> None:
    app = open_page(NAME)
    traces, (title, _) = shown(app)
    assert ", in memory: " in title
    query = chosen_cell(app)[0]
    assert np.nansum(traces[0]["z"][query, :8]) > 0.5
    following = app.session_state["segment"] * 8 + query + 1
    with_memory, without = (
        2
        ** -surprise_bits(
            trace_text(load_pretrained(), TEXT, segment_length=8, memory_depth=depth)
        )[following]
        for depth in (1, 0)
    )
    assert with_memory > 0.9
    assert without < 0.1


def test_a_change_weighs_little(open_page: OpenPage) -> None:
    for mem, most in ((1, 120_000), (2, 140_000)):
        app = open_page(NAME, mem=mem, view="Matrices")
        parts = app.get("bidi_component")
        assert component(app, "film").ByteSize() < 100_000
        assert sum(one.proto.ByteSize() for one in parts) < most


@pytest.mark.parametrize(("seg", "mem"), [(8, 1), (32, 4)])
def test_residuals_stand_beside_their_bound(open_page: OpenPage, seg: int, mem: int) -> None:
    words = said(open_page(NAME, seg=seg, mem=mem, segment=4, view="Matrices"))
    marks = re.findall(r"\S+10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+ [✓✗]", words)
    assert len(marks) == 2 + 5 + 2  # beside the bar, in the table, over the whole head
    for mark in marks:
        assert (number_in(mark) <= 1e-5) == mark.endswith("✓")
    assert words.count("✓ means ≤ 1·10⁻⁵") == 2


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
