"""The streaming figure in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenTab, Tab
from xlexplain.maths import receptive_field

PATH = "/segment-recurrence"
READ_STATES = """(panel) => Object.fromEntries(
    [...panel.querySelectorAll(".xlr-states")].map(group => [
        `${group.dataset.segment},${group.dataset.row}`, group.dataset.state]))"""


def shows(page: Page, **values: int) -> None:
    """Wait until the figure is at this segment, query, reach …"""
    for name, value in values.items():
        expect(page.locator(".xlr")).to_have_attribute(f"data-{name}", str(value))


def states(page: Page, panel: str) -> dict[str, str]:
    found: dict[str, str] = page.locator(f"[data-panel={panel}]").evaluate(READ_STATES)
    return found


def edges(page: Page, panel: str) -> tuple[int, ...]:
    """Where the drawn field begins in each row, the highest first."""
    drawn = page.locator(f"[data-panel={panel}] .xlr-field").get_attribute("data-edges") or ""
    return tuple(map(int, drawn.split()))


def expected_states(*, segment: int, segments: int, depth: int, layers: int) -> dict[str, str]:
    """Each layer keeps its inputs of the last `depth` segments, so the top row is never kept."""
    return {
        f"{one},{row}": "ahead"
        if one > segment
        else "now"
        if one == segment
        else "kept"
        if segment - one <= depth and row < layers
        else "gone"
        for one in range(segments)
        for row in range(layers + 1)
    }


@pytest.mark.parametrize(("L", "D", "layers"), [(8, 1, 4), (2, 4, 3), (32, 4, 4), (5, 0, 2)])
def test_field_is_drawn_where_the_theory_says(tab: Tab, L: int, D: int, layers: int) -> None:
    page = tab.open(f"{PATH}?seg={L}&mem={D}&layers={layers}&embed=true")
    last = max(6, 4 * D + 2) * L - 1
    field = receptive_field(last, segment_length=L, memory_length=D * L, layer_count=layers)
    shows(page, reach=L - 1 + layers * D * L, alone=L - 1)
    assert edges(page, "memory") == field
    assert edges(page, "alone") == (last, *[last - L + 1] * layers)
    title = page.locator(".xlr-with").inner_text()
    assert re.search(rf"\b{L - 1 + layers * D * L} tokens? back", title)
    row_left = page.locator("[data-panel=memory] .xlr-field").bounding_box()
    assert row_left is not None
    assert row_left["width"] > 0


def test_memory_fills_is_used_and_forgets(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=4&mem=2&layers=2&segment=0&embed=true")
    for segment in range(6):
        shows(page, segment=segment, reach=min(segment * 4 + 3, 3 + 2 * 8), alone=3)
        for panel, depth in (("memory", 2), ("alone", 0)):
            assert states(page, panel) == expected_states(
                segment=segment, segments=10, depth=depth, layers=2
            )
        page.get_by_role("button", name="One segment on").click()
    story = page.locator(".xlr-story")
    expect(story).to_contain_text("Memory holds segments 4 and 5. Segments 0 to 3 are forgotten")
    page.get_by_role("button", name="One segment back").click()
    shows(page, segment=5)
    expect(story).to_contain_text("Memory holds segments 3 and 4. Segments 0 to 2 are forgotten")
    tab.page.wait_for_timeout(500)
    tab.settle()
    expect(page).to_have_url(re.compile("segment=5"))


def test_gradient_is_told_by_signs_and_words(tab: Tab) -> None:
    page = tab.open(f"{PATH}?embed=true")
    opacity = "node => getComputedStyle(node).opacity"
    for state, shown in (("now", "1"), ("kept", "0"), ("gone", "0")):
        signs = page.locator(f"[data-panel=memory] .xlr-states[data-state={state}] .xlr-sign")
        expect(signs.nth(7)).to_be_attached()
        assert {one.evaluate(opacity) for one in signs.all()[:8]} == {shown}
    titles = page.locator(".xlr-titles")
    expect(titles).to_contain_text("memory: values, no gradient")
    expect(titles).to_contain_text("being read: gradient ∇")
    assert page.locator(".xlr-stop").get_attribute("d")


def test_every_layer_adds_one_memory_to_the_reach(tab: Tab) -> None:
    page = tab.open(f"{PATH}?embed=true")
    expect(page.locator("[data-panel=memory] .xlr-note")).to_have_text(
        [f"{before} + 8 = {before + 8} back" for before in (7, 15, 23, 31)]
    )


def test_what_does_not_occur_is_neither_drawn_nor_named(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=4&mem=0&embed=true")
    expect(page.locator("[data-sign=kept]")).to_have_count(0)
    expect(page.locator("[data-sign=hidden]")).to_be_hidden()
    expect(page.locator("[data-panel=alone] svg")).to_be_hidden()
    expect(page.locator(".xlr-because")).to_contain_text("the same picture")
    page = tab.open(f"{PATH}?seg=4&mem=1&query=1&embed=true")
    expect(page.locator("[data-sign=kept]")).to_be_visible()
    expect(page.locator("[data-sign=hidden]")).to_be_visible()
    expect(page.locator("[data-panel=alone] svg")).to_be_visible()


def test_play_streams_to_the_end_and_pauses(tab: Tab) -> None:
    page = tab.open(f"{PATH}?embed=true")
    play = page.locator(".xlr-play")
    play.click()
    shows(page, segment=0, reach=7)
    shows(page, segment=1, reach=15)
    play.click()
    tab.page.wait_for_timeout(500)
    tab.settle()
    stopped = page.locator(".xlr").get_attribute("data-segment")
    assert stopped in ("1", "2")
    expect(page).to_have_url(re.compile(f"segment={stopped}"))
    page.wait_for_timeout(1600)
    assert page.locator(".xlr").get_attribute("data-segment") == stopped
    play.click()
    expect(page.locator(".xlr")).to_have_attribute("data-segment", "5", timeout=9000)
    shows(page, reach=39)
    expect(play).to_have_text("▶ Play")


def test_keys_choose_tokens_and_segments(tab: Tab) -> None:
    page = tab.open(f"{PATH}?embed=true")
    page.get_by_role("slider", name="Chosen token").focus()
    page.keyboard.press("ArrowLeft")
    shows(page, segment=5, query=6, reach=38)
    page.keyboard.press("PageDown")
    shows(page, segment=4, query=6, reach=38)
    page.keyboard.press("Home")
    shows(page, segment=0, query=0, reach=0)
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    shows(page, segment=1, query=1, reach=9)
    page.keyboard.press("End")
    shows(page, segment=5, query=7, reach=39)
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("slider", name="Chosen token")).to_have_attribute(
        "aria-valuetext", re.compile("number 6 of segment 5; reaches 38 tokens back")
    )


def test_pointing_previews_and_clicking_chooses_for_the_whole_page(tab: Tab) -> None:
    page = tab.open(PATH)
    letters = page.locator(".xlr-letter")
    box = letters.nth(8 * 4 + 2).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 4, box["y"] + 6)
    shows(page, segment=5, query=7, reach=34)
    page.mouse.move(5, 5)
    shows(page, reach=39)
    page.mouse.click(box["x"] + 4, box["y"] + 6)
    shows(page, segment=4, query=2, reach=34)
    expect(page.get_by_text(re.compile("formula says: 34 tokens back"))).to_be_visible()
    tab.settle()
    expect(page).to_have_url(re.compile("segment=4"))
    expect(page).to_have_url(re.compile("query=2"))
    page.reload()
    page.wait_for_selector(".xlr")
    shows(page, segment=4, query=2, reach=34)


def test_sliders_and_figure_follow_each_other(tab: Tab) -> None:
    page = tab.open(f"{PATH}?embed=true")
    tab.press("Segment length", "ArrowLeft", times=4)
    shows(page, segment=5, query=3, reach=3 + 4 * 4)
    tab.press("Memory depth", "ArrowRight")
    shows(page, segment=9, query=3, reach=3 + 4 * 8)
    tab.press("Layers", "ArrowLeft")
    shows(page, reach=3 + 3 * 8)
    tab.press("Token", "ArrowLeft")
    shows(page, query=2, reach=2 + 3 * 8)
    page.get_by_role("button", name="One segment back").click()
    expect(tab.slider("Segment")).to_have_value("8")


def test_reduced_motion_gets_steps(open_tab: OpenTab) -> None:
    page = open_tab(reduced_motion=True).open(f"{PATH}?embed=true")
    expect(page.locator(".xlr-play")).to_be_hidden()
    page.get_by_role("button", name="One segment back").click()
    shows(page, segment=4)
    seconds = page.locator(".xlr-states").first.evaluate(
        "node => getComputedStyle(node).transitionDuration"
    )
    assert seconds == "0s"


def test_first_screen_holds_the_whole_figure(tab: Tab) -> None:
    page = tab.open(PATH)
    box = page.locator(".xlr-legend").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 720


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("query", ["", "?seg=32&mem=4", "?seg=2&mem=0"])
def test_a_phone_never_scrolls_sideways(open_tab: OpenTab, dark: bool, query: str) -> None:
    tab = open_tab(width=375, height=812, dark=dark)
    page = tab.open(PATH + query)
    expect(page.get_by_text("Measured influence ends where").first).to_be_attached(timeout=30_000)
    assert tab.overflow() == 0
