"""The figures of the relative attention page hold the numbers of the trace."""

from __future__ import annotations

import base64
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.numbers import number_in
from tests.serving import ROOT
from tests.titles import title_of
from tests.traces import ALPHABET, readable_model, trace_of
from xlexplain.figures.attention_diagram import NOT_DRAWN, Sizes, diagram, stages
from xlexplain.figures.attention_experiments import (
    Guesses,
    cost_finding,
    guess_lists,
    moved_share,
    switched_weights,
    term_costs,
)
from xlexplain.figures.attention_formula import coloured_formula
from xlexplain.figures.attention_heads import (
    curve_alt,
    distance_curve,
    memory_bars,
    share_alt,
    thumbnails,
)
from xlexplain.figures.attention_matrices import (
    MatrixPanel,
    check_table,
    head_panels,
    matrices,
)
from xlexplain.figures.attention_scores import (
    finding,
    query_row,
    reasons,
    score_strip,
)
from xlexplain.figures.attention_segments import segment_film
from xlexplain.figures.attention_surprise import Surprise, surprise_panels
from xlexplain.figures.labels import percent, signed
from xlexplain.figures.theme import DARK, LIGHT, Palette, contrast
from xlexplain.maths import TERMS, ForwardTrace, rel_shift, softmax
from xlexplain.maths.attention_views import attention_by_distance, memory_share
from xlexplain.maths.surprise import surprise_bits

texts = st.text(alphabet=ALPHABET[1:], min_size=1, max_size=20)
THEMES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])


def decode(text: str, kind: str, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return np.frombuffer(base64.b64decode(text), kind).reshape(shape)


@pytest.fixture(scope="module")
def trace() -> ForwardTrace:
    return trace_of("abcabdabeabfgh", segment_length=4, memory_depth=2)


def strip_of(trace: ForwardTrace, *, query: int, key: int = 0) -> dict[str, Any]:
    row = query_row(
        trace.segments[-1].layers[1],
        head=1,
        query=query,
        tokens=trace.key_tokens(len(trace.segments) - 1),
        segment_length=trace.segment_length,
    )
    return score_strip(row, key=key, palette=LIGHT)


@settings(deadline=None, max_examples=20)
@given(texts, st.integers(1, 6), st.integers(0, 3))
def test_the_strip_holds_terms_weights_and_distances_of_its_query(
    text: str, length: int, depth: int
) -> None:
    trace = trace_of(text, segment_length=length, memory_depth=depth)
    segment = trace.segments[-1]
    layer = segment.layers[1]
    L, S = layer.is_masked.shape
    for query in range(L):
        strip = strip_of(trace, query=query)
        for name, values in layer.terms().items():
            np.testing.assert_allclose(strip["terms"][name], values[1, query], atol=6e-6)
        np.testing.assert_allclose(strip["weights"], layer.probs[1, query], atol=6e-8)
        assert strip["seen"] == (~layer.is_masked[query]).tolist()
        assert strip["distance"] == [S - L + query - key for key in range(S)]
        assert sum(group["count"] for group in strip["groups"]) == S
        assert max(number_in(each) for one in strip["residuals"] for each in one) < 1e-9
        assert strip["memory"] == segment.memory_length


def test_what_and_how_far_make_up_a_keys_score_above_the_average(trace: ForwardTrace) -> None:
    layer = trace.segments[-1].layers[1]
    row = query_row(
        layer, head=0, query=1, tokens=trace.key_tokens(3), segment_length=trace.segment_length
    )
    scores = layer.scores[0, 1]
    seen = np.isfinite(scores)
    for key in np.flatnonzero(seen):
        total = sum(row.what_and_how_far(int(key)))
        assert total == pytest.approx(scores[key] - scores[seen].mean())
    assert row.strongest == int(layer.probs[0, 1].argmax())
    assert percent(layer.probs[0, 1].max()) in finding(row)
    assert percent(layer.probs[0, 1, : row.memory_length].sum()) in reasons(row)


def test_ages_of_keys_count_whole_segments(trace: ForwardTrace) -> None:
    groups = strip_of(trace, query=0)["groups"]
    assert [(one["age"], one["count"]) for one in groups] == [(2, 4), (1, 4), (0, 2)]


def test_signs_are_written_out() -> None:
    assert [signed(value) for value in (1.005, -0.004, -2.5)] == ["+1.00", "+0.00", "−2.50"]


@settings(deadline=None, max_examples=20)
@given(texts, st.integers(1, 6), st.integers(0, 3), st.sampled_from(["relative", "absolute"]))
def test_matrices_hold_the_arrays_of_the_trace(
    text: str, length: int, depth: int, position: str
) -> None:
    trace = trace_of(text, segment_length=length, memory_depth=depth, position=position)
    layer = trace.segments[-1].layers[0]
    H, L, S = layer.ac.shape
    panels = head_panels(layer, head=H - 1)
    data = matrices(
        panels,
        tokens=trace.key_tokens(len(trace.segments) - 1),
        memory_length=S - L,
        ages=[0] * S,
        query=0,
        key=0,
        palette=LIGHT,
    )
    values = [decode(one["values"], "<f4", (L, S)) for one in data["panels"]]
    masks = [decode(one["masked"], "u1", (L, S)) == 1 for one in data["panels"]]
    expected = [layer.ac, (layer.ac + layer.bd) * layer.scale, layer.probs]
    if layer.bd_by_distance is not None:
        expected[1:1] = [layer.bd_by_distance, layer.bd]
    assert len(values) == len(expected)
    for found, array in zip(values, expected, strict=True):
        np.testing.assert_allclose(found, array[H - 1], rtol=1e-6, atol=1e-30)
    for panel, mask in zip(panels, masks, strict=True):
        if panel.columns == "keys":
            np.testing.assert_array_equal(mask, layer.is_masked)
    np.testing.assert_allclose(
        np.where(layer.is_masked, 0, softmax(np.where(layer.is_masked, -np.inf, values[-2]))),
        values[-1],
        atol=1e-5,
    )


def test_before_the_shift_a_cell_stands_at_its_distance(trace: ForwardTrace) -> None:
    layer = trace.segments[-1].layers[1]
    _, L, S = layer.ac.shape
    before, after = head_panels(layer, head=0)[1:3]
    for i in range(L):
        for j in range(S):
            column = S - 1 - (S - L + i - j)
            if not layer.is_masked[i, j]:
                assert after.values[i, j] == before.values[i, column]
                assert not before.is_masked[i, column]
    assert before.is_masked.sum() == after.is_masked.sum()


def test_a_matrix_of_zeros_and_a_masked_one_have_no_scale() -> None:
    zeros = np.zeros((2, 3))
    assert MatrixPanel("", "", zeros, np.zeros((2, 3), bool)).limit == 0
    assert MatrixPanel("", "", zeros + 7, np.ones((2, 3), bool)).limit == 0


def test_a_matrix_says_its_largest_value_and_where_it_stands() -> None:
    values = np.array([[0.5, -3.25, 9.0], [1.0, 2.0, 0.0]])
    mask = np.array([[False, False, True], [False, False, False]])
    said = MatrixPanel("", "", values, mask).finding
    assert said == "farthest from 0 is −3.25, at query 0 and key 1"
    far = MatrixPanel("", "", values, mask, columns="distances").finding
    assert far.endswith("at query 0 and distance 1")
    shares = MatrixPanel("", "", np.abs(values) / 10, mask, scale="sequential").finding
    assert shares == "the largest is 32.5\u00a0%, at query 0 and key 1"
    assert MatrixPanel("", "", 0 * values, mask).finding == "every value is 0"
    assert MatrixPanel("", "", values, np.ones_like(mask)).finding == "every cell is masked"


def test_the_table_computes_the_chosen_cell_twice(trace: ForwardTrace) -> None:
    layer = trace.segments[-1].layers[1]
    row = query_row(layer, head=0, query=1, tokens=trace.key_tokens(3), segment_length=4)
    table = {name: numbers for name, _, *numbers in check_table(row.cells[3], d_head=6)}
    terms = {name: values[0, 1, 3] for name, values in layer.terms().items()}
    for name in TERMS:
        assert float(table[name][0].replace("−", "-")) == pytest.approx(terms[name], abs=1e-5)
    assert table["score"][0] == table["score"][1]
    assert float(table["weight"][1]) == pytest.approx(layer.probs[0, 1, 3], abs=1e-5)
    residuals = [numbers[2] for numbers in table.values() if numbers[2]]
    assert len(residuals) == 5
    assert all(one.endswith(" ✓") and number_in(one) < 1e-9 for one in residuals)
    first = query_row(layer, head=0, query=0, tokens=trace.key_tokens(3), segment_length=4)
    masked = next(cell for cell in first.cells if cell.is_masked)
    assert check_table(masked, d_head=6) == []


def test_thumbnails_show_every_head(trace: ForwardTrace) -> None:
    layers = trace.segments[-1].layers
    data = thumbnails(layers, layer=1, head=0, palette=LIGHT)
    for depth, layer in enumerate(layers):
        for head in range(layer.probs.shape[0]):
            probs = layer.probs[head]
            thumbnail = data["heads"][depth][head]
            found = decode(thumbnail["values"], "u1", probs.shape) / 255 * probs.max()
            np.testing.assert_allclose(found, probs, atol=probs.max() / 500)
            share = memory_share(layer)[head].mean()
            assert thumbnail["caption"] == f"{percent(share)} memory"


def test_the_film_holds_every_segment(trace: ForwardTrace) -> None:
    film = segment_film(trace, layer=1, head=1, segment=2, tokens=trace.tokens, palette=LIGHT)
    assert [frame["start"] for frame in film["frames"]] == [0, 4, 8, 12]
    assert [frame["memory"] for frame in film["frames"]] == [0, 4, 8, 8]
    for frame, segment in zip(film["frames"], trace.segments, strict=True):
        probs = segment.layers[1].probs[1]
        found = decode(frame["values"], "<u2", probs.shape) / 65535 * film["limit"]
        np.testing.assert_allclose(found, probs, atol=1e-5)


def test_surprise_and_what_memory_saved(trace: ForwardTrace) -> None:
    text = "abcabdabeabfgh"
    without = trace_of(text, segment_length=4, memory_depth=0)
    bits = [surprise_bits(trace), surprise_bits(without)]
    data = surprise_panels(
        [Surprise("with", bits[0]), Surprise("without", bits[1])],
        tokens=list(text),
        starts=[0, 4, 8, 12],
        palette=LIGHT,
        is_difference_shown=True,
    )
    first, second, saved = (panel["bits"] for panel in data["panels"])
    assert first[0] is second[0] is saved[0] is None
    np.testing.assert_allclose(first[1:], bits[0][1:], atol=0.0051)
    np.testing.assert_allclose(saved[1:], (bits[1] - bits[0])[1:], atol=0.0101)
    for shown, without_memory, with_memory in zip(saved[1:], second[1:], first[1:], strict=True):
        assert f"{shown:.2f}" == f"{without_memory - with_memory:.2f}"
    total = sum(saved[1:])
    assert data["panels"][2]["figure"].startswith(f"{abs(total):.0f} bits ")
    assert ("saved" in data["panels"][2]["figure"]) == (total >= 0)


@THEMES
def test_curves_and_bars_hold_their_numbers(trace: ForwardTrace, palette: Palette) -> None:
    by_distance = attention_by_distance([segment.layers[0] for segment in trace.segments])
    curve = distance_curve(by_distance, layer=0, head=1, segment_length=4, palette=palette)
    for line, head in zip(curve.data, (0, 1), strict=True):
        np.testing.assert_array_equal(line.y, (100 * by_distance[head]).astype(np.float32))
    assert [line.name for line in curve.data] == ["other heads of layer 1", "head 2"]
    top = int(by_distance[1].argmax())
    assert f"most at {top} back: {percent(by_distance[1, top])}" in title_of(curve)
    assert percent(by_distance[1, 3], 1) in curve_alt(by_distance, layer=0, head=1)

    layers = trace.segments[-1].layers
    bars = memory_bars(layers, layer=0, head=1, palette=palette)
    assert title_of(bars).startswith("In this segment, layer ")
    for head, bar in enumerate(bars.data):
        expected = [memory_share(layer)[head].mean() for layer in layers]
        np.testing.assert_allclose(bar.y, 100 * np.array(expected), rtol=1e-6)
        assert all(percent(share) in share_alt(layers) for share in expected)


def test_without_memory_no_head_sends_anything_there() -> None:
    layers = trace_of("abcd", segment_length=4, memory_depth=0).segments[0].layers
    figure = memory_bars(layers, layer=0, head=0, palette=LIGHT)
    assert title_of(figure) == "There is no memory here to look at"
    assert all((bar.y == 0).all() for bar in figure.data)


def test_switched_weights_hold_both_rows_and_no_html() -> None:
    before, after = np.array([0.5, 0.5, 0.0]), np.array([0.25, 0.75, 0.0])
    figure = switched_weights(
        before,
        after,
        tokens=["<b>", "&", "c"],
        distances=[1, 0, -1],
        memory_length=1,
        off=("b",),
        palette=LIGHT,
    )
    np.testing.assert_array_equal(figure.data[0].y, (100 * before).astype(np.float32))
    np.testing.assert_array_equal(figure.data[1].y, (100 * after).astype(np.float32))
    assert moved_share(before, after) == 0.25
    assert title_of(figure) == "Without b, 25\u00a0% of this query's attention goes elsewhere"
    assert figure.layout.legend.y < 0  # the title has the room above the plot to itself
    assert figure.layout.xaxis.ticktext == ("&lt;b&gt;", "&amp;", "c")
    assert figure.data[0].hovertext[0] == "“&lt;b&gt;”, 1 back"


def test_costs_name_the_term_that_is_missed_most() -> None:
    costs = {"all four terms": 2.0, "without a": 3.0, "without b": 2.5}
    figure = term_costs(costs, palette=LIGHT)
    assert list(figure.data[0].x) == [2.0, 3.0, 2.5]
    assert title_of(figure) == "Without a, a character costs 3.00 bits instead of 2.00"
    assert cost_finding({"all four terms": 2.0, "without a": 1.9}).startswith("No single term")


def test_lists_of_guesses_show_html_as_text() -> None:
    html = guess_lists(
        [Guesses("<i>", ("<b>", "&"), (0.75, 0.2), came_next="&", came_next_prob=0.2)],
        palette=LIGHT,
    )
    assert "<i>" not in html.replace("<i style", "")
    assert "<b>" not in html
    assert "&lt;b&gt;" in html
    assert "75.0\u00a0%" in html
    assert "20.0\u00a0% ✓" in html


def test_the_diagram_gives_the_shapes_that_the_model_has(trace: ForwardTrace) -> None:
    model = readable_model()
    segment = trace.segments[2]
    layer = segment.layers[0]
    config = model.config
    assert layer.relative_key is not None
    assert layer.bd_by_distance is not None
    sizes = Sizes(
        segment_length=4,
        memory_length=segment.memory_length,
        width=config.d_model,
        head_count=config.n_head,
        head_width=config.d_head,
        inner_width=config.d_inner,
        layer_count=config.n_layer,
        vocabulary_size=config.vocab_size,
    )
    shapes = {one.name: one.shape for _, part in stages(sizes) for one in part}
    expected = {
        "characters": segment.ids.shape,
        "embedding": segment.embedded.shape,
        "memory in front": (len(layer.memory) + len(layer.hidden), config.d_model),
        "queries": layer.query.shape,
        "keys and values": layer.value.shape,
        "relative keys": layer.relative_key.shape,
        "terms a + c": layer.ac.shape,
        "terms b + d": layer.bd_by_distance.shape,
        "relative shift": layer.bd.shape,
        "score": layer.scores.shape,
        "weights": layer.probs.shape,
        "mix of values": (layer.probs @ layer.value).shape,
        "output of attention": layer.attended.shape,
        "kept for the next segment": trace.segments[3].layers[0].memory.shape,
        "logits": segment.logits.shape,
    }
    assert {name: shapes[name] for name in expected} == expected
    html = diagram(sizes, palette=LIGHT)
    assert html.count("<li") == sum(len(part) for _, part in stages(sizes))
    assert NOT_DRAWN in html


def test_an_arrow_leads_only_to_a_step_that_uses_the_one_before() -> None:
    html = diagram(Sizes(4, 8, 8, 2, 4, 16, 2, 9), palette=LIGHT)
    has_arrow = {
        name: "used" in kind for kind, name in re.findall(r"<li class='(.+?)'><b>(.+?)<", html)
    }
    for name in ("characters", "terms b + d", "relative shift", "mask", "logits"):
        assert has_arrow[name], name
    for name in ("embedding", "distances", "queries", "keys and values", "terms a + c"):
        assert not has_arrow[name], name


def test_the_steps_of_the_diagram_in_numpy_give_the_models_logits(trace: ForwardTrace) -> None:
    model = readable_model()
    weights = {name: tensor.numpy() for name, tensor in model.state_dict().items()}
    segment = trace.segments[2]

    def normed(x: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, Any]:
        centred = x - x.mean(axis=1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)
        return np.asarray(scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"])

    x = weights["embedding.weight"][segment.ids] * np.sqrt(model.config.d_model)
    for number, layer in enumerate(segment.layers):
        name = f"layers.{number}"
        np.testing.assert_allclose(layer.hidden, x, atol=1e-9)
        mixed = (layer.probs @ layer.value).transpose(1, 0, 2).reshape(len(x), -1)
        attended = mixed @ weights[f"{name}.attention.output.weight"].T
        x = normed(x + attended, f"{name}.attention_norm")
        inner = x @ weights[f"{name}.feed_in.weight"].T + weights[f"{name}.feed_in.bias"]
        fed = np.maximum(inner, 0) @ weights[f"{name}.feed_out.weight"].T
        x = normed(x + fed + weights[f"{name}.feed_out.bias"], f"{name}.feed_norm")
    logits = x @ weights["unembedding.weight"].T + weights["unembedding.bias"]
    np.testing.assert_allclose(logits, segment.logits, atol=1e-9)


@THEMES
def test_the_formula_wears_the_colours_of_the_figures(palette: Palette) -> None:
    latex = coloured_formula(palette)
    for name in TERMS:
        assert latex.count(palette.terms[name]) == 1
        assert contrast(palette.terms_ink[name], palette.terms[name]) >= 4.5
        assert contrast(palette.terms[name], palette.background) >= 3


def test_the_code_on_the_page_computes_the_models_weights(trace: ForwardTrace) -> None:
    prose = (ROOT / "pages" / "relative_attention.md").read_text(encoding="utf-8")
    block = re.search(r"```python\n(.*?)```", prose, re.DOTALL)
    assert block is not None
    for layer in trace.segments[-1].layers:
        assert layer.relative_key is not None
        assert layer.u is not None
        assert layer.v is not None
        for head in range(2):
            names: dict[str, Any] = {
                "np": np,
                "rel_shift": rel_shift,
                "softmax": softmax,
                "q": layer.query[head],
                "k": layer.key[head],
                "r": layer.relative_key[head],
                "u": layer.u[head],
                "v": layer.v[head],
                "is_masked": layer.is_masked,
                "L": layer.query.shape[1],
                "d_head": layer.query.shape[2],
            }
            exec(block[1], names)
            np.testing.assert_allclose(names["weights"], layer.probs[head], atol=1e-12)


@THEMES
def test_text_is_readable_on_every_colour_of_surprise(palette: Palette) -> None:
    data = surprise_panels([], tokens=[], starts=[], palette=palette)
    for name, scale in {"cost": palette.sequential, "saved": palette.diverging}.items():
        fills = [fill for fill, _ in data["ramps"][name]]
        assert (fills[0], fills[-1]) == (scale[0][1], scale[-1][1])
        assert len(set(fills)) == len(fills)
        assert min(contrast(*step) for step in data["ramps"][name]) >= 4.5
    assert contrast(palette.ink, palette.panel) >= 4.5  # the first character costs nothing
    assert contrast(data["colours"]["cost"], palette.panel) >= 3
