"""The proof's figures hold the arrays they were given, and say nothing that could run."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xlexplain.figures import proof_curves, proof_guess, proof_minis
from xlexplain.figures.labels import power_of_ten
from xlexplain.figures.proof_glance import Card, Row, glance
from xlexplain.figures.theme import DARK, LIGHT, Palette, contrast

PALETTES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
CARD = Card("chop", "a claim", "a setting", "<svg/>", "alt", (), None, "open", "run")


@settings(deadline=None)
@given(st.floats(1e-20, 1e6))
def test_power_of_ten_keeps_the_size(value: float) -> None:
    written = power_of_ten(value).translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    number, _, power = written.partition("·10")
    assert float(number) * 10.0 ** int(power or 0) == pytest.approx(value, rel=0.5)


def points(svg: str, shape: str) -> list[tuple[float, float]]:
    """Centres of the circles or squares of a picture."""
    root = ET.fromstring(svg)
    found = root.iter(f"{{http://www.w3.org/2000/svg}}{shape}")
    if shape == "circle":
        return [(float(one.attrib["cx"]), float(one.attrib["cy"])) for one in found]
    return [
        (float(one.attrib["x"]) + 3, float(one.attrib["y"]) + 3)
        for one in found
        if one.attrib["width"] == "6"
    ]


@settings(deadline=None)
@given(st.lists(st.floats(0, 20), min_size=1, max_size=32))
def test_small_chop_picture_is_logarithmic(differences: list[float]) -> None:
    svg = proof_minis.chop(
        range(1, len(differences) + 1),
        relative=differences,
        absolute=[1.0] * len(differences),
        chosen=1,
        palette=LIGHT,
    )
    one, floor = points(svg, "rect")[0][1], proof_minis.upwards(-17, 1.3)(-17)
    for (_, y), value in zip(points(svg, "circle"), differences, strict=True):
        share = -math.log10(max(value, proof_minis.SMALLEST)) / 17
        assert y == pytest.approx(one + share * (floor - one), abs=0.05)


def test_bars_stand_under_the_steps_where_the_law_is_met() -> None:
    law = [1.0, 0.5, 0.25]
    svg = proof_minis.guess(law, relative=[1.0] * 3, absolute=law, marked=2, palette=LIGHT)
    tops = [float(y) for y in re.findall(r'<rect x="[\d.]+" y="([\d.]+)"', svg)]
    (line,) = re.findall(r'polyline points="([^"]+)"', svg)
    heights = [float(point.split(",")[1]) for point in line.split()]
    assert heights == [top for top in tops for _ in range(2)]
    dots = [x for x, _ in points(svg, "circle")]
    assert f'd="M{dots[2]} ' in svg


@PALETTES
def test_pictures_are_well_formed_and_their_words_legible(palette: Palette) -> None:
    pictures = [
        proof_minis.chop([1, 2], relative=[0.0, 1e-15], absolute=[1, 2], chosen=2, palette=palette),
        proof_minis.guess([1.0, 0.5], relative=[], absolute=[], marked=1, palette=palette),
        proof_minis.bits([0, 1], relative=[2.0, 1.0], absolute=[], chosen=1, palette=palette),
        proof_minis.reuse([32, 64], sliding=[1.0, 2.0], reused=[0.1, 0.1], palette=palette),
        proof_minis.empty("axis", palette=palette, words="<no> result & yet"),
    ]
    for svg in pictures:
        for text in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
            assert contrast(text.attrib["fill"], palette.background) >= 4.5
            assert float(ET.fromstring(svg).attrib["font-size"]) >= 12


def test_words_of_a_card_are_escaped() -> None:
    row = Row("relative", "<b>", "<i>", "<script>")
    html = glance((replace(CARD, claim="<img src=x>", alt='">', rows=(row,)),), palette=LIGHT)
    assert "<script>" not in html
    assert "<img src=x>" not in html
    assert 'alt="&quot;&gt;"' in html


@pytest.mark.parametrize(("is_held", "sign"), [(True, "✓"), (False, "✗"), (None, "…")])
def test_verdict_has_a_sign_beside_its_colour(is_held: bool | None, sign: str) -> None:
    assert f">{sign}</span>" in glance((replace(CARD, is_held=is_held),), palette=LIGHT)


def test_chop_curves_hold_every_difference() -> None:
    differences = {"relative": [0.0, 1e-15, 3e-15], "absolute": [2.0, 1.0, 0.5]}
    figure = proof_curves.chop_curves(differences, chosen=2, palette=LIGHT)
    np.testing.assert_array_equal(figure.data[0].y, [proof_curves.FLOOR, 1e-15, 3e-15])
    np.testing.assert_array_equal(figure.data[1].y, [2.0, 1.0, 0.5])
    assert figure.data[0].customdata[0] == "0"
    assert figure.data[0].marker.symbol != figure.data[1].marker.symbol


def test_bits_curves_span_their_seeds() -> None:
    curve = proof_curves.BitsCurve("absolute-no-memory", [0, 1], [2.0, 3.0], [[1.5, 2.5], [3.0]])
    (drawn,) = proof_curves.bits_curves([curve], chosen=1, palette=DARK).data
    np.testing.assert_allclose(drawn.error_y.array, [0.5, 0.0])
    np.testing.assert_allclose(drawn.error_y.arrayminus, [0.5, 0.0])
    assert drawn.line.dash == "dash"
    assert drawn.marker.symbol.endswith("-open")


def test_accuracy_bars_have_the_law_over_them() -> None:
    laws = {"relative": [1.0, 1.0], "absolute": [1.0, 0.5]}
    measured = {"absolute": [0.9, 0.6]}
    figure = proof_guess.accuracy_bars(laws, measured, labels=["m = 1", "m = 2"], palette=LIGHT)
    by_name = {one.name: one for one in figure.data}
    assert "relative, measured" not in by_name
    np.testing.assert_allclose(by_name["absolute, measured"].y, [0.9, 0.6], rtol=1e-6)
    np.testing.assert_array_equal(figure.data[-1].y, [1.0, 1.0, 0.5, 0.5])
    np.testing.assert_array_equal(figure.data[-1].x, [-0.5, 0.5, 0.5, 1.5])
    written = [note.text for note in figure.layout.annotations]
    assert written == ["<b>relative</b>", "<b>absolute</b>", "m = 1: 1.000", "m = 2: 0.500"]
    assert {figure.layout[axis].title.text for axis in ("yaxis", "yaxis2")} == {"share right"}


@settings(deadline=None)
@given(st.floats(0, 8), st.floats(0.35, 4))
def test_round_ticks_lie_within_and_apart(low: float, width: float) -> None:
    ticks = proof_minis.round_ticks(low, low + width)
    assert 2 <= len(ticks) <= 5
    assert all(low <= tick <= low + width for tick in ticks)


@PALETTES
def test_all_figures_can_be_read(palette: Palette) -> None:
    figures = [
        proof_curves.chop_curves({}, chosen=2, palette=palette),
        proof_curves.bits_curves([], chosen=2, palette=palette),
        proof_curves.reuse_curves(
            [32, 64],
            [proof_curves.TimeCurve("a", "token", [1.0, 2.0], None)],
            palette=palette,
        ),
        proof_curves.layer_differences([1, 2], [0.0, 1.0], palette=palette),
        proof_guess.loss_curves({}, {}, {"absolute": 0.5}, last_step=10, palette=palette),
    ]
    for figure in figures:
        for axis in (figure.layout.xaxis, figure.layout.yaxis):
            assert axis.title.text
            assert contrast(axis.title.font.color, palette.background) >= 4.5
            assert contrast(axis.tickfont.color, palette.background) >= 4.5
        for note in figure.layout.annotations:
            assert contrast(note.font.color, palette.background) >= 4.5
