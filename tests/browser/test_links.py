"""The address carries the picture: reload, Back, Forward, a shared link, and Reset."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenTab, Tab
from xlexplain.ui.site import PAGES, entry

LINKS = {
    "home": "?seg=5&mem=2&key=7",
    "position_conflict": "?seg=6&mem=2&query=3&true=offset&key=9&sample=A+story&closer=Distances",
    "segment_recurrence": "?seg=6&mem=2&layers=3&segment=2&query=4&sample=A+story",
    "relative_attention": "?seg=6&mem=2&segment=3&query=2&key=5&layer=2&head=1&view=All+heads",
    "relative_shift": "?seg=6&mem=2&segment=3&layer=2&head=1&query=3&key=4"
    "&stage=2&speed=2&shown=code",
    "proof": "?seg=16&mem=2&back=5&symbols=8&weights=shipped&layers=2&steps=200&seed=3",
}
SHOWN = """() => {
  const all = (root, selector) => [...root.querySelectorAll(selector)];
  const words = (selector) => all(document, selector).map((one) => one.innerText.trim());
  const chosen = (box) => {
    const input = box.querySelector('input');
    return [box.innerText.trim(), input?.value || input?.placeholder].join(' ');
  };
  const figure = document.querySelector('.st-key-moving-cells .xl-figure');
  return {
    heading: words('h1'),
    sliders: words('[data-testid=stSlider]'),
    choices: all(document, '[data-testid=stSelectbox]').map((one) => chosen(one)),
    pressed: words('[aria-checked=true], [aria-pressed=true], [role=tab][aria-selected=true]'),
    frame: figure?.dataset.frame,
    speed: figure?.querySelector('.xl-speed')?.value,
    undrawn: all(document, '.xl-figure:not([data-state=still])').length,
    path: location.pathname,
    values: decodeURIComponent(location.search.slice(1)).split('&').sort().join(' '),
  };
}"""


def shown(tab: Tab) -> dict[str, Any]:
    """What the reader sees of the settings, and the address; once it no longer changes."""
    before: dict[str, Any] = {}
    for _ in range(40):
        tab.settle()
        now: dict[str, Any] = tab.page.evaluate(SHOWN)
        if now == before and not now["undrawn"]:
            return now
        before = now
    raise AssertionError(f"the page does not come to rest: {before}")


def open_link(tab: Tab, name: str, values: str = "") -> Page:
    page = tab.open(f"/{entry(name).address}{values}")
    for label in ("Segment length", "Memory depth"):
        expect(tab.slider(label)).to_be_visible()
    return page


def follow(tab: Tab, name: str) -> None:
    """By the navigation."""
    tab.page.get_by_test_id("stTopNavLink").filter(has_text=entry(name).title).first.click()
    arrive(tab, name)


def arrive(tab: Tab, name: str) -> None:
    tab.page.wait_for_url(lambda url: url.split("?")[0].endswith("/" + entry(name).address))
    expect(tab.page.locator("h1")).to_be_visible()
    tab.settle()


@pytest.mark.parametrize("name", LINKS)
def test_reload_back_forward_and_a_shared_link_show_the_same(open_tab: OpenTab, name: str) -> None:
    tab = open_tab()
    page = open_link(tab, name, LINKS[name])
    first = shown(tab)
    assert first["values"].split() == sorted(LINKS[name].lstrip("?").split("&"))
    length = page.evaluate("history.length")
    other = "proof" if name == "home" else "home"
    follow(tab, other)
    second = shown(tab)
    assert second["sliders"][:2] == first["sliders"][:2]  # the values go on to another page
    assert page.evaluate("history.length") == length + 1
    page.go_back()
    arrive(tab, name)
    assert shown(tab) == first
    page.go_forward()
    arrive(tab, other)
    assert shown(tab) == second
    page.go_back()
    arrive(tab, name)
    page.reload()
    arrive(tab, name)
    assert shown(tab) == first


def test_back_shows_what_was_changed_before_the_reader_went_on(tab: Tab) -> None:
    page = open_link(tab, "position_conflict", "?mem=2")
    length = page.evaluate("history.length")
    tab.press("Segment length", "ArrowLeft", times=2)
    tab.press("Query", "ArrowLeft")
    page.locator("td[data-key='7']").first.click()
    changed = shown(tab)
    assert changed["values"] == "key=7 mem=2 query=4 seg=6"
    follow(tab, "segment_recurrence")
    tab.press("Memory depth", "ArrowRight")
    further = shown(tab)
    page.go_back()
    arrive(tab, "position_conflict")
    assert shown(tab) == changed
    page.go_forward()
    arrive(tab, "segment_recurrence")
    assert shown(tab) == further
    assert page.evaluate("history.length") == length + 1


def test_two_quick_steps_back_arrive_and_leave_the_way_forward(tab: Tab) -> None:
    page = open_link(tab, "position_conflict", "?seg=5")
    first = shown(tab)
    follow(tab, "home")
    follow(tab, "proof")
    last = shown(tab)
    page.evaluate("history.back(); setTimeout(() => history.back(), 30)")
    arrive(tab, "position_conflict")
    assert shown(tab) == first
    page.evaluate("history.go(2)")
    arrive(tab, "proof")
    assert shown(tab) == last


# The next step as soon as the browser has taken one; it drops those that come earlier.
QUICK = """(steps) => new Promise((done) => {
  const step = () => (steps.length ? history.go(steps.shift()) : done());
  addEventListener("popstate", () => setTimeout(step, 20));
  step();
})"""


def test_quick_back_and_forward_end_on_the_page_of_the_address_without_errors(tab: Tab) -> None:
    """Many more such steps: `python -m benchmarks.back_forward`."""
    page = open_link(tab, "segment_recurrence", "?seg=5")
    follow(tab, "relative_attention")
    follow(tab, "relative_shift")
    page.evaluate(QUICK, [-1, -1, 1, 1, -1, -1, 1, -1, 1, 1, -1, -1, 1])
    expect(page).to_have_title(entry("relative_attention").tab_title)
    arrive(tab, "relative_attention")
    assert shown(tab)["values"] == "seg=5"


def test_a_key_survives_other_pages_and_a_default_is_not_carried(tab: Tab) -> None:
    page = open_link(tab, "home", "?mem=2&key=13")
    follow(tab, "segment_recurrence")
    follow(tab, "position_conflict")
    box = page.get_by_role("combobox", name="Key", exact=True)
    expect(box).to_have_value(re.compile("^13: "))
    box.focus()
    page.keyboard.type("5:")
    expect(page.get_by_role("option").first).to_have_text(re.compile("^5:"))
    page.keyboard.press("Enter")
    expect(box).to_have_value(re.compile("^5: "))
    expect(page).not_to_have_url(re.compile("key="))
    follow(tab, "relative_attention")
    assert "top" in " ".join(shown(tab)["choices"])
    assert "key" not in page.url


@pytest.mark.parametrize("name", ["position_conflict", "relative_attention", "relative_shift"])
def test_reset_resets_the_values_and_the_address(tab: Tab, name: str) -> None:
    page = open_link(tab, name)
    untouched = shown(tab)
    open_link(tab, name, LINKS[name])
    page.get_by_role("button", name="Reset").click()
    page.wait_for_url(lambda url: "?" not in url)
    for _ in range(20):  # what lies below the window follows when the reader pauses
        if shown(tab) == untouched:
            break
    assert shown(tab) == untouched
    follow(tab, "home")
    assert "?" not in page.url
    page.reload()
    tab.settle()
    assert shown(tab)["values"] == ""


def test_a_limit_that_falls_takes_the_value_along_and_leaves_the_slider(tab: Tab) -> None:
    page = open_link(tab, "position_conflict", "?seg=12&query=11")
    tab.slider("Query").evaluate("(input) => { input.isTheSame = true; }")
    tab.press("Segment length", "ArrowLeft", times=3)
    assert tab.slider("Query").input_value() == "8"
    assert tab.slider("Query").evaluate("(input) => input.isTheSame") is True
    expect(page).to_have_url(re.compile("query=8"))
    tab.press("Segment length", "ArrowRight")
    tab.press("Query", "ArrowRight")
    expect(page).to_have_url(re.compile("query=9"))


@pytest.mark.parametrize("page_entry", PAGES, ids=lambda one: one.name)
def test_ten_quick_presses_end_on_the_last_value_of_every_slider(tab: Tab, page_entry: Any) -> None:
    page = open_link(tab, page_entry.name)
    names = page.locator("[data-testid=stSlider]").evaluate_all(
        "(all) => all.map((one) => one.querySelector('[role=group]').getAttribute('aria-label') "
        "|| one.querySelector('label').innerText.trim())"
    )
    assert names[:2] == ["Segment length", "Memory depth"]
    for name in names if page_entry.name == "home" else names[2:]:  # those two are on every page
        slider = tab.slider(name)
        tab.press(name, "Home")
        tab.press(name, "ArrowRight", times=10)
        least, most = int(slider.get_attribute("min") or 0), int(slider.get_attribute("max") or 0)
        assert int(slider.input_value()) == min(least + 10, most), name
    settled = shown(tab)
    page.reload()
    arrive(tab, page_entry.name)
    assert shown(tab)["sliders"] == settled["sliders"]
