"""What holds on every page, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Tab
from tests.serving import serve
from xlexplain.figures.theme import DARK, LIGHT
from xlexplain.ui.controls import MEMORY_DEPTH, SEGMENT_LENGTH
from xlexplain.ui.site import PAGES, entry

INK_IS = """(ink) => [[".xlm", "--ink"], [".stApp", "--xl-ink"]].every(([place, name]) => {
  const node = document.querySelector(place);
  return node && getComputedStyle(node).getPropertyValue(name) === ink;
})"""
NAMES = [page.name for page in PAGES]


def address(name: str, query: str = "") -> str:
    return f"/{entry(name).address}{query}"


def value(tab: Tab, label: str) -> int:
    return int(tab.slider(label).input_value())


@pytest.mark.parametrize("name", NAMES)
def test_every_page_opens_without_errors_and_without_sideways_scrolling(
    tab: Tab, name: str
) -> None:
    page = tab.open(address(name, "?seg=6&mem=2"))
    expect(page).to_have_title(entry(name).tab_title)  # as in the first response
    expect(page.locator("h1")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert (value(tab, SEGMENT_LENGTH.label), value(tab, MEMORY_DEPTH.label)) == (6, 2)
    assert tab.overflow() == 0


def test_choices_survive_a_walk_through_all_pages_and_a_reload(tab: Tab) -> None:
    page = tab.open(address("home"))
    tab.press(SEGMENT_LENGTH.label, "ArrowLeft", times=3)
    tab.press(MEMORY_DEPTH.label, "ArrowRight", times=2)
    wanted = (SEGMENT_LENGTH.default - 3, MEMORY_DEPTH.default + 2)
    for one in [*PAGES[1:], PAGES[0]]:
        page.get_by_test_id("stTopNavLink").filter(has_text=one.title).first.click()
        page.wait_for_url(f"**/{one.address}?*")
        tab.settle()
        assert (value(tab, SEGMENT_LENGTH.label), value(tab, MEMORY_DEPTH.label)) == wanted
    page.reload()
    page.wait_for_selector("h1")
    tab.settle()
    assert (value(tab, SEGMENT_LENGTH.label), value(tab, MEMORY_DEPTH.label)) == wanted


def test_a_bad_value_in_the_address_falls_back_with_a_notice(tab: Tab) -> None:
    notice = tab.page.get_by_text("in the address is not a whole number from 2 to 32")
    for bad in ("-1", "999999", "3.5", "", "abc", "7&seg=9", "<b>x</b>"):
        tab.open(address("home", f"?seg={bad}"))
        expect(notice).to_be_visible()
        assert SEGMENT_LENGTH.least <= value(tab, SEGMENT_LENGTH.label) <= SEGMENT_LENGTH.most
    tab.press(SEGMENT_LENGTH.label, "ArrowRight")
    expect(notice).to_have_count(0)


def test_the_first_reader_of_a_fresh_server_may_come_by_any_link(
    browser: Browser, tmp_path: Path
) -> None:
    with serve(tmp_path / "log.txt") as server:
        page = browser.new_page()
        page.goto(server.url + address("position_conflict", "?seg=5"))
        expect(page.locator("h1")).to_be_visible()
        expect(page.get_by_text("Page not found")).to_have_count(0)
        expect(page.get_by_role("group", name="Segment length", exact=True)).to_be_visible()
        page.close()


@pytest.mark.parametrize("address", ["/", "/position-conflict", "/position-conflict?embed=true"])
def test_figures_change_with_light_and_dark(tab: Tab, address: str) -> None:
    page = tab.open(address)
    for palette in (DARK, LIGHT):
        page.emulate_media(color_scheme="dark" if palette.is_dark else "light")
        page.wait_for_function(
            INK_IS,
            arg=palette.ink,
        )


SCROLL_THEN_GO = """(wait) => {
  const main = document.querySelector('[data-testid=stMain]');
  main.scrollBy(0, main.scrollTop < 500 ? 500 : -500);
  const links = [...document.querySelectorAll('[data-testid=stTopNavLink]')];
  setTimeout(() => links.find((link) => link.textContent.includes('Segment')).click(), wait);
}"""


def test_who_scrolls_and_goes_on_at_once_gets_the_page(tab: Tab) -> None:
    page = tab.open(address("position_conflict"))
    for wait in (80, 100, 115, 140):
        page.evaluate(SCROLL_THEN_GO, wait)
        page.wait_for_url("**/segment-recurrence*")
        tab.settle()
        expect(tab.slider(SEGMENT_LENGTH.label)).to_be_visible()
        expect(page.locator("h1")).to_have_text("How far back does a token reach?")
        page.go_back()
        page.wait_for_url("**/position-conflict*")
        tab.settle()
        expect(page.locator("h1")).not_to_have_text("How far back does a token reach?")
