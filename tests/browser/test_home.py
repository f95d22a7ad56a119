"""The home page's map in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenTab, Tab


def test_pointing_and_choosing_change_map_and_book(tab: Tab) -> None:
    page = tab.open("/?seg=8&mem=2")
    told = page.get_by_role("table", name=re.compile("^What the model is told"))
    true = page.get_by_role("table", name=re.compile("^What is true"))
    told.locator("td[data-key='3']").hover()
    expect(page.locator(".xlm-say p:visible")).to_contain_text("position 3.")
    true.locator("td[data-key='11']").click()
    expect(page.get_by_text("page 4: 10 pages before yours")).to_be_visible()
    expect(page.get_by_role("combobox", name="Key", exact=True)).to_have_value(re.compile("^11: "))
    tab.press("Memory depth", "ArrowLeft")
    expect(page.get_by_text("page 4: 10 pages before yours")).to_be_visible()
    expect(page.get_by_text("page 4: 18 pages before yours")).to_have_count(0)


def test_the_first_screen_shows_book_and_maps(open_tab: OpenTab) -> None:
    tab = open_tab()
    page = tab.open("/")
    for place in (page.locator(".xl-book"), page.locator(".xlm-pair")):
        expect(place).to_be_visible()
        box = place.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 720
