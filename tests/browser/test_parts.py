"""A change redraws the first screen; the sections follow in a pause."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.browser.conftest import OpenTab, Tab

LISTED = re.compile(r"L = 9\b|segment length 9\b|--segment-length 9\b")

NOTE_MARKS = """() => {
  window.marks = new Set();
  new MutationObserver((changes) => changes.forEach(({ target, attributeName }) => {
    if (target.getAttribute(attributeName) === "") window.marks.add(attributeName);
  })).observe(document.body, { subtree: true, attributeFilter: ["data-stale", "data-waiting"] });
}"""
WAS_MARKED = """() => marks.has("data-stale") && marks.has("data-waiting") &&
  !document.querySelector("[data-stale=''], [data-waiting='']")"""

PRESS = """async (slider, keys) => {
  slider.focus({ preventScroll: true });
  for (const key of keys) {
    slider.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    await new Promise(requestAnimationFrame);
  }
}"""
HOLD_UP = """() => new MutationObserver(() => {
  const end = performance.now() + 1000;
  while (performance.now() < end);
  window.held = true;
}).observe(document.querySelector(".xl-parts"), { attributeFilter: ["data-waiting"] })"""


def press_in_place(tab: Tab, label: str, key: str) -> None:
    """Press a key on a slider that may be far above, without scrolling there."""
    tab.slider(label).evaluate("slider => slider.focus({ preventScroll: true })")
    tab.page.keyboard.press(key)


def asks(frame: bytes | str) -> bool:
    """Whether a message of the browser's is there to ask for the sections."""
    assert isinstance(frame, bytes)
    widgets = BackMsg.FromString(frame).rerun_script.widget_states.widgets
    return any(one.json_trigger_value and one.id.endswith("-ask__events") for one in widgets)


def open_conflict(tab: Tab) -> Page:
    page = tab.open("/position-conflict")
    expect(page.locator(".st-key-part-console")).to_be_attached()
    page.wait_for_timeout(1500)
    return page


def test_sections_are_dimmed_then_drawn(open_tab: OpenTab) -> None:
    tab = open_tab()
    page = open_conflict(tab)
    page.evaluate(NOTE_MARKS)
    press_in_place(tab, "Segment length", "ArrowRight")
    page.wait_for_function(WAS_MARKED)
    expect(page.locator(".st-key-part-console")).to_contain_text(LISTED)


def test_the_sections_are_asked_for_once_the_reader_pauses(open_tab: OpenTab) -> None:
    tab = open_tab()
    asked: list[bool] = []
    tab.page.on(
        "websocket",
        lambda socket: socket.on("framesent", lambda frame: asked.append(asks(frame))),
    )
    page = open_conflict(tab)
    asked.clear()
    tab.slider("Segment length").evaluate(PRESS, ["End", "Home", *["ArrowRight"] * 7])
    expect(page.locator(".st-key-part-console")).to_contain_text(LISTED)
    tab.settle()
    assert 0 < sum(asked) < len(asked) / 3  # twice, if the server is slow to take in the changes


def test_nothing_is_told_while_nothing_changes(open_tab: OpenTab) -> None:
    tab = open_tab()
    frames: list[object] = []
    tab.page.on(
        "websocket",
        lambda socket: socket.on("framesent", lambda frame: frames.append(frame)),
    )
    page = open_conflict(tab)
    sent = len(frames)
    for distance in (2000, 2000, -4000):
        page.mouse.wheel(0, distance)
        page.wait_for_timeout(400)
    assert len(frames) == sent


@pytest.mark.parametrize(
    "page_name", ["", "relative-shift", "relative-attention", "segment-recurrence"]
)
def test_a_page_comes_to_rest_up_to_date(open_tab: OpenTab, page_name: str) -> None:
    tab = open_tab()
    page = tab.open(f"/{page_name}")
    page.wait_for_timeout(1500)
    page.evaluate(NOTE_MARKS)
    press_in_place(tab, "Segment length", "ArrowRight")
    page.wait_for_function(WAS_MARKED)


ATTENTION = "/relative-attention"


@pytest.mark.parametrize(
    ("address", "clicks", "values"),
    [
        (f"{ATTENTION}?mem=1&segment=5&key=9", [".ra .token button >> nth=3"], {"Key": "3"}),
        (
            f"{ATTENTION}?view=All+heads",
            [".rh button[data-layer='2'][data-head='1']"],
            {"Layer": "3", "Head": "2"},
        ),
        (
            f"{ATTENTION}?segment=4&view=Segments",
            ["[aria-label='One segment back']", "text=Look at segment 3"],
            {"Segment": "3"},
        ),
        ("/proof", [".st-key-stored_8_2_3 button"], {"Memory depth": "2", "Tokens back": "3"}),
        ("/segment-recurrence?segment=3", [".xlr-back"], {"Segment": "2"}),
    ],
)
def test_a_click_moves_the_controls_for_good(
    open_tab: OpenTab, address: str, clicks: list[str], values: dict[str, str]
) -> None:
    tab = open_tab()
    page = tab.open(address)
    for one in clicks:
        page.locator(one).click()
    page.wait_for_timeout(1000)
    tab.settle()
    for label, value in values.items():
        box = page.get_by_role("combobox", name=label, exact=True)
        if box.count():
            expect(box).to_have_value(value)
        else:
            expect(tab.slider(label)).to_have_attribute("aria-valuetext", value)


def test_the_sections_are_not_asked_for_with_values_of_before(open_tab: OpenTab) -> None:
    """A browser that is held up for long after a click still sends what the click has chosen."""
    tab = open_tab()
    page = tab.open("/relative-attention?view=All+heads")
    page.wait_for_timeout(1500)
    page.evaluate(HOLD_UP)
    page.get_by_role("button", name=re.compile("^layer 3, head 2")).click()
    page.wait_for_function("window.held && !document.querySelector('[data-waiting]')")
    tab.settle()
    expect(page).to_have_url(re.compile("layer=3&head=2"))
    expect(page.get_by_role("combobox", name="Layer")).to_have_value("3")
