"""The relative attention page in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenTab, Tab
from xlexplain.figures.theme import contrast

ADDRESS = "/relative-attention"


def finding(page: Page) -> str:
    return page.locator(".ra .finding").inner_text()


def readout(page: Page) -> str:
    return page.locator(".ra .readout > p").first.inner_text()


def left_of(place: Locator) -> float:
    return float(place.evaluate("node => node.getBoundingClientRect().left"))


def right_of(place: Locator) -> float:
    return float(place.evaluate("node => node.getBoundingClientRect().right"))


def test_first_screen_shows_the_question_the_controls_and_the_whole_figure(tab: Tab) -> None:
    page = tab.open(ADDRESS)
    for label in ("Segment length", "Memory depth", "Segment", "Query"):
        expect(tab.slider(label)).to_be_visible()
    expect(page.locator(".ra .weight")).to_be_visible()
    box = page.locator(".ra .weight").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 720


def test_pointing_previews_a_key_and_a_click_chooses_it(tab: Tab) -> None:
    page = tab.open(f"{ADDRESS}?mem=1&segment=5&query=5&key=9")
    assert readout(page).startswith("query 5, key 9")
    third = page.locator(".ra .token button").nth(3)
    third.hover()
    assert readout(page) == "query 5, key 3, 10 back, in memory"
    expect(page).to_have_url(re.compile("key=9"))
    third.click()
    tab.settle()
    page.mouse.move(5, 5)
    expect(page).to_have_url(re.compile("key=3"))
    assert readout(page) == "query 5, key 3, 10 back, in memory"
    expect(page.locator(".rm .where").first).to_have_text(re.compile(r"^query 5 .* → key 3 "))


def test_a_click_in_a_matrix_changes_the_readout_and_the_address(tab: Tab) -> None:
    page = tab.open(f"{ADDRESS}?segment=5&query=5&key=9")
    grid = page.get_by_role("grid", name=re.compile(r"^weights, 8 queries × 16 keys"))
    canvas = grid.locator("canvas").last
    box = canvas.bounding_box()
    assert box is not None
    width, height = box["width"] / 16, (box["height"] - 26) / 8
    place = {"x": 2.5 * width, "y": 26 + 6.5 * height}
    canvas.hover(position=place)
    expect(page.locator(".rm .where").first).to_have_text(re.compile(r"^query 6 .* → key 2 "))
    canvas.click(position=place)
    tab.settle()
    page.mouse.move(5, 5)
    expect(page).to_have_url(re.compile("query=6"))
    expect(page).to_have_url(re.compile("key=2"))
    assert readout(page) == "query 6, key 2, 12 back, in memory"


def test_matrices_and_keys_work_from_the_keyboard(tab: Tab) -> None:
    page = tab.open(f"{ADDRESS}?segment=5&query=5&key=9")
    grid = page.get_by_role("grid", name=re.compile(r"^a \+ c, "))
    grid.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    expect(grid.get_by_role("gridcell")).to_have_text(re.compile(r"^query 4, key 8: [+−]"))
    page.keyboard.press("Enter")
    tab.settle()
    expect(page).to_have_url(re.compile("key=8"))
    page.locator(".ra .token button").nth(8).focus()
    page.keyboard.press("End")
    assert "masked" in page.locator(".ra .readout").inner_text().lower()


def test_the_same_cell_shows_the_same_number_before_and_after_the_shift(tab: Tab) -> None:
    page = tab.open(f"{ADDRESS}?segment=5&query=2&key=1")
    values = page.locator(".rm .value")
    assert values.nth(1).inner_text() == values.nth(2).inner_text() != "chosen: masked"


def test_a_term_says_what_it_is(tab: Tab) -> None:
    page = tab.open(ADDRESS)
    page.get_by_role("button", name=re.compile("this key matters")).hover()
    expect(page.locator(".ra .words")).to_have_text(re.compile("^c: How much any query wants"))
    assert page.locator(".ra").get_attribute("data-term") == "c"


def test_a_small_head_becomes_the_chosen_one(tab: Tab) -> None:
    page = tab.open(f"{ADDRESS}?view=All+heads")
    before = finding(page)
    page.get_by_role("button", name=re.compile("^layer 3, head 2")).click()
    tab.settle()
    expect(page).to_have_url(re.compile("layer=3"))
    expect(page).to_have_url(re.compile("head=2"))
    expect(page.locator(".rm h3").first).to_have_text(
        re.compile("^Layer 3, head 2: the largest is ")
    )
    assert finding(page) != before


def test_stepping_moves_the_tape_and_playing_stops_at_the_end(tab: Tab) -> None:
    page = tab.open(f"{ADDRESS}?seg=32&mem=1&segment=1&view=Segments")
    say = page.locator(".rs .say")
    expect(say).to_have_text(re.compile(r"^Segment 1 \(0–5\) reads 32 tokens of memory"))
    page.get_by_role("button", name="One segment on").click()
    expect(say).to_have_text(re.compile("^Segment 2 .*The 32 tokens before that are forgotten"))
    page.get_by_role("button", name="One segment back").click()
    page.get_by_role("button", name="One segment back").click()
    expect(say).to_have_text(re.compile("^Segment 0 .*empty memory"))
    page.get_by_label("Speed").select_option("0.5")
    page.get_by_role("button", name="▶ Play").click()
    expect(say).to_have_text(re.compile("^Segment 5 "), timeout=8000)
    page.get_by_role("button", name="Look at segment 5 above").click()
    tab.settle()
    expect(page).to_have_url(re.compile("segment=5|^((?!segment=).)*$"))
    expect(page.get_by_role("button", name="▶ Play")).to_be_visible()


def test_every_tab_opens_and_follows_a_changed_query(tab: Tab) -> None:
    page = tab.open(f"{ADDRESS}?seg=4")
    for name in ("All heads", "Segments", "Next character", "Switch terms off", "Swap the model"):
        page.get_by_role("tab", name=name).click()
        tab.settle()
    tab.press("Query", "ArrowLeft")
    expect(page.locator(".rb .say")).to_have_text(re.compile("relative, with memory"))
    page.get_by_role("tab", name="Whole pass").click()
    tab.settle()
    expect(page.get_by_text("kept for the next segment")).to_be_visible()


def test_fits_a_phone_in_the_dark(open_tab: OpenTab) -> None:
    tab = open_tab(width=375, height=812, dark=True)
    page = tab.open(f"{ADDRESS}?seg=32&mem=4")
    assert tab.overflow() == 0
    for view in ("All heads", "Segments", "Next character", "Whole pass"):
        page.get_by_role("tab", name=view).click()
        tab.settle()
        assert tab.overflow() == 0, view


def test_on_a_phone_the_names_and_the_chosen_head_stay_in_sight(open_tab: OpenTab) -> None:
    tab = open_tab(width=375, height=812)
    page = tab.open(f"{ADDRESS}?seg=16&mem=1&segment=5&query=2&view=All+heads")
    side, name = page.locator(".ra .side").first, page.locator(".ra .group span").first
    expect(name).to_have_text("memory τ−1")
    assert name.evaluate("name => name.closest('.scroll').scrollLeft") > 0
    assert left_of(name) >= left_of(side) + side.evaluate("side => side.clientWidth")
    box, button = page.locator(".rh .box"), page.locator(".rh button[aria-pressed=true]")
    assert right_of(button) <= right_of(box)


def test_html_in_the_text_is_shown_as_text(tab: Tab) -> None:
    page = tab.open(f"{ADDRESS}?sample=My+own+text&segment=0&query=3")
    field = page.get_by_label("Your text")
    field.fill("<b>x</b><script>alert(1)</script> $x$ 🙂")
    field.press("Control+Enter")
    tab.settle()
    tokens = page.locator(".ra .token button").all_inner_texts()
    assert "".join(tokens) == "<b>x</b>"
    expect(page.get_by_text(re.compile(r"“🙂” \(U\+1F642\)"))).to_be_visible()


def test_every_matrix_says_what_it_shows(open_tab: OpenTab) -> None:
    page = open_tab(width=375, height=812).open(f"{ADDRESS}?seg=32&mem=4&segment=5")
    lines = page.locator(".rm .panel h3")
    expect(lines).to_have_count(5)
    for line in lines.all():
        expect(line).to_be_visible()
        expect(line).to_have_text(
            re.compile(r": (farthest from 0|the largest) is .+, at query \d+ and \w+ \d+$")
        )
        assert line.evaluate("line => line.scrollWidth <= line.clientWidth")


def test_a_residual_stands_beside_its_bound(tab: Tab) -> None:
    page = tab.open(ADDRESS)
    expect(page.locator(".ra .again")).to_have_text(
        re.compile(r"score off by \S+ [✓✗], weight by \S+ [✓✗] \(✓ means ≤ 1·10⁻⁵\)$")
    )


@pytest.mark.parametrize("dark", [False, True])
def test_surprise_has_a_colour_that_can_be_read_on(open_tab: OpenTab, dark: bool) -> None:
    page = open_tab(dark=dark).open(f"{ADDRESS}?view=Next+character")
    text = page.locator(".rb .text").first
    expect(text).to_be_visible()
    colours = text.locator("span").evaluate_all(
        "spans => spans.slice(1).map(span => [span.style.getPropertyValue('--fill'), "
        "span.style.getPropertyValue('--fill-ink')])"
    )
    assert len({fill for fill, _ in colours}) > 10
    assert min(contrast(fill, ink) for fill, ink in colours) >= 4.5
    shown = text.locator("span").nth(1).evaluate("span => getComputedStyle(span).color")
    assert shown in ("rgb(0, 0, 0)", "rgb(255, 255, 255)")
