"""Colours that mean different things stay apart, whoever looks at them."""

from __future__ import annotations

from itertools import combinations, pairwise

import plotly.graph_objects as go
import pytest
from coloraide import Color

from xlexplain.figures.theme import DARK, LIGHT, Palette, contrast, style

VISION = {
    "all colours": None,
    "protanopia": "protan",
    "deuteranopia": "deutan",
    "tritanopia": "tritan",
}
ORDERED = 4.5  # CIEDE2000: neighbours on one scale, told apart side by side and by their place
NAMED = 12  # marks, terms, kinds of model: told apart across a figure


def distance(first: str, second: str, *, kind: str | None) -> float:
    """CIEDE2000 of two colours as they are seen; of two simulations, the lesser distance."""
    if kind is None:
        return Color(first).delta_e(second, method="2000")
    return min(
        Color(first)
        .filter(kind, method=method)
        .delta_e(Color(second).filter(kind, method=method), method="2000")
        for method in ("brettel", "machado")
    )


def test_the_simulation_does_what_it_says() -> None:
    """A red and a green of one lightness meet without red cones, a blue and a green do not."""
    red, green, blue = "#c06060", "#7d8b3f", "#5c7fd0"
    assert distance(red, green, kind=None) > 30
    assert distance(red, green, kind="deutan") < 15
    assert distance(blue, green, kind="deutan") > 30


def ordered(palette: Palette) -> list[tuple[str, str]]:
    """Neighbours on a scale: segments by age and the page; steps of score and of probability."""
    ages = [*palette.memory, palette.background]
    scales = [[color for _, color in scale] for scale in (palette.diverging, palette.sequential)]
    return [pair for one in (ages, *scales) for pair in pairwise(one)]


def named(palette: Palette) -> list[tuple[str, str]]:
    """What a legend tells apart by name."""
    segments = [palette.segment(ago) for ago in range(5)]
    marks = [palette.twin, palette.query]
    return [
        *((palette.current, one) for one in palette.memory),
        *((mark, other) for mark in marks for other in [*segments, palette.background]),
        *combinations(marks, 2),
        *combinations(palette.terms.values(), 2),
        (palette.relative, palette.absolute),
        (palette.diverging[0][1], palette.diverging[-1][1]),
        (palette.diverging[1][1], palette.diverging[3][1]),
    ]


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_with_a_meaning_stay_apart(palette: Palette, vision: str) -> None:
    kind = VISION[vision]
    for pairs, least in ((ordered(palette), ORDERED), (named(palette), NAMED)):
        for first, second in pairs:
            assert distance(first, second, kind=kind) >= least, (first, second)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_each_older_segment_is_nearer_to_the_page(palette: Palette) -> None:
    """So that age can be read from lightness alone."""
    steps = [contrast(one, palette.background) for one in (*palette.memory, palette.background)]
    assert steps == sorted(steps, reverse=True)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_text_is_legible_on_each_colour_that_carries_it(palette: Palette) -> None:
    grounds = [palette.background, palette.panel, *(palette.segment(ago) for ago in range(5))]
    pairs = [(palette.ink, ground) for ground in grounds]
    pairs += [(palette.soft, ground) for ground in (palette.background, palette.panel)]
    pairs += [(palette.accent, ground) for ground in (palette.background, palette.panel)]
    pairs += [(palette.twin_ink, palette.twin), (palette.query_ink, palette.query)]
    pairs += [(palette.masked_ink, palette.masked), (palette.masked_ink, palette.background)]
    pairs += [(palette.terms_ink[name], color) for name, color in palette.terms.items()]
    for ink, ground in pairs:
        assert contrast(ink, ground) >= 4.5, (ink, ground)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_what_all_figures_have_in_common_is_legible(palette: Palette) -> None:
    layout = style(go.Figure(), palette=palette).layout.template.layout
    label = layout.hoverlabel
    assert contrast(label.font.color, label.bgcolor) >= 4.5
    fonts = [layout.font, layout.title.font, layout.title.subtitle.font]
    for axis in (layout.xaxis, layout.yaxis):
        fonts += [axis.tickfont, axis.title.font]
    for font in fonts:
        assert contrast(font.color, layout.paper_bgcolor) >= 4.5
        assert font.size is None or font.size >= 12
