"""While a slider is dragged the maps go with it, before the server has heard of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenTab, Tab

PAIR = """() => {
  const pair = document.querySelector(".xlm-pair");
  const looks = ["data-lit", "data-ahead", "data-query", "aria-selected", "style"];
  return [pair.innerText, ...[...pair.querySelectorAll("td")].map(
    (cell) => looks.map((name) => cell.getAttribute(name)).join())];
}"""


def drag(tab: Tab, label: str, *, by: int) -> None:
    """Move the slider's thumb by so many pixels, and hold it."""
    box = tab.slider(label).locator("xpath=../..").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tab.page.mouse.move(x, y)
    tab.page.mouse.down()
    tab.page.mouse.move(x + by, y)


def sent(page: Page) -> list[object]:
    """What the browser tells the server from now on."""
    messages: list[object] = []
    page.on(
        "websocket", lambda socket: socket.on("framesent", lambda frame: messages.append(frame))
    )
    return messages


@pytest.mark.parametrize("address", ["/", "/position-conflict", "/position-conflict?true=offset"])
@pytest.mark.parametrize(("label", "by"), [("Segment length", 30), ("Memory depth", 60)])
def test_maps_follow_a_drag_and_the_server_agrees(
    open_tab: OpenTab, address: str, label: str, by: int
) -> None:
    tab = open_tab()
    messages = sent(tab.page)
    page = tab.open(address)
    page.wait_for_timeout(1500)
    before, told = page.evaluate(PAIR), len(messages)
    drag(tab, label, by=by)
    page.wait_for_function(f"(before) => ({PAIR})()[0] !== before", arg=before[0])
    followed = page.evaluate(PAIR)
    assert len(messages) == told
    page.mouse.up()
    page.wait_for_timeout(300)
    tab.settle()
    assert len(messages) > told
    assert page.evaluate(PAIR) == followed


def test_query_slider_moves_the_query_at_once(open_tab: OpenTab) -> None:
    tab = open_tab()
    page = tab.open("/position-conflict")
    page.wait_for_timeout(1500)
    drag(tab, "Query", by=-60)
    marked = page.locator(".xlm-map").first.locator("td[data-query]")
    expect(marked).not_to_have_attribute("data-key", "13")
    expect(page.locator(".xlm-map").nth(1)).not_to_contain_text("from query 5")
    followed = page.evaluate(PAIR)
    page.mouse.up()
    page.wait_for_timeout(300)
    tab.settle()
    assert page.evaluate(PAIR) == followed
