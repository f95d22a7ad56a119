"""Every page by keyboard, on a phone, on a projector, and without motion."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import FloatRect, Page

from tests.browser.conftest import NewPage, Tab
from tests.browser.looking import SCRIPT, picture, small_texts
from tests.browser.test_access import TALL, settle, views
from tests.serving import Server
from xlexplain.ui.controls import MEMORY_DEPTH, SEGMENT_LENGTH
from xlexplain.ui.site import PAGES

PHONE = {"width": 375, "height": 812}
PROJECTOR = {"width": 1920, "height": 1080}
MOST_STOPS = 200
# A ring, a bar or a ground that changes by so much, on so many pixels, is seen.
LEAST_CHANGE, LEAST_PIXELS = 40, 30
A_MOMENT = 1000  # ms
CUT_TITLES = """() => [...document.querySelectorAll(".js-plotly-plot")].flatMap((figure) => {
  const title = figure.querySelector(".gtitle");
  const isCut = title?.getBoundingClientRect().right > figure.getBoundingClientRect().right;
  return isCut ? [title.textContent] : [];
})"""


@dataclass
class Handled:
    """What went wrong on one page, by what was tried."""

    missed: list[str] = field(default_factory=list)
    unmarked: list[str] = field(default_factory=list)
    pointer_only: list[str] = field(default_factory=list)
    moving: list[dict[str, Any]] = field(default_factory=list)
    small: list[str] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    overflow: dict[str, int] = field(default_factory=dict)
    controls_end: list[float] = field(default_factory=list)


@pytest.fixture(scope="module", params=[page.name for page in PAGES])
def handled(request: pytest.FixtureRequest, new_page: NewPage, server: Server) -> Handled:
    """A page, tried once for all tests."""
    address = next(page.address for page in PAGES if page.name == request.param)
    tab = Tab(page=new_page(height=TALL, reduced_motion=True), url=server.url)
    tab.page.add_init_script(SCRIPT)
    page = tab.open(f"/{address}?mem=2")
    settle(page)
    found = Handled(moving=page.evaluate("looking.moving()"))
    found.pointer_only = page.evaluate("looking.pointed()")
    walk(page, found)
    for name, size in (("phone", PHONE), ("projector", PROJECTOR)):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        settle(page)
        found.overflow[name] = tab.overflow()
        found.small += small_texts(page)
        if name == "phone":
            page.get_by_test_id("stMain").evaluate("(main) => main.scrollTo(0, 0)")
            found.controls_end = [
                tab.slider(one.label).bounding_box()["y"]  # type: ignore[index]
                for one in (SEGMENT_LENGTH, MEMORY_DEPTH)
            ]
            for part in views(page):
                page.evaluate("(part) => looking.within(part)", part)
                found.small += small_texts(page)
                found.overflow[f"phone, {part}"] = tab.overflow()
                found.cut += page.evaluate(CUT_TITLES)
            page.evaluate("looking.within(null)")
    page.close()
    return found


def walk(page: Page, found: Handled) -> None:
    """Go through the page with the Tab key; look at each stop with the focus and without."""
    page.evaluate("looking.awaitStops()")
    page.keyboard.press("Tab")
    for _ in range(MOST_STOPS):
        stop = page.evaluate("looking.stop()")
        if stop is None:
            break
        if not leaves_a_mark(page, stop["box"]):
            page.keyboard.press("Shift+Tab")
            if not leaves_a_mark(page, stop["box"], patience=A_MOMENT):
                found.unmarked.append(stop["where"])
    found.missed = page.evaluate("looking.missed()")


def leaves_a_mark(page: Page, box: FloatRect, *, patience: int = 0) -> bool:
    """Press the Tab key; whether what had the focus looks different without it.

    Args: patience: ms for a busy browser to draw the one and the other.
    """
    page.wait_for_timeout(patience)
    with_focus = picture(page, box).astype(int)
    page.keyboard.press("Tab")
    page.wait_for_timeout(patience)
    change = np.abs(picture(page, box) - with_focus).max(axis=2)
    return bool((change >= LEAST_CHANGE).sum() >= LEAST_PIXELS)


def test_every_control_is_reached_with_the_tab_key(handled: Handled) -> None:
    assert handled.missed == []


def test_nothing_needs_a_pointer(handled: Handled) -> None:
    assert handled.pointer_only == []


def test_where_the_focus_is_can_be_seen(handled: Handled) -> None:
    assert handled.unmarked == []


def test_with_reduced_motion_nothing_moves_by_itself(handled: Handled) -> None:
    assert handled.moving == []


def test_no_text_is_small_on_a_phone_or_a_projector(handled: Handled) -> None:
    assert handled.small == []


def test_no_page_is_wider_than_a_phone_or_a_projector(handled: Handled) -> None:
    assert set(handled.overflow.values()) == {0}, handled.overflow


def test_no_title_of_a_figure_is_cut_on_a_phone(handled: Handled) -> None:
    assert handled.cut == []


def test_both_controls_are_in_the_first_screen_of_a_phone(handled: Handled) -> None:
    assert len(handled.controls_end) == 2
    assert all(0 < y < PHONE["height"] for y in handled.controls_end)
