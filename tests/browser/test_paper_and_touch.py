"""Pages on paper, under a finger, and in the colours of the reader's system."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as TookTooLong

from tests.browser.conftest import OpenTab, Tab
from tests.browser.looking import SCRIPT, picture
from tests.browser.test_access import settle
from xlexplain.ui.controls import SEGMENT_LENGTH

PHONE = {"viewport": {"width": 375, "height": 812}, "has_touch": True, "is_mobile": True}
SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"
SWIPE, LEAST = 275, 200  # px; a browser keeps the first few to tell a swipe from a tap
# What a finger may come down on: the tracks of sliders, where a thumb would jump, and drawings.
TRACK = "[data-testid=stSlider] [style*='touch-action']:has(> [style*='touch-action'])"
INTO_VIEW = """([node, swipe]) => {
  const main = document.querySelector("[data-testid=stMain]");
  const middle = () => node.getBoundingClientRect().top + node.offsetHeight / 2;
  main.scrollBy({ top: middle() - 400, behavior: "instant" });
  const shown = (node.closest(".xl-scroll") ?? node).getBoundingClientRect();
  const isAtEnd = main.scrollTop + main.clientHeight + swipe > main.scrollHeight;
  return [shown.left + 0.85 * shown.width, middle(), isAtEnd ? swipe : -swipe];
}"""
# Links as large as a figure, or as a part of it: of them a PDF says on which places of its sheets
# they lie. One that is split between sheets is there twice.
LINKS = """() => {
  const parts = ".xl-figure, .xl-plot .svg-container, .xlm, .xlm tr > :last-child, .xl-book, " +
    ".xl-growth, .xl-growth td:last-child, .st-key-claims > *";
  const shown = [...document.querySelectorAll(parts)].filter((one) => one.offsetHeight);
  shown.forEach((one, number) => {
    const link = document.createElement("a");
    link.href = `https://paper.test/${number}/`;
    link.style = "position: absolute; inset: 0; z-index: 9";
    if (getComputedStyle(one).position === "static") one.style.position = "relative";
    one.append(link);
  });
  return shown.map((one) => one.className || one.tagName);
}"""
WIDTHS = "[...document.querySelectorAll('.main-svg')].map((one) => one.clientWidth)"
LINK = rb"/Rect \[([-\d. ]+)\](?:(?!endobj).)*?paper\.test/(\d+)/"
SIZES = {"A4": 595.0, "Letter": 612.0}  # points
MARGIN = 72 / 25.4 * 12  # 12 mm, as in paper.css

Swipe = Callable[..., None]


@pytest.fixture
def phone(open_tab: OpenTab) -> Tab:
    tab = open_tab(device=PHONE)
    tab.page.add_init_script(SCRIPT)
    return tab


def finger(page: Page) -> Swipe:
    """A finger on the glass: `swipe(x, y, right=100)` or `down=100`, px; it stops, then lifts."""
    session = page.context.new_cdp_session(page)

    def swipe(x: float, y: float, *, right: float = 0, down: float = 0) -> None:
        for step in [*range(11), 10]:
            point = {"x": x + right * step / 10, "y": y + down * step / 10}
            kind = "touchMove" if step else "touchStart"
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
            page.wait_for_timeout(100 if step == 10 else 10)
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    return swipe


def place_of(found: Locator) -> tuple[float, float, float]:
    """Where to touch it once it is in view, and which way the page can move from there."""
    x, y, way = found.evaluate(f"(node) => ({INTO_VIEW})([node, {SWIPE}])")
    return x, y, way


def test_a_finger_on_any_drawing_or_slider_scrolls_the_page_and_changes_nothing(
    phone: Tab,
) -> None:
    page = phone.open("/position-conflict?closer=Distances")
    settle(page)
    before = page.url
    swipe = finger(page)
    places = [one for one in page.locator(f"{TRACK}, .xl-plot").all() if one.is_visible()]
    assert len(places) >= 4
    stuck = []
    for place in places:
        x, y, way = place_of(place)
        start = page.evaluate(SCROLLED)
        swipe(x, y, down=way)
        try:
            page.wait_for_function(
                f"([start, least]) => Math.abs({SCROLLED} - start) > least",
                arg=[start, LEAST],
                timeout=2000,
            )
        except TookTooLong:
            stuck.append(place.evaluate("(node) => node.closest('[class*=st-key-]').className"))
    settle(page)
    assert stuck == []
    assert page.url == before


def test_a_finger_taps_and_drags_sliders_taps_cells_and_pans_wide_drawings(phone: Tab) -> None:
    page = phone.open("/relative-shift?seg=8&mem=1&stage=3")
    settle(page)
    swipe = finger(page)
    track = phone.slider(SEGMENT_LENGTH.label).locator(f"xpath=ancestor::*[{is_track()}][1]")
    x, y, _ = place_of(track)
    page.touchscreen.tap(x, y)
    expect(page).to_have_url(re.compile("seg=2[4-9]"))
    settle(page)
    x, y, _ = place_of(track)
    swipe(x, y, right=-60)
    expect(page).to_have_url(re.compile("seg=1[0-9]"))
    settle(page)
    box = page.locator(".st-key-moving-cells .xl-scroll")
    x, y, _ = place_of(box.locator(".xl-plot"))
    left = box.evaluate("(box) => box.scrollLeft")
    swipe(x, y, right=-100)
    page.wait_for_function(f"document.querySelector('.xl-scroll').scrollLeft > {left} + 50")
    page.touchscreen.tap(x - 150, y)
    expect(page).to_have_url(re.compile("query="))


def is_track() -> str:
    """XPath: what of a slider a finger may touch besides its thumb."""
    return "contains(@style, 'touch-action') and not(contains(@style, 'translate'))"


def test_after_a_tap_nothing_lies_over_a_drawing(phone: Tab) -> None:
    page = phone.open("/position-conflict?closer=Distances")
    settle(page)
    figure = page.locator(".st-key-distances-told .xl-figure")
    x, y, _ = place_of(figure.locator(".xl-plot"))
    page.touchscreen.tap(x, y)
    save = figure.get_by_role("button", name="Save as a picture")
    expect(save).to_have_css("position", "static")
    expect(page.locator(".modebar:visible, [data-testid=stElementToolbar]:visible")).to_have_count(
        0
    )
    button, plot = save.bounding_box(), figure.locator(".xl-plot").bounding_box()
    assert button is not None
    assert plot is not None
    assert button["y"] >= plot["y"] + plot["height"] - 1


@pytest.mark.parametrize(
    ("address", "size"),
    [
        ("/position-conflict?seg=32&mem=4", "A4"),
        ("/relative-shift", "A4"),
        ("/proof", "Letter"),
    ],
)
def test_on_paper_every_figure_is_whole(
    tab: Tab, address: str, size: Literal["A4", "Letter"]
) -> None:
    tab.page.add_init_script(SCRIPT)
    page = tab.open(address)
    settle(page)
    names = page.evaluate(LINKS)
    drawn = page.evaluate(
        "[...document.querySelectorAll('.main-svg')].map((one) => one.clientWidth)"
    )
    paper = page.pdf(format=size)
    links = [(int(n), [*map(float, box.split())]) for box, n in re.findall(LINK, paper, re.DOTALL)]
    counts = Counter(number for number, _ in links)
    assert [name for number, name in enumerate(names) if counts[number] != 1] == []
    room = (MARGIN - 1, SIZES[size] - MARGIN + 1)
    assert [names[n] for n, (x, _, end, _) in links if not room[0] <= x < end <= room[1]] == []
    page.wait_for_function(f"(drawn) => String({WIDTHS}) === String(drawn)", arg=drawn)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 690, "height": 900})
    cut = "[...document.querySelectorAll('pre')].filter((one) => one.scrollWidth > one.clientWidth)"
    assert page.evaluate(f"{cut}.length") == 0
    expect(page.get_by_test_id("stTopNavLink").first).to_be_hidden()
    expect(page.locator("button:has-text('Reset')")).to_be_hidden()


def test_a_dark_page_is_printed_light_and_is_dark_again_afterwards(open_tab: OpenTab) -> None:
    tab = open_tab(dark=True)
    tab.page.add_init_script(SCRIPT)
    page = tab.open("/position-conflict?closer=Distances")
    settle(page)
    for media, is_dark in (("screen", True), ("print", False), ("screen", True)):
        page.emulate_media(media=media)  # type: ignore[arg-type]
        for part in (page.locator("h1"), page.locator(".xl-plot").first):
            part.scroll_into_view_if_needed()
            assert (sum(ground(part)) < 3 * 64) == is_dark
            assert (sum(ground(part)) > 3 * 240) != is_dark


def ground(found: Locator) -> tuple[int, ...]:
    """The colour that most of an element has on the screen."""
    box = found.bounding_box()
    assert box is not None
    pixels = picture(found.page, box).reshape(-1, 3)
    return Counter(map(tuple, pixels.tolist())).most_common(1)[0][0]


# What differs by a colour on most screens: one, and another that it has to be told from.
TOLD_APART = {
    "a slider's thumb": (
        "[data-testid=stSlider] [style*=translate]",
        "[data-testid=stSlider] label",
    ),
    "the chosen option": ("[role=radio][aria-checked=true]", "[role=radio][aria-checked=false]"),
    "the open tab": ("[role=tab][aria-selected=true]", "[role=tab][aria-selected=false]"),
    "the chosen key": (".xlm td.lit", ".xlm td:not(.lit)"),
    "its sign in the legend": (".xlm-legend .twin", ".xlm-legend .current"),
    "the number it is told": (".xlm-say .lit b", ".xlm-say .lit"),
    "a bar": (".xl-growth tr:not([aria-current]) td i", ".xl-growth td span"),
    "the bar of these settings": (".xl-growth tr[aria-current] td i", ".xl-growth td i"),
    "the page of the book": (".xl-book li[data-page]", ".xl-book li:not([data-page])"),
}


def test_the_system_s_colours_keep_apart_what_ours_do(open_tab: OpenTab) -> None:
    tab = open_tab(forced_colors=True, dark=True)
    page = tab.open("/position-conflict?mem=3")
    page.set_viewport_size({"width": 1280, "height": 4000})
    expect(page.locator(".xl-book")).to_be_visible()
    tab.settle()
    lost = [
        name
        for name, pair in TOLD_APART.items()
        if len({ground(page.locator(one).first) for one in pair}) == 1
    ]
    track = page.locator(f"{TRACK} > :first-child").first
    assert lost == []
    assert track.evaluate("(node) => getComputedStyle(node).borderTopWidth") == "1px"
    kept = page.locator(".xlm .memory td").first, page.locator(".xlm .current td").first
    assert [one.evaluate("(node) => getComputedStyle(node).borderStyle") for one in kept] == [
        "dotted",
        "solid",
    ]
