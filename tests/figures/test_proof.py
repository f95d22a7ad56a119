"""The proof's figures hold the arrays they were given, large and small."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.titles import title_of
from xlexplain.figures import proof_curves, proof_guess
from xlexplain.figures.labels import power_of_ten
from xlexplain.figures.proof_predictions import Prediction, predictions_table
from xlexplain.figures.theme import DARK, LIGHT, Palette, contrast

PALETTES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
SIZES = pytest.mark.parametrize("is_small", [False, True], ids=["large", "small"])
DIFFERENCES = {"relative": [0.0, 1e-15, 3e-15], "absolute": [2.0, 1.0, 0.5]}
LAWS = {"relative": [1.0, 1.0], "absolute": [1.0, 0.5]}


@settings(deadline=None)
@given(st.floats(1e-20, 1e6))
def test_power_of_ten_keeps_the_size(value: float) -> None:
    written = power_of_ten(value).translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    number, _, power = written.partition("·10")
    assert float(number) * 10.0 ** int(power or 0) == pytest.approx(value, rel=0.5)


@SIZES
def test_chop_curves_hold_every_difference(is_small: bool) -> None:
    figure = proof_curves.chop_curves(DIFFERENCES, chosen=2, palette=LIGHT, is_small=is_small)
    np.testing.assert_array_equal(figure.data[0].y, [proof_curves.FLOOR, 1e-15, 3e-15])
    np.testing.assert_array_equal(figure.data[1].y, [2.0, 1.0, 0.5])
    assert figure.data[0].customdata[0] == "0"
    assert figure.data[0].marker.symbol != figure.data[1].marker.symbol
    assert figure.layout.yaxis.type == "log"
    low, high = figure.layout.yaxis.range
    assert low < np.log10(proof_curves.FLOOR) < np.log10(2.0) < high
    assert figure.layout.shapes[0].x0 == 2


def test_chop_finding_is_predicted_until_both_are_there() -> None:
    def title(differences: dict[str, list[float]]) -> str:
        return title_of(proof_curves.chop_curves(differences, chosen=2, palette=LIGHT))

    assert title(DIFFERENCES | {"absolute": []}).startswith("Predicted: ")
    assert "move by 3·10⁻¹⁵ at most, absolute ones by 2.0" in title(DIFFERENCES)


def test_bits_curves_span_their_seeds() -> None:
    curve = proof_curves.BitsCurve("absolute-no-memory", [0, 1], [2.0, 3.0], [[1.5, 2.5], [3.0]])
    (drawn,) = proof_curves.bits_curves([curve], chosen=1, palette=DARK).data
    np.testing.assert_allclose(drawn.y, [2.0, 3.0])
    np.testing.assert_allclose(drawn.error_y.array, [0.5, 0.0])
    np.testing.assert_allclose(drawn.error_y.arrayminus, [0.5, 0.0])
    assert drawn.line.dash == "dash"
    assert drawn.marker.symbol.endswith("-open")


def test_reuse_curves_hold_every_time_and_say_the_gain() -> None:
    times = {"sliding": [2.0, 8.0], "token": [1.0, 4.0], "segment": [0.1, 0.2]}
    curves = [proof_curves.TimeCurve(name, name, row, 1.234) for name, row in times.items()]
    figure = proof_curves.reuse_curves([64, 128], curves, palette=LIGHT)
    for drawn, row in zip(figure.data, times.values(), strict=True):
        np.testing.assert_array_equal(drawn.x, [64, 128])
        np.testing.assert_allclose(drawn.y, row, rtol=1e-6)
        assert drawn.name.endswith("slope 1.23")
    assert "At 128 tokens reuse is 40 times faster, 2 times when writing" in title_of(figure)


@SIZES
def test_accuracy_bars_have_the_law_over_them(is_small: bool) -> None:
    figure = proof_guess.accuracy_bars(
        LAWS, {"absolute": [0.9, 0.6]}, marked=1, palette=LIGHT, is_small=is_small
    )
    by_name = {one.name: one for one in figure.data}
    assert "relative, measured" not in by_name
    np.testing.assert_allclose(by_name["absolute, measured"].y, [0.9, 0.6], rtol=1e-6)
    law = by_name["absolute, predicted"]
    np.testing.assert_array_equal(law.y, [1.0, 1.0, 0.5, 0.5])
    np.testing.assert_array_equal(law.x, [-0.5, 0.5, 0.5, 1.5])
    np.testing.assert_array_equal(by_name["relative, predicted"].y, [1.0] * 4)
    assert figure.layout.shapes[0].x0 == 1


def test_steps_are_labelled_where_they_begin_and_the_gap_is_the_finding() -> None:
    measured = {"relative": [1.0, 1.0], "absolute": [0.99, 0.52]}
    labels = ["m = 1", "m = 2"]
    figure = proof_guess.accuracy_bars(LAWS, measured, labels=labels, palette=LIGHT)
    notes = [(note.x, note.y, note.text) for note in figure.layout.annotations]
    assert notes == [(-0.45, 1.0, "m = 1: 1.000"), (0.55, 0.5, "m = 2: 0.500")]
    assert title_of(figure) == "Absolute positions end up within 0.020 of the guessing law"
    (dots,) = [one for one in figure.data if one.name == "relative, measured"]
    np.testing.assert_array_equal(dots.y, [1.0, 1.0])
    unfinished = proof_guess.accuracy_bars(LAWS, measured, is_done=False, palette=LIGHT)
    assert title_of(unfinished).startswith("So far, ")


def test_loss_curves_hold_the_losses_and_the_least_possible() -> None:
    figure = proof_guess.loss_curves(
        {"absolute": [10, 20]},
        {"absolute": [3.0, 1.5]},
        {"relative": 0.0, "absolute": 1.3},
        layers=1,
        last_step=20,
        palette=LIGHT,
    )
    by_name = {one.name: one for one in figure.data}
    np.testing.assert_array_equal(by_name["absolute"].x, [10, 20])
    np.testing.assert_array_equal(by_name["absolute"].y, [3.0, 1.5])
    np.testing.assert_array_equal(by_name["absolute: least possible, 1.30"].y, [1.3, 1.3])
    assert len(by_name["relative"].y) == 0


def small_figures(palette: Palette) -> list[go.Figure]:
    bits = [proof_curves.BitsCurve("relative", [0, 1], [2.0, 1.0])]
    times = [proof_curves.TimeCurve("a", "segment", [1.0, 2.0])]
    return [
        proof_curves.chop_curves(DIFFERENCES, chosen=2, palette=palette, is_small=True),
        proof_curves.chop_curves({}, chosen=2, palette=palette, is_small=True),
        proof_curves.bits_curves(bits, chosen=1, palette=palette, is_small=True),
        proof_curves.reuse_curves([32, 64], times, palette=palette, is_small=True),
        proof_guess.accuracy_bars(LAWS, {}, marked=1, palette=palette, is_small=True),
    ]


@PALETTES
def test_small_figures_are_low_and_their_words_legible(palette: Palette) -> None:
    for figure in small_figures(palette):
        assert figure.layout.height == proof_curves.SMALL_HEIGHT
        assert not figure.layout.title.text
        assert figure.layout.showlegend is False
        axes = (figure.layout.xaxis, figure.layout.yaxis)
        fonts = [axes[0].title.font, *(axis.tickfont for axis in axes)]
        fonts += [note.font for note in figure.layout.annotations]
        for font in fonts:
            assert font.size >= 12
            assert contrast(font.color, palette.background) >= 4.5
        assert figure.layout.annotations[-1].text  # the name of the vertical axis


@PALETTES
def test_all_large_figures_can_be_read(palette: Palette) -> None:
    times = [proof_curves.TimeCurve("a", "token", [1.0, 2.0])]
    figures = [
        proof_curves.chop_curves({}, chosen=2, palette=palette),
        proof_curves.bits_curves([], chosen=2, palette=palette),
        proof_curves.reuse_curves([32, 64], times, palette=palette),
        proof_curves.layer_differences([1, 2], [0.0, 1.0], palette=palette),
        proof_guess.accuracy_bars(LAWS, {}, labels=["m = 1", "m = 2"], palette=palette),
        proof_guess.loss_curves(
            {}, {}, {"relative": 0.0, "absolute": 0.5}, layers=1, last_step=10, palette=palette
        ),
    ]
    for figure in figures:
        for axis in (figure.layout.xaxis, figure.layout.yaxis):
            assert axis.title.text
        for note in figure.layout.annotations:
            assert contrast(note.font.color, palette.background) >= 4.5


def test_predictions_stand_beside_results_and_are_escaped() -> None:
    rows = (
        Prediction("relative", "<i>", "<script>", look="relative"),
        Prediction("gain", "grows", "×2"),
    )
    table = predictions_table(rows, name="chop", caption="a setting", palette=LIGHT)
    assert list(table.data.index) == ["● relative", "gain"]
    assert list(table.data["measured"]) == ["<script>", "×2"]
    html = table.to_html()
    assert "<script>" not in html
    assert "<i>" not in html
    assert "a setting</caption>" in html
