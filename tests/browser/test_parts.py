"""A change redraws the first screen and what is in view; the other sections follow in a pause."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenTab, Tab

LISTED = re.compile(r"L = 9\b|segment length 9\b|--segment-length 9\b")


def press_in_place(tab: Tab, label: str, key: str) -> None:
    """Press a key on a slider that may be far above, without scrolling there."""
    tab.slider(label).evaluate("slider => slider.focus({ preventScroll: true })")
    tab.page.keyboard.press(key)


def open_conflict(tab: Tab) -> Page:
    page = tab.open("/position-conflict")
    expect(page.locator(".st-key-part-console")).to_be_attached()
    page.wait_for_timeout(1500)
    return page


def test_sections_out_of_view_are_dimmed_then_drawn(open_tab: OpenTab) -> None:
    tab = open_tab()
    page = open_conflict(tab)
    press_in_place(tab, "Segment length", "ArrowRight")
    console = page.locator(".st-key-part-console")
    expect(console).to_have_attribute("data-stale", "")
    expect(page.locator(".xl-parts")).to_have_attribute("data-waiting", "")
    expect(console).to_contain_text(LISTED)
    expect(console).not_to_have_attribute("data-stale", "")
    expect(page.locator(".xl-parts[data-waiting]")).to_have_count(0)


def test_a_section_in_view_is_drawn_with_the_change(open_tab: OpenTab) -> None:
    tab = open_tab()
    frames: list[object] = []
    tab.page.on(
        "websocket",
        lambda socket: socket.on("framesent", lambda frame: frames.append(frame)),
    )
    page = open_conflict(tab)
    console = page.locator(".st-key-part-console")
    console.scroll_into_view_if_needed()
    page.wait_for_timeout(1500)
    tab.settle()
    sent = len(frames)
    press_in_place(tab, "Segment length", "ArrowRight")
    expect(console).to_contain_text(LISTED, timeout=5000)
    assert len(frames) <= sent + 2  # the change, and at most one word about the view


@pytest.mark.parametrize(
    "page_name", ["", "relative-shift", "relative-attention", "segment-recurrence"]
)
def test_a_page_comes_to_rest_up_to_date(open_tab: OpenTab, page_name: str) -> None:
    tab = open_tab()
    page = tab.open(f"/{page_name}")
    page.wait_for_timeout(1500)
    press_in_place(tab, "Segment length", "ArrowRight")
    expect(page.locator(".xl-parts")).to_have_attribute("data-waiting", "")
    expect(page.locator("[data-stale='']")).to_have_count(0)
    expect(page.locator(".xl-parts[data-waiting]")).to_have_count(0)
