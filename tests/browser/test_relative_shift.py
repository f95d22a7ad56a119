"""The moving cells in a real browser."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenTab, Tab
from tests.browser.test_figure import NODES, at_frame, figure
from xlexplain.maths import rel_shift_steps

LAST = {"slide": 3, "code": 5}
# Each cell that is seen: where it came from, its text, and the middle of its square on the screen.
# Plotly makes no node for an empty text, so what is written is compared as a whole.
READ_CELLS = f"""(figure) => {{
  const plot = figure.querySelector(".js-plotly-plot");
  const {{ ids, text }} = plot.data.find((one) => one.name === "cells");
  const nodes = ({NODES})(figure), trace = nodes[0].closest(".trace");
  const written = [...trace.querySelectorAll("text")].map((one) => one.textContent).filter(Boolean);
  if (written.join() !== text.filter(Boolean).join()) throw new Error(written.join());
  return nodes.map((node, n) => {{
    const {{ x, y, width, height }} = node.getBoundingClientRect();
    return {{ source: Number(ids[n]), text: text[n], x: x + width / 2, y: y + height / 2 }};
  }}).filter((cell) => cell.text);
}}"""


def cells_of(page: Page, number: int) -> list[dict[str, Any]]:
    """Every cell that is seen once the figure rests on a frame."""
    cells: list[dict[str, Any]] = at_frame(page, number).evaluate(READ_CELLS)
    return cells


def assert_in_place(page: Page, number: int, *, L: int, S: int, stage: int) -> None:
    """Cells stand on the screen as in the stage's matrix: same rows, same columns, same order."""
    source = rel_shift_steps(np.zeros((L, S)))[stage].source
    place = {int(one): at for at, one in np.ndenumerate(source)}
    cells = cells_of(page, number)
    assert cells
    if L * S <= 500:
        assert {cell["source"] for cell in cells} == set(place)
    for axis, name in enumerate("yx"):
        on_screen: dict[int, list[float]] = {}
        for cell in cells:
            on_screen.setdefault(place[cell["source"]][axis], []).append(cell[name])
        middles = [np.mean(on_screen[at]) for at in sorted(on_screen)]
        assert max(np.ptp(values) for values in on_screen.values()) < 1
        assert np.all(np.diff(middles) > 10)
    for cell in cells:
        distance = S - 1 - cell["source"] % S
        expected = "pad" if cell["source"] < 0 else str(distance)
        is_masked = stage == 5 and place[cell["source"]][1] > S - L + place[cell["source"]][0]
        assert cell["text"] == ("−∞" if is_masked else expected)


@pytest.mark.parametrize(("L", "D"), [(8, 1), (2, 0), (32, 4)])
def test_cells_move_to_where_the_steps_say(open_tab: OpenTab, L: int, D: int) -> None:
    page = open_tab(height=1000).open(f"/relative-shift?seg={L}&mem={D}&shown=code&speed=4")
    for stage in range(6):
        assert_in_place(page, stage, L=L, S=L * (D + 1), stage=stage)
        if stage < 5:
            page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Back").click()
    assert_in_place(page, 4, L=L, S=L * (D + 1), stage=4)
    page.get_by_role("slider", name="Frame").focus()
    page.keyboard.press("Home")
    assert_in_place(page, 0, L=L, S=L * (D + 1), stage=0)


def test_rows_that_slide_end_in_the_same_matrix(tab: Tab) -> None:
    page = tab.open("/relative-shift?seg=5&mem=1&speed=4")
    before = {cell["source"]: cell["x"] for cell in cells_of(page, 0)}
    page.get_by_role("button", name="Next").click()
    slid = {cell["source"]: cell["x"] for cell in cells_of(page, 1)}
    width = before[1] - before[0]
    for source in before:
        assert (before[source] - slid[source]) / width == pytest.approx(4 - source // 10, abs=0.1)
    page.get_by_role("slider", name="Frame").focus()
    page.keyboard.press("End")
    assert_in_place(page, 3, L=5, S=10, stage=5)


def test_the_code_beside_it_marks_the_line_and_leads_to_it(tab: Tab) -> None:
    page = tab.open("/relative-shift?shown=code")
    at_frame(page, 0)
    lines = figure(page).locator(".xl-frames button")
    expect(lines).to_have_count(6)
    lines.filter(has_text="np.pad").click()
    at_frame(page, 1)
    expect(figure(page).locator("[aria-current=step]")).to_contain_text("# 8 × 17, writes 544 B")
    expect(figure(page).locator(".xl-title")).to_have_text("One zero in front of every row")


def test_the_form_is_switched_and_begins_anew(tab: Tab) -> None:
    page = tab.open("/relative-shift?stage=2")
    at_frame(page, 2)
    page.get_by_role("radio", name="Five lines").click()
    expect(figure(page).locator(".xl-frames li")).to_have_count(6)
    at_frame(page, 0)
    expect(page).to_have_url(re.compile(r"shown=code$"))


def test_a_changed_value_shows_where_it_lands(tab: Tab) -> None:
    page = tab.open("/relative-shift?seg=4&mem=1&query=2&key=3&stage=3")
    at_frame(page, 3)
    page.get_by_role("button", name="Change this value").click()
    expect(
        page.get_by_text("row 2, column 3 of the result changed and nothing else")
    ).to_be_visible()
    at_frame(page, 3)
    expect(figure(page).locator(".textpoint", has_text="*")).to_have_text("3*")


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_scrolls_only_the_matrix(open_tab: OpenTab, dark: bool) -> None:
    tab = open_tab(width=375, height=812, dark=dark)
    page = tab.open("/relative-shift?seg=16&mem=1&sample=My+own+text")
    box = at_frame(page, 0).locator(".xl-scroll")
    assert tab.overflow() == 0
    assert box.evaluate("node => node.scrollWidth > node.clientWidth")


def test_first_screen_holds_the_animation_and_its_code(tab: Tab) -> None:
    page = tab.open("/relative-shift")
    at_frame(page, 0)
    for part in ("h1", ".xl-title", ".xl-scroll", ".xl-player", ".xl-frames"):
        box = page.locator(part).first.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 720


def test_the_figure_is_as_high_as_its_rows(open_tab: OpenTab) -> None:
    page = open_tab(height=1000).open("/relative-shift?shown=code&speed=4&seg=8&mem=2")
    heights = []
    for number in range(4):
        heights.append(at_frame(page, number).locator(".xl-scroll").evaluate("n => n.clientHeight"))
        page.get_by_role("button", name="Next").click()
    assert heights[0] == heights[1] < heights[2] / 2
    assert heights[3] < heights[2]


def test_html_of_the_reader_is_text(tab: Tab) -> None:
    page = tab.open("/relative-shift?seg=4&mem=1&sample=My+own+text&stage=3")
    page.get_by_label("Your text").fill("<img src=x onerror=boom>" * 2)
    page.keyboard.press("Control+Enter")
    expect(figure(page).locator(".textpoint", has_text=">").first).to_be_attached()
    assert page.locator(".xl-figure img").count() == 0


def test_a_notice_of_what_could_not_be_opened_goes_with_a_change(tab: Tab) -> None:
    page = tab.open("/relative-shift?seg=4&mem=1&stage=9&speed=fast")
    stage = page.get_by_text("Frame “9” in the address is not a whole number from 0 to 3")
    speed = page.get_by_text("Speed “fast” in the address is not one of the choices")
    expect(stage).to_be_visible()
    expect(speed).to_be_visible()
    page.get_by_label("Speed").select_option("4")
    expect(speed).to_have_count(0)
    expect(stage).to_be_visible()
    page.get_by_role("button", name="Next").click()
    expect(stage).to_have_count(0)
    expect(page).to_have_url(re.compile("stage=1"))
