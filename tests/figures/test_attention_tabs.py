"""The figures of all heads, predictions, switched terms and the whole pass hold the trace."""

from __future__ import annotations

import html
import re
from typing import Any

import numpy as np
import pytest

from tests.titles import title_of
from tests.traces import readable_model, trace_of
from xlexplain.figures.attention_diagram import NOT_DRAWN, diagram, stages
from xlexplain.figures.attention_heads import (
    all_heads,
    distance_curve,
    heads_alt,
    memory_bars,
)
from xlexplain.figures.attention_predictions import (
    STEPS,
    Guesses,
    guess_lists,
    step_rule,
    surprise_text,
)
from xlexplain.figures.attention_scores import QueryRow, query_row
from xlexplain.figures.attention_switches import (
    cost_finding,
    moved_share,
    switched_weights,
    term_costs,
)
from xlexplain.figures.labels import percent
from xlexplain.figures.theme import DARK, LIGHT, Palette, contrast
from xlexplain.maths import ForwardTrace
from xlexplain.maths.attention_views import attention_by_distance, memory_share
from xlexplain.maths.surprise import mean_bits, surprise_bits

TEXT = "abcabdabeabfgh"
THEMES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])


@pytest.fixture(scope="module")
def trace() -> ForwardTrace:
    return trace_of(TEXT, segment_length=4, memory_depth=2)


def test_small_maps_show_every_head_on_its_own_scale(trace: ForwardTrace) -> None:
    for segment in (trace.segments[0], trace.segments[2], trace.segments[3]):
        layers = segment.layers
        figure = all_heads(layers, layer=1, head=0, palette=LIGHT)
        maps = {one.name: one for one in figure.data if one.type == "heatmap"}
        captions = [one.text for one in figure.layout.annotations]
        assert len(maps) == len(captions) == 4
        for depth, layer in enumerate(layers):
            for head, probs in enumerate(layer.probs):
                one = maps[f"layer {depth + 1}, head {head + 1}"]
                assert one.z.dtype == np.uint8
                np.testing.assert_allclose(one.z / 255 * probs.max(), probs, atol=probs.max() / 500)
                share = percent(memory_share(layer)[head].mean())
                assert captions[2 * depth + head] == share
                assert f"{one.name}: {share} memory" in heads_alt(layers)
                assert f"{share} memory" in one.hovertemplate


def test_the_place_of_a_small_map_is_its_head_and_layer(trace: ForwardTrace) -> None:
    layers = trace.segments[3].layers
    figure = all_heads(layers, layer=1, head=0, palette=LIGHT)
    for one in figure.data[:4]:
        rows, columns = one.z.shape
        x = one.x0 + one.dx * np.arange(columns)
        y = one.y0 + one.dy * np.arange(rows)
        (layer,), (head,) = set(np.floor(y)), set(np.floor(x))
        assert one.name == f"layer {layer + 1:.0f}, head {head + 1:.0f}"
    (box,) = figure.layout.shapes
    assert [round(place) for place in (box.x0, box.x1, box.y0 - 0.2, box.y1)] == [0, 1, 1, 2]


@pytest.mark.parametrize("number", [0, 3])
def test_on_every_small_map_masked_cells_are_hatched_and_memory_ends_at_a_line(
    trace: ForwardTrace, number: int
) -> None:
    layers = trace.segments[number].layers
    figure = all_heads(layers, layer=0, head=0, palette=LIGHT)
    maps, lines = figure.data[:4], figure.data[4:]
    is_masked = layers[0].is_masked
    L, S = is_masked.shape
    assert [one.fill for one in lines] == ["toself", None][: 1 + (S > L)]
    hatched = np.split(np.stack([lines[0].x, lines[0].y], 1).reshape(4, -1, 2), 4)
    for one, outline in zip(maps, hatched, strict=True):
        corners = outline[0, :-1]
        cells = (corners - [one.x0 - one.dx / 2, one.y0 - one.dy / 2]) / [one.dx, one.dy]
        assert enclosed(cells) == pytest.approx(is_masked.sum(), abs=1e-3)
        assert cells.max(axis=0) == pytest.approx([S, L], abs=1e-3)
        assert np.isnan(outline[0, -1]).all()
    for one, border in zip(maps, np.split(lines[-1].x, 4), strict=True):
        if S > L:
            assert border[0] == pytest.approx(one.x0 + (S - L - 0.5) * one.dx, abs=1e-5)


def enclosed(corners: np.ndarray[Any, Any]) -> float:
    """The area within a polygon."""
    x, y = corners.T
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def test_small_maps_are_light_at_the_largest_settings() -> None:
    trace = trace_of(TEXT * 12, segment_length=32, memory_depth=4)
    figure = all_heads(trace.segments[4].layers * 2, layer=0, head=0, palette=LIGHT)
    assert len(figure.to_json()) < 90_000


@THEMES
def test_curves_and_bars_hold_their_numbers(trace: ForwardTrace, palette: Palette) -> None:
    by_distance = attention_by_distance([segment.layers[0] for segment in trace.segments])
    curve = distance_curve(by_distance, layer=0, head=1, segment_length=4, palette=palette)
    for line, head in zip(curve.data, (0, 1), strict=True):
        np.testing.assert_array_equal(line.y, (100 * by_distance[head]).astype(np.float32))
    assert [line.name for line in curve.data] == ["other heads of layer 1", "head 2"]
    top = int(by_distance[1].argmax())
    assert f"most at {top} back: {percent(by_distance[1, top])}" in title_of(curve)

    layers = trace.segments[-1].layers
    (bars,) = memory_bars(layers, layer=0, head=1, palette=palette).data
    expected = [share for layer in layers for share in memory_share(layer).mean(axis=1)]
    np.testing.assert_allclose(bars.y, 100 * np.array(expected), rtol=1e-6)
    assert [*map(tuple, bars.x)] == [
        ("layer 1", "layer 1", "layer 2", "layer 2"),
        (1, 2, 1, 2),
    ]
    assert [color == palette.relative for color in bars.marker.color] == [False, True, False, False]


def test_without_memory_no_head_sends_anything_there() -> None:
    layers = trace_of("abcd", segment_length=4, memory_depth=0).segments[0].layers
    figure = memory_bars(layers, layer=0, head=0, palette=LIGHT)
    assert title_of(figure).startswith("There is no memory here")
    assert (figure.data[0].y == 0).all()


def written_bits(text: str) -> list[list[float]]:
    """The bits in the titles of each panel's characters; nan for what nothing predicted."""
    panels = re.findall(r"<div role='img'.*?</div>", text, re.DOTALL)
    titles = [re.findall(r"title='(.*?)'", panel) for panel in panels]
    return [[bits_in(title) for title in panel] for panel in titles]


def bits_in(title: str) -> float:
    return float("nan") if title == "not predicted" else float(title.split()[0].replace("−", "-"))


def compared(trace: ForwardTrace, palette: Palette = LIGHT) -> tuple[str, list[np.ndarray]]:
    """The text with and without memory, and the bits it was made from."""
    without = trace_of(TEXT, segment_length=4, memory_depth=0)
    bits = [surprise_bits(trace), surprise_bits(without)]
    text = surprise_text(
        {"with <b>": bits[0], "without": bits[1]},
        tokens=["<", *TEXT[1:]],
        starts=[0, 4, 8, 12],
        palette=palette,
        is_difference_shown=True,
    )
    return text, bits


def test_surprise_and_what_memory_saved(trace: ForwardTrace) -> None:
    text, bits = compared(trace)
    first, second, saved = written_bits(text)
    np.testing.assert_array_equal(first, np.round(bits[0], 2))
    np.testing.assert_array_equal(second, np.round(bits[1], 2))
    for shown, without_memory, with_memory in zip(saved[1:], second[1:], first[1:], strict=True):
        assert f"{shown:.2f}" == f"{without_memory - with_memory:.2f}"
    total = sum(saved[1:])
    assert f"<p>{abs(total):.0f} bits {'saved' if total >= 0 else 'lost'} over 13 char" in text
    for one in bits:
        assert f"<p>{mean_bits(one):.2f} bits a character</p>" in text


def test_the_table_has_the_bits_of_every_character(trace: ForwardTrace) -> None:
    text, _ = compared(trace)
    rows = re.findall(r"<tr>\s*<th>(.)</th>(.*?)</tr>", html.unescape(text), re.DOTALL)
    assert "".join(token for token, _ in rows) == "<" + TEXT[1:]
    columns = written_bits(text)
    for place, (_, cells) in enumerate(rows):
        shown = re.findall("<td>(.*?)</td>", cells)
        expected = [f"{one[place]:.2f}".replace("-", "−") for one in columns]
        assert shown == (expected if place else ["–"] * 3)


def test_a_characters_class_is_the_step_of_its_bits(trace: ForwardTrace) -> None:
    text, _ = compared(trace)
    marks = re.findall(r"<b class='(\S+?)( first)?' title='(.*?)'>", text)
    assert [place for place, (_, first, _) in enumerate(marks[:14]) if first] == [4, 8, 12]
    for name, _, title in marks:
        bits = bits_in(title)
        if np.isnan(bits):
            assert name == "none"
            continue
        share = bits / 8 if name[0] == "c" else (bits + 8) / 16
        assert abs(int(name[1:]) - STEPS * min(1, max(0, share))) <= 0.5


def test_surprise_shows_html_as_text(trace: ForwardTrace) -> None:
    text, _ = compared(trace)
    assert "<h2>with &lt;b&gt;</h2>" in text
    assert text.count(">&lt;</b>") == 3
    assert "with <b>" not in text


@THEMES
def test_text_is_readable_on_every_colour_of_surprise(palette: Palette) -> None:
    for kind, scale in (("c", palette.sequential), ("d", palette.diverging)):
        rules = [step_rule(kind, step, scale) for step in range(STEPS + 1)]
        fills = [re.findall(r"--fill: (#\w+); color: (#\w+)", rule)[0] for rule in rules]
        assert (fills[0][0], fills[-1][0]) == (scale[0][1], scale[-1][1])
        assert len({fill for fill, _ in fills}) == len(fills)
        assert min(contrast(*step) for step in fills) >= 4.5
    assert contrast(palette.ink, palette.panel) >= 4.5  # the first character costs nothing


@pytest.mark.parametrize("step", [0, 10, 16, 20, STEPS])
def test_a_bar_of_lost_bits_hangs_and_has_the_colour_of_losses(step: int) -> None:
    rule = step_rule("d", step, LIGHT.diverging)
    is_lost = 16 * step / STEPS < 8
    assert ("--way: to bottom" in rule) == is_lost
    assert f"--tone: {LIGHT.diverging[1 if is_lost else 3][1]};" in rule
    assert f"--bar: {abs(step - 16) / 16:.0%};" in rule
    cost = step_rule("c", step, LIGHT.sequential)
    assert "--way" not in cost
    assert f"--bar: {step / STEPS:.0%};" in cost


def test_lists_of_guesses_show_html_as_text() -> None:
    lists = guess_lists(
        [Guesses("<i>", ("<b>", "&"), (0.75, 0.2), came_next="&", came_next_prob=0.2)],
        palette=LIGHT,
    )
    assert "<i>" not in lists.replace("<i style", "")
    assert "<b>" not in lists
    assert "&lt;b&gt;" in lists
    assert "75.0\u00a0%" in lists
    assert "20.0\u00a0% ✓" in lists


def row_of(trace: ForwardTrace, tokens: str) -> QueryRow:
    return query_row(trace.segments[1].layers[0], head=0, query=1, tokens=list(tokens))


def test_switched_weights_hold_both_rows_and_no_html() -> None:
    row = row_of(trace_of("abcd", segment_length=2, memory_depth=1), "<&cd")
    after = row.weights[::-1]
    figure = switched_weights(row, after, off=("b",), palette=LIGHT)
    np.testing.assert_array_equal(figure.data[0].y, (100 * row.weights).astype(np.float32))
    np.testing.assert_array_equal(figure.data[1].y, (100 * after).astype(np.float32))
    moved = moved_share(row.weights, after)
    assert (
        title_of(figure) == f"Without b, {percent(moved)} of this query's attention goes elsewhere"
    )
    assert figure.layout.legend.y < 0  # the title has the room above the plot to itself
    assert figure.layout.xaxis.ticktext == ("&lt;", "&amp;", "c", "d")
    assert figure.data[0].hovertext == (
        "“&lt;”, 3 back",
        "“&amp;”, 2 back",
        "“c”, 1 back",
        "“d”, 0 back",
    )
    (border,) = figure.layout.shapes
    assert border.x0 == 1.5


def test_the_share_that_moves_is_half_of_all_changes() -> None:
    assert moved_share(np.array([0.5, 0.5, 0.0]), np.array([0.25, 0.75, 0.0])) == 0.25


def test_costs_name_the_term_that_is_missed_most() -> None:
    costs = {"all four terms": 2.0, "without a": 3.0, "without b": 2.5}
    figure = term_costs(costs, palette=LIGHT)
    assert list(figure.data[0].x) == [2.0, 3.0, 2.5]
    assert title_of(figure) == "Without a, a character costs 3.00 bits instead of 2.00"
    assert cost_finding({"all four terms": 2.0, "without a": 1.9}).startswith("No single term")


def test_the_diagram_gives_the_shapes_that_the_model_has(trace: ForwardTrace) -> None:
    config = readable_model().config
    segment = trace.segments[2]
    layer = segment.layers[0]
    assert layer.relative_key is not None
    assert layer.bd_by_distance is not None
    parts = stages(segment, inner_width=config.d_inner)
    shapes = {one.name: one.shape for part in parts.values() for one in part}
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
    drawn = diagram(segment, inner_width=config.d_inner, palette=LIGHT)
    assert drawn.count("<li") == sum(map(len, parts.values()))
    assert NOT_DRAWN in drawn


def test_an_arrow_leads_only_to_a_step_that_uses_the_one_before(trace: ForwardTrace) -> None:
    drawn = diagram(trace.segments[1], inner_width=16, palette=LIGHT)
    has_arrow = {
        name: "used" in kind for kind, name in re.findall(r"<li class='(.+?)'><b>(.+?)<", drawn)
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
