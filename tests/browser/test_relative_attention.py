"""The relative attention page in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenTab, Tab

ADDRESS = "/relative-attention"
# The middle of a cell on the screen, from the axes of the figure that is drawn.
CELL = """(plot, [x, y, axis]) => {
  const box = plot.getBoundingClientRect(), full = plot._fullLayout;
  const [across, down] = [full.xaxis, full[axis]];
  return {x: box.x + across._offset + across.d2p(x), y: box.y + down._offset + down.d2p(y)};
}"""


def figure(page: Page, key: str = "film") -> Locator:
    """A figure once it is drawn and still."""
    found = page.locator(f".st-key-{key} .xl-figure[data-state=still]")
    expect(found).to_be_visible()
    return found


def at_segment(page: Page, number: int) -> Locator:
    """The film once it rests on a segment."""
    found = figure(page)
    expect(found).to_have_attribute("data-frame", str(number))
    return found


def click_cell(page: Page, x: int, y: int, *, key: str = "film", axis: str = "yaxis") -> None:
    """Click where a figure has a cell."""
    plot = figure(page, key).locator(".js-plotly-plot")
    plot.evaluate("(plot) => plot.scrollIntoView({block: 'start'})")
    place = plot.evaluate(CELL, [x, y, axis])
    page.mouse.move(place["x"] - 2, place["y"])
    page.mouse.click(place["x"], place["y"])


def test_first_screen_shows_the_question_the_controls_the_film_and_the_terms(tab: Tab) -> None:
    page = tab.open(ADDRESS)
    for label in ("Segment length", "Memory depth", "Segment", "Query"):
        expect(tab.slider(label)).to_be_visible()
    film, terms = figure(page), figure(page, "terms-bar")
    table = page.get_by_role("row", name=re.compile("^sum"))
    for part in (film.locator(".xl-plot"), film.locator(".xl-play"), terms, table):
        box = part.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 720
    expect(page.get_by_text("Recomputed in NumPy")).to_have_text(
        re.compile(r"score off by \S+ [✓✗], weight by \S+ [✓✗] \(✓ means ≤ 1·10⁻⁵\)\.$")
    )


def test_plays_by_keyboard_and_the_page_follows_where_it_rests(tab: Tab) -> None:
    page = tab.open(f"{ADDRESS}?seg=32&mem=1&segment=3")
    film = at_segment(page, 3)
    expect(film.locator(".xl-subtitle")).to_have_text(re.compile("^Segment 3 reads 32 tokens"))
    film.locator(".xl-speed").select_option("4")
    film.locator(".xl-play").focus()
    page.keyboard.press("Enter")
    at_segment(page, 5)
    expect(film.locator(".xl-name")).to_have_text(re.compile(r"^Segment 5 \(160–\d+\)$"))
    expect(page).to_have_url(re.compile("segment=5|^((?!segment=).)*$"))
    expect(tab.slider("Segment")).to_have_attribute("aria-valuetext", "5")
    film.locator(".xl-back").focus()
    page.keyboard.press("Enter")
    at_segment(page, 4)
    expect(page).to_have_url(re.compile("segment=4"))


@pytest.mark.parametrize("color", ["weight", "before the shift"])
def test_a_click_on_a_cell_chooses_its_key(tab: Tab, color: str) -> None:
    page = tab.open(f"{ADDRESS}?segment=5&query=5&key=9&color={color.replace(' ', '+')}")
    at_segment(page, 5)
    # Query 6 and key 2, which lies 12 back: at offset −6, and before the shift in column 7 − 12.
    click_cell(page, -6 if color == "weight" else 7 - 12, 6)
    expect(page).to_have_url(re.compile("query=6"))
    expect(page).to_have_url(re.compile("key=2"))
    said = figure(page, "terms-bar").locator(".xl-title")
    expect(said).to_have_text(re.compile(r"^“.” gives “.”, 12 back, in memory, "))


def test_the_switch_colors_something_else(tab: Tab) -> None:
    page = tab.open(ADDRESS)
    title = figure(page).locator(".xl-title")
    expect(title).to_have_text(re.compile("looks most at"))
    page.get_by_role("radio", name="how far back").click()
    expect(title).to_have_text(re.compile("^By how far back a key lies, “.” prefers "))
    expect(page).to_have_url(re.compile(r"color=how\+far\+back"))


def test_a_bar_of_the_query_is_a_key(tab: Tab) -> None:
    page = tab.open(f"{ADDRESS}?segment=5&query=5&key=9")
    click_cell(page, -7, 1, key="query-bars", axis="yaxis2")
    expect(page).to_have_url(re.compile("key=1"))


def test_a_click_in_a_matrix_chooses_a_cell_in_all_of_them(tab: Tab) -> None:
    page = tab.open(f"{ADDRESS}?segment=5&query=5&key=9&view=Matrices")
    click_cell(page, -5, 6, key="matrices")
    expect(page).to_have_url(re.compile("query=6"))
    expect(page).to_have_url(re.compile("key=3"))
    words = figure(page, "matrices").locator(".annotation-text")
    expect(words).to_have_count(5)
    chosen = [re.search(r"chosen: (\S+)", text) for text in words.all_text_contents()]
    values = [found[1] for found in chosen if found]
    assert len(values) == 5
    assert values[1] == values[2]  # b + d before and after the shift


def test_fits_a_phone_in_the_dark(open_tab: OpenTab) -> None:
    tab = open_tab(width=375, height=812, dark=True)
    page = tab.open(f"{ADDRESS}?seg=32&mem=4&segment=4")
    figure(page)
    assert tab.overflow() == 0
    page.get_by_role("tab", name="Matrices").click()
    figure(page, "matrices")
    assert tab.overflow() == 0


def test_html_in_the_text_is_shown_as_text(tab: Tab) -> None:
    page = tab.open(f"{ADDRESS}?sample=My+own+text&segment=0&query=3")
    field = page.get_by_label("Your text")
    field.fill("<b>x</b><script>alert(1)</script> $x$ 🙂")
    field.press("Control+Enter")
    expect(page.get_by_text(re.compile(r"“🙂” \(U\+1F642\)"))).to_be_visible()
    tokens = at_segment(page, 0).locator(".xtick text").all_text_contents()
    assert "".join(tokens) == "<b>x</b>"
