"""The curves show the measured numbers, zeros as zeros, and borders where the formula ends."""

from __future__ import annotations

import dataclasses

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.titles import title_of
from xlexplain.figures.recurrence_influence import in_words, influence_curves
from xlexplain.figures.theme import DARK, LIGHT, TITLE_LINE
from xlexplain.maths.influence import Influence

TOKENS = ["<b>", "&", *"abcdefghijklmnopqrstuv"]


@pytest.fixture
def influence() -> Influence:
    """L = 4, M = 4, the token at 21: heard from 16, 12 and 8 on; made-up numbers."""
    rng = np.random.default_rng(0)
    place = np.arange(24)
    is_heard = np.stack([(earliest <= place) & (place <= 21) for earliest in (16, 12, 8)])
    nudged = np.where(is_heard, 10 ** rng.uniform(-6, 1, (3, 24)), 0.0)
    places = np.array([6, 7, 8, 9, 21, 22])
    return Influence(
        position=21,
        segment_length=4,
        memory_length=4,
        nudged=nudged,
        trained=np.where(place >= 20, nudged, 0.0),
        places=places,
        replaced=nudged[:, places] * 3,
    )


def curves(influence: Influence, layer_count: int = 3) -> go.Figure:
    return influence_curves(
        influence,
        without_memory=influence.trained[layer_count - 1],
        tokens=TOKENS,
        layer_count=layer_count,
        palette=LIGHT,
    )


def lines(figure: go.Figure) -> list[go.Scatter]:
    return [trace for trace in figure.data if trace.mode == "lines"]


@pytest.mark.parametrize("layer_count", [1, 2, 3])
def test_curves_hold_the_measured_numbers(influence: Influence, layer_count: int) -> None:
    figure = curves(influence, layer_count)
    *with_memory, without = lines(figure)
    assert len(with_memory) == layer_count
    for line, nudged in zip(with_memory, influence.nudged, strict=False):
        np.testing.assert_array_equal(line.x, 21 - np.arange(24))
        np.testing.assert_array_equal(line.customdata, nudged.astype(np.float32))
        np.testing.assert_allclose(
            line.y[nudged > 0], np.log10(nudged[nudged > 0]), rtol=1e-6, atol=1e-6
        )
    trained = influence.trained[layer_count - 1].astype(np.float32)
    np.testing.assert_array_equal(without.customdata, trained)


def test_exact_zeros_stand_below_everything_else(influence: Influence) -> None:
    figure = curves(influence)
    level, y = (np.concatenate([one[name] for one in figure.data]) for name in ("customdata", "y"))
    is_zero = level == 0
    assert {*y[is_zero]} == {figure.layout.yaxis.tickvals[0]}
    assert figure.layout.yaxis.ticktext[0] == "exactly 0"
    assert y[is_zero].max() < y[~is_zero].min() - 1


def test_dots_are_the_replacements_open_where_nothing_moved(influence: Influence) -> None:
    dots = {one.name: one for one in curves(influence).data if one.mode == "markers"}
    changes = influence.replaced[2]
    for name, is_shown, fill in (
        ("replaced: state moved", changes > 0, LIGHT.ink),
        ("replaced: unchanged", changes == 0, LIGHT.background),
    ):
        np.testing.assert_array_equal(dots[name].x, 21 - influence.places[is_shown])
        np.testing.assert_array_equal(dots[name].customdata, changes[is_shown].astype(np.float32))
        assert dots[name].marker.color == fill


@pytest.mark.parametrize("layer_count", [1, 3])
def test_each_kind_of_mark_is_named_once(influence: Influence, layer_count: int) -> None:
    figure = curves(influence, layer_count)
    named = [one.name for one in figure.data if one.showlegend is not False]
    assert len(named) == len({*named}) == len({one.name for one in figure.data})
    assert ("fewer layers" in named) == (layer_count > 1)


def test_borders_stand_behind_the_last_token_in_reach(influence: Influence) -> None:
    figure = curves(influence)
    assert [shape.x0 for shape in figure.layout.shapes] == [5.5, 9.5, 13.5]
    assert [note.text for note in figure.layout.annotations] == [
        "1 layer: 5",
        "2 layers: 9",
        "<b>formula: 13</b>",
    ]


def test_equal_borders_are_drawn_once() -> None:
    nudged = np.array([[0, 0, 1.0, 2.0]] * 3)
    nothing = np.array([], dtype=np.int64)
    influence = Influence(3, 2, 0, nudged, nudged, nothing, np.zeros((3, 0)))
    figure = influence_curves(
        influence, without_memory=None, tokens="abcd", layer_count=3, palette=DARK
    )
    assert [note.text for note in figure.layout.annotations] == ["<b>formula: 1</b>"]
    assert len(lines(figure)) == 3


def test_title_says_what_was_found(influence: Influence) -> None:
    assert "ends where the formula says: 13 tokens back" in title_of(curves(influence))
    leaking = influence.nudged.copy()
    leaking[2, 0] = 1e-9
    apart = curves(dataclasses.replace(influence, nudged=leaking))
    assert "does not end where the formula says" in title_of(apart)
    changed = influence.replaced.copy()
    changed[0, 0] = 1e-9
    apart = curves(dataclasses.replace(influence, replaced=changed))
    assert "does not end where the formula says" in title_of(apart)


def test_the_title_keeps_clear_of_the_labels_below_it(influence: Influence) -> None:
    leaking = influence.nudged.copy()
    leaking[2, 0] = 1e-9
    for one in (influence, dataclasses.replace(influence, nudged=leaking)):
        layout = curves(one).layout
        title, (label, *_) = layout.template.layout.title, layout.annotations
        more_lines = TITLE_LINE * layout.title.text.count("<br>")
        assert (title.yanchor, title.y) == ("top", 1)
        end = title.pad.t + more_lines + title.font.size
        assert layout.margin.t - end >= label.yshift + 1.5 * label.font.size


def test_html_of_the_text_is_shown_as_text(influence: Influence) -> None:
    for trace in curves(influence).data:
        assert not any("<" in one for one in trace.text)
    assert lines(curves(influence))[0].text[0] == "&lt;b&gt;"


def test_words_hold_the_measured_reach(influence: Influence) -> None:
    words = in_words(influence, layer_count=2)
    assert "5 tokens back with 1 layer, 9 tokens back with 2 layers" in words
    assert f"{influence.nudged[1][influence.nudged[1] > 0].min():.1e}" in words
    moved = (influence.replaced[1] > 0).sum()
    assert f"Of 6 replaced tokens {moved} moved the state" in words


def test_agreement_is_cell_by_cell(influence: Influence) -> None:
    assert influence.is_nudge_as_predicted.all()
    assert influence.is_replacement_as_predicted.all()
    missing = influence.nudged.copy()
    missing[1, 15] = 0.0
    assert np.argwhere(
        ~dataclasses.replace(influence, nudged=missing).is_nudge_as_predicted
    ).tolist() == [[1, 15]]
    assert influence.farthest(influence.nudged > 0) == [5, 9, 13]
    assert influence.farthest(influence.replaced > 0, influence.places) == [0, 0, 13]


def test_quotes_are_shown_as_quotes(influence: Influence) -> None:
    figure = influence_curves(
        influence,
        without_memory=None,
        tokens=['"', "'", *TOKENS[:22]],
        layer_count=3,
        palette=LIGHT,
    )
    assert list(figure.data[0].text[:4]) == ['"', "'", "&lt;b&gt;", "&amp;"]
