"""All heads, the next character, switched terms and other models in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenTab, Tab

ADDRESS = "/relative-attention"
TABS = {  # and what is drawn last in each
    "All heads": ".st-key-share .main-svg",
    "Next character": ".xl-surprise",
    "Switch terms off": ".st-key-costs .main-svg",
    "Swap the model": ".st-key-models .main-svg",
    "Whole pass": ".xl-pass",
}


def click(page: Page, key: str, x: float, y: float) -> None:
    """Click at a place in a figure, given as its axes have it."""
    plot = page.locator(f".st-key-{key} .js-plotly-plot .nsewdrag").first
    expect(plot).to_be_visible()
    plot.scroll_into_view_if_needed()
    place = plot.evaluate(
        """(area, [x, y]) => {
          const { xaxis, yaxis } = area.closest(".js-plotly-plot")._fullLayout;
          return { x: xaxis.l2p(x), y: yaxis.l2p(y) };
        }""",
        [x, y],
    )
    plot.hover(position=place)
    plot.click(position=place)


def test_a_click_on_a_small_map_chooses_that_head(tab: Tab) -> None:
    page = tab.open(f"{ADDRESS}?view=All+heads&segment=5")
    large = page.locator(".st-key-enlarged .xl-plot")
    expect(large).to_have_attribute("aria-label", re.compile("^Layer 4, head 4: the largest is "))
    click(page, "heads", 1.4, 2.5)
    expect(page).to_have_url(re.compile("layer=3"))
    expect(page).to_have_url(re.compile("head=2"))
    expect(large).to_have_attribute("aria-label", re.compile("^Layer 3, head 2: the largest is "))
    expect(page.locator(".st-key-distance .xl-title")).to_contain_text("Layer 3, head 2 looks")


def test_a_click_in_the_large_map_chooses_the_cell(tab: Tab) -> None:
    page = tab.open(f"{ADDRESS}?view=All+heads&segment=5&query=1")
    click(page, "enlarged", -5, 6)
    expect(page).to_have_url(re.compile("query=6"))
    expect(page).to_have_url(re.compile("key=3"))


def test_every_tab_follows_a_changed_query(tab: Tab) -> None:
    page = tab.open(f"{ADDRESS}?seg=4&segment=5&query=1&view=Next+character")
    expect(page.get_by_text("query 1: what the model expects next")).to_be_visible()
    tab.press("Query", "ArrowRight")
    expect(page.get_by_text("query 2: what the model expects next")).to_be_visible()
    page.get_by_role("tab", name="Whole pass").click()
    expect(page.get_by_text("kept for the next segment")).to_be_visible()


def test_the_bits_of_every_character_open_by_keyboard(tab: Tab) -> None:
    page = tab.open(f"{ADDRESS}?view=Next+character")
    expect(page.locator(".xl-surprise table")).to_be_hidden()
    page.get_by_text("Bits as a table").focus()
    page.keyboard.press("Enter")
    row = page.locator(".xl-surprise tr").nth(2)
    expect(row).to_have_text(re.compile(r"^\s*h\s+\d\.\d\d\s+\d\.\d\d\s+−?\d\.\d\d\s*$"))
    expect(row).to_be_visible()


def test_fits_a_phone_with_all_heads_in_sight(open_tab: OpenTab) -> None:
    tab = open_tab(width=375, height=812, dark=True)
    page = tab.open(f"{ADDRESS}?seg=32&mem=4&view=All+heads")
    heads = page.locator(".st-key-heads .xl-scroll")
    expect(heads.locator(".main-svg").first).to_be_visible()
    assert heads.evaluate("box => box.scrollWidth <= box.clientWidth")
    for name, drawn in TABS.items():
        page.get_by_role("tab", name=name).click()
        expect(page.locator(drawn).first).to_be_visible()
        assert tab.overflow() == 0, name
