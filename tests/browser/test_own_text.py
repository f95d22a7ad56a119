"""The reader's own text: typed and left by a tap on a cell, or with half a character in it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenTab, Tab

OWN = "?sample=My+own+text&seg=4&mem=1"
SLOW_PRESS = 400  # ms, longer than the answer to the new text takes
PHONE: dict[str, Any] = {
    "viewport": {"width": 400, "height": 900},
    "has_touch": True,
    "is_mobile": True,
}
SET_HALF = """(area) => {
  const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
  set.call(area, "ab\\ud800cd");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}"""


@pytest.mark.parametrize("device", [None, PHONE], ids=["mouse", "touch"])
@pytest.mark.parametrize(
    ("path", "cell", "place"),
    [
        ("/position-conflict", "td[data-key='3']", (0.5, 0.5)),
        ("/relative-attention", ".st-key-film .nsewdrag", (0.3, 0.7)),
    ],
)
def test_a_tap_that_leaves_the_text_counts_and_so_does_the_text(
    open_tab: OpenTab, path: str, cell: str, place: tuple[float, float], device: Any
) -> None:
    tab = open_tab(device=device)
    page = tab.open(path + OWN)
    for figure in page.locator(".xl-figure").all():
        expect(figure).to_have_attribute("data-state", "still")
    area = page.get_by_label("Your text")
    area.press_sequentially("hello new 1 world of text")
    target = page.locator(cell).first
    target.evaluate("(node) => node.scrollIntoView({ block: 'center' })")
    box = target.bounding_box()
    assert box
    x, y = box["x"] + place[0] * box["width"], box["y"] + place[1] * box["height"]
    if device:
        page.touchscreen.tap(x, y)
    else:
        page.mouse.move(x, y)
        page.mouse.down()
        page.wait_for_timeout(SLOW_PRESS)  # how long a finger rests on the button
        page.mouse.up()
    expect(page).to_have_url(re.compile("key="))
    expect(page.get_by_text("There is no text yet")).to_have_count(0)


def test_half_a_character_is_told_and_the_connection_stays(tab: Tab) -> None:
    page = tab.open("/position-conflict" + OWN)
    area = page.get_by_label("Your text")
    area.evaluate(SET_HALF)
    area.press("Control+Enter")
    expect(page.get_by_text("stands where your text has half a character")).to_be_visible()
    expect(page.locator("td[data-key='3'] small").first).to_have_text("c")


def test_half_a_character_in_the_address_is_told(tab: Tab) -> None:
    page = tab.open("/?seg=%ED%A0%80")
    expect(page.get_by_test_id("stText")).to_contain_text("in the address")
