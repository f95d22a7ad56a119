"""The streaming figure in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenTab, Tab
from xlexplain.figures.theme import LIGHT
from xlexplain.maths import receptive_field

PATH = "/segment-recurrence"
READ_INPUTS = """(plot) => [...plot.querySelectorAll(".barlayer .trace")]
    .find(bars => bars.__data__[0].trace.name === "states that layers read")
    .querySelectorAll("path").values()
    .map(path => [path.style.fill, path.style.fillOpacity]).toArray()"""
READ_FIELD = """(plot) => {
    const trace = plot._fullData.find(one => one.name === "what the token depends on");
    return [...trace.x].filter(Number.isFinite);
}"""
PLACE_OF = """(plot, x) => {
    const box = plot.getBoundingClientRect(), {xaxis} = plot._fullLayout;
    return [box.left + xaxis._offset + xaxis.d2p(x), box.top + 60];
}"""


def figure(page: Page) -> Locator:
    return page.locator(".st-key-recurrence .xl-figure")


def plot(page: Page) -> Locator:
    return page.locator(".st-key-recurrence .js-plotly-plot")


def shows(page: Page, *, segment: int, reach: int) -> None:
    """Wait until the figure stands still at this segment and says this reach."""
    expect(figure(page)).to_have_attribute("data-frame", str(segment), timeout=20_000)
    expect(figure(page)).to_have_attribute("data-state", "still", timeout=20_000)
    said = re.compile(rf"reaches {reach} tokens? back")
    expect(figure(page).locator(".xl-title")).to_have_text(said, timeout=20_000)


def click_token(page: Page, place: float) -> None:
    x, y = plot(page).evaluate(PLACE_OF, place)
    page.mouse.move(x, y)
    page.mouse.click(x, y)


@pytest.mark.parametrize(("L", "D", "layers"), [(2, 4, 3), (32, 4, 4)])
def test_field_is_drawn_where_the_theory_says(tab: Tab, L: int, D: int, layers: int) -> None:
    page = tab.open(f"{PATH}?seg={L}&mem={D}&layers={layers}&embed=true")
    segment = 4 * D + 1
    shows(page, segment=segment, reach=L - 1 + layers * D * L)
    last = segment * L + L - 1
    gap = 0.4 if L == 2 else 1.0
    field = receptive_field(last, segment_length=L, memory_length=D * L, layer_count=layers)
    drawn = plot(page).evaluate(READ_FIELD)
    for token, edge in zip(field, drawn[::2], strict=False):
        assert edge == pytest.approx(token + token // L * gap, abs=0.6)


def test_states_have_the_color_of_their_age_however_a_segment_is_reached(tab: Tab) -> None:
    """By steps that glide, by scrubbing, and backwards: drawn colors, not the figure's data."""
    page = tab.open(f"{PATH}?seg=2&mem=1&layers=1&segment=0&embed=true")

    def check(segment: int) -> None:
        shows(page, segment=segment, reach=min(2 * segment + 1, 3))
        fills = plot(page).evaluate(READ_INPUTS)
        for place, (fill, opacity) in zip(range(12), fills, strict=True):
            age = segment - place // 2
            is_seen = 0 <= age <= 1
            assert (opacity != "0") == is_seen
            assert not is_seen or fill == rgb(LIGHT.segment(age))

    check(0)
    figure(page).locator(".xl-next").press("Enter")
    check(1)
    figure(page).locator(".xl-scrub").focus()
    page.keyboard.press("End")
    check(5)
    figure(page).locator(".xl-back").click()
    check(4)


def rgb(color: str) -> str:
    red, green, blue = (int(color[n : n + 2], 16) for n in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


def test_playing_by_keyboard_streams_and_stops(tab: Tab) -> None:
    page = tab.open(f"{PATH}?segment=0&embed=true")
    shows(page, segment=0, reach=7)
    figure(page).locator(".xl-speed").select_option("4")
    play = figure(page).locator(".xl-play")
    play.press("Enter")
    expect(play).to_contain_text("Pause")
    expect(play).to_contain_text("Play", timeout=30_000)
    shows(page, segment=5, reach=39)
    story = figure(page).locator(".xl-subtitle")
    expect(story).to_contain_text("Memory holds segment 4. Segments 0 to 3 are forgotten")
    expect(tab.slider("Segment")).to_have_value("5")
    expect(page).not_to_have_url(re.compile("segment="))  # the last is the default


def test_a_click_chooses_for_the_whole_page(tab: Tab) -> None:
    page = tab.open(PATH)
    shows(page, segment=5, reach=39)
    click_token(page, 8 * 4 + 2 + 4 * 0.4 + 0.5)
    shows(page, segment=4, reach=34)
    expect(page.get_by_text(re.compile("formula says: 34 tokens back"))).to_be_visible()
    tab.settle()
    expect(page).to_have_url(re.compile("segment=4&query=2"))
    page.reload()
    shows(page, segment=4, reach=34)


def test_sliders_and_figure_follow_each_other(tab: Tab) -> None:
    page = tab.open(f"{PATH}?embed=true")
    tab.press("Segment length", "ArrowLeft", times=4)
    shows(page, segment=5, reach=3 + 4 * 4)
    tab.press("Memory depth", "ArrowRight")
    shows(page, segment=9, reach=3 + 4 * 8)
    tab.press("Token", "ArrowLeft")
    shows(page, segment=9, reach=2 + 4 * 8)
    figure(page).locator(".xl-back").click()
    expect(tab.slider("Segment")).to_have_value("8", timeout=20_000)
    tab.press("Segment", "ArrowLeft")
    shows(page, segment=7, reach=4 * 7 + 2)


def test_reduced_motion_gets_steps(open_tab: OpenTab) -> None:
    page = open_tab(reduced_motion=True).open(f"{PATH}?embed=true")
    shows(page, segment=5, reach=39)
    figure(page).evaluate(
        "node => { window.seen = []; new MutationObserver(() => seen.push(node.dataset.state))"
        ".observe(node, {attributes: true}); }"
    )
    figure(page).locator(".xl-back").click()
    shows(page, segment=4, reach=39)
    assert set(page.evaluate("seen")) == {"still"}


def test_first_screen_holds_the_whole_figure(tab: Tab) -> None:
    page = tab.open(PATH)
    shows(page, segment=5, reach=39)
    for part in (".legend", ".xl-player"):
        box = figure(page).locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 720


@pytest.mark.parametrize("query", ["?seg=32&mem=4", "?seg=8&mem=1&segment=3"])
def test_a_phone_never_scrolls_sideways_and_has_the_token_in_sight(
    open_tab: OpenTab, query: str
) -> None:
    tab = open_tab(width=375, height=812)
    page = tab.open(PATH + query)
    expect(figure(page)).to_have_attribute("data-state", "still", timeout=20_000)
    corner = max(plot(page).evaluate(READ_FIELD))  # the right edge of the chosen token
    assert 100 < plot(page).evaluate(PLACE_OF, corner)[0] < 365
    expect(page.get_by_text("Measured influence ends where").first).to_be_attached(timeout=30_000)
    assert tab.overflow() == 0
