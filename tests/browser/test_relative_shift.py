"""The moving cells in a real browser."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import OpenTab, Tab
from tests.serving import ROOT
from xlexplain.figures.theme import LIGHT
from xlexplain.maths import rel_shift_steps
from xlexplain.ui import component, models
from xlexplain.ui.shift.payload import moving_cells_data
from xlexplain.ui.shift.scores import live_scores

READ_CELLS = """nodes => nodes.map(node => ({
    cell: node.dataset.cell, row: node.dataset.row, column: node.dataset.column,
    text: node.textContent, shown: getComputedStyle(node).visibility === "visible",
    x: node.getBoundingClientRect().x, y: node.getBoundingClientRect().y}))"""
OVERTAKEN = """async ({ source, data }) => {
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const show = (await import(url)).default;
    const update = () => show({ parentElement: document.body, data, setTriggerValue: () => {} });
    const overtaken = update(), last = update();
    const root = document.querySelector(".shift"), board = root.querySelector(".board");
    const rest = () => new Promise((done) => setTimeout(done, 200));
    root.querySelector(".play").click();
    overtaken();
    await rest();
    const states = [root.dataset.state], width = board.style.width;
    root.querySelector(".box").style.width = "300px";
    await rest();
    states.push(board.style.width !== width);
    root.remove();
    last();
    return [...states, root.dataset.state];
}"""
PLAYER = ".shift[data-state=still]"


def cells_of(page: Page) -> dict[str, dict[str, Any]]:
    """Every drawn cell by its name."""
    page.wait_for_selector(PLAYER)
    return {one["cell"]: one for one in page.locator(".shift .cell").evaluate_all(READ_CELLS)}


def go(page: Page, stage: int) -> None:
    """Jump to a stage by its line of code."""
    page.locator(".shift .lines button").nth(stage).click()
    page.wait_for_selector(f"{PLAYER}[data-stage='{stage}']")


def expected_cells(L: int, S: int, stage: int) -> dict[str, tuple[int, int]]:
    """Name → row and column, from the definition."""
    source = rel_shift_steps(np.zeros((L, S)))[stage].source
    return {
        f"{one // S},{one % S}" if one >= 0 else f"{-1 - one},pad": (int(row), int(column))
        for (row, column), one in np.ndenumerate(source)
    }


def assert_in_place(page: Page, *, L: int, S: int, stage: int) -> None:
    """Cells are where the steps say, show their distance, and lie in that order on the screen."""
    expected = expected_cells(L, S, stage)
    cells = cells_of(page)
    shown = {name: cell for name, cell in cells.items() if cell["shown"]}
    if L * S <= 500:
        assert set(shown) == set(expected)
    assert shown
    for name, cell in shown.items():
        assert (int(cell["row"]), int(cell["column"])) == expected[name]
        column = name.partition(",")[2]
        assert cell["text"] == ("pad" if column == "pad" else str(S - 1 - int(column)))
    left = {cell["column"]: cell["x"] for cell in shown.values()}
    top = {cell["row"]: cell["y"] for cell in shown.values()}
    for cell in shown.values():
        assert cell["x"] == pytest.approx(left[cell["column"]], abs=0.6)
        assert cell["y"] == pytest.approx(top[cell["row"]], abs=0.6)
    for places in (left, top):
        in_order = [places[name] for name in sorted(places, key=int)]
        assert in_order == sorted(in_order)
        assert len({round(place) for place in in_order}) == len(in_order)


def test_cells_move_to_where_the_steps_say(tab: Tab) -> None:
    for L, D in ((8, 1), (2, 0), (5, 3), (10, 4), (32, 4)):
        page = tab.open(f"/relative-shift?seg={L}&mem={D}")
        S = L * (D + 1)
        page.get_by_label("Speed").select_option("4")
        assert_in_place(page, L=L, S=S, stage=0)
        for stage in range(1, 6):
            page.get_by_role("button", name="Step forward").click()
            page.wait_for_selector(f"{PLAYER}[data-stage='{stage}']")
            assert_in_place(page, L=L, S=S, stage=stage)


def test_stepping_and_scrubbing_back_show_the_numbers_again(tab: Tab) -> None:
    page = tab.open("/relative-shift?seg=4&mem=2")
    page.get_by_label("Speed").select_option("4")
    go(page, 5)
    page.get_by_role("button", name="Step back").click()
    page.wait_for_selector(f"{PLAYER}[data-stage='4']")
    assert_in_place(page, L=4, S=12, stage=4)
    scrub = page.get_by_role("slider", name="Stage")
    for value in ("3.4", "2.6", "1.4"):
        scrub.evaluate("(node, value) => { node.value = value; node.oninput(); }", value)
        assert float(scrub.input_value()) == pytest.approx(float(value))
    between = cells_of(page)["0,11"]["x"]
    scrub.evaluate("node => node.onchange()")
    page.wait_for_selector(f"{PLAYER}[data-stage='1']")
    assert_in_place(page, L=4, S=12, stage=1)
    assert cells_of(page)["0,11"]["x"] != between
    scrub.focus()
    page.keyboard.press("Home")
    page.wait_for_selector(f"{PLAYER}[data-stage='0']")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f"{PLAYER}[data-stage='1']")
    page.keyboard.press("End")
    page.wait_for_selector(f"{PLAYER}[data-stage='5']")
    assert "Mask" in (scrub.get_attribute("aria-valuetext") or "")
    assert_in_place(page, L=4, S=12, stage=5)


def test_play_moves_and_pause_holds(tab: Tab) -> None:
    page = tab.open("/relative-shift?seg=3&mem=1")
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    page.wait_for_selector(".shift[data-state=moving]:not([data-stage='0'])")
    page.get_by_role("button", name="Pause").click()
    page.wait_for_selector(PLAYER)
    held = cells_of(page)
    page.wait_for_timeout(400)
    assert cells_of(page) == held
    page.get_by_role("button", name="Play").click()
    page.wait_for_selector(f"{PLAYER}[data-stage='5']")
    assert_in_place(page, L=3, S=6, stage=5)
    assert page.locator(".lines [aria-current=step]").inner_text().startswith("x = x * np.tri")


def test_rows_that_slide_end_in_the_same_matrix(tab: Tab) -> None:
    page = tab.open("/relative-shift?seg=5&mem=1")
    page.get_by_label("Speed").select_option("4")
    page.get_by_text("Sliding rows").click()
    before = cells_of(page)
    go(page, 1)
    slid = cells_of(page)
    width = before["0,1"]["x"] - before["0,0"]["x"]
    for name, cell in slid.items():
        if not name.endswith("pad"):
            row = int(name.partition(",")[0])
            assert (before[name]["x"] - cell["x"]) / width == pytest.approx(4 - row, abs=0.1)
    go(page, 3)
    assert_in_place(page, L=5, S=10, stage=5)


def test_reduced_motion_gets_steps_without_tweening(open_tab: OpenTab) -> None:
    page = open_tab(reduced_motion=True).open("/relative-shift?seg=4&mem=1")
    page.wait_for_selector(".shift .cell.picked")
    step = page.get_by_role("button", name="Step forward")
    stages = step.evaluate(
        """node => [1, 2, 3, 4, 5].map(() => {
            node.click();
            const { state, stage } = node.closest(".shift").dataset;
            return state + stage;
        })"""
    )
    assert stages == [f"still{n}" for n in range(1, 6)]
    assert_in_place(page, L=4, S=8, stage=5)


def test_a_chosen_cell_is_followed_by_the_arithmetic_and_the_address(tab: Tab) -> None:
    page = tab.open("/relative-shift?seg=8&mem=1")
    cell = page.locator(".cell[data-cell='5,12']")
    cell.hover()
    tip = page.locator(".tip")
    assert re.match(r"Query 5 “.”, 3 back\nb \+ d = −?\d", tip.inner_text())
    cell.click()
    tab.settle()
    expect(page).to_have_url(re.compile("query=5"))
    expect(page).to_have_url(re.compile("key=10"))
    page.get_by_text("7 + 5·15 + 10 = 92").wait_for()
    assert "key 10" in page.locator(".where").inner_text()
    cell.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_text("7 + 6·15 + 11 = 108").wait_for()
    assert page.locator(".cell.picked").get_attribute("data-cell") == "6,12"


def test_a_changed_value_shows_where_it_lands(tab: Tab) -> None:
    page = tab.open("/relative-shift?seg=4&mem=1&query=2&key=3")
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Change this value").click()
    page.get_by_text("row 2, column 3 of the result changed and nothing else").wait_for()
    page.wait_for_selector(f"{PLAYER}[data-stage='5']")
    changed = [one for one in cells_of(page).values() if one["cell"] == "2,4"]
    assert (changed[0]["row"], changed[0]["column"]) == ("2", "3")
    assert page.locator(".cell.changed").get_attribute("data-cell") == "2,4"
    page.locator(".cell[data-cell='1,0']").click()
    tab.settle()
    page.get_by_role("button", name="Change this value").click()
    page.get_by_text("nothing in the result changed").wait_for()


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_scrolls_only_the_matrix(open_tab: OpenTab, dark: bool) -> None:
    tab = open_tab(width=375, height=812, dark=dark)
    page = tab.open("/relative-shift?seg=16&mem=1&sample=My+own+text")
    page.wait_for_selector(".shift .cell.picked")
    assert tab.overflow() == 0
    box = page.locator(".shift .box")
    assert box.evaluate("node => node.scrollWidth > node.clientWidth")
    axis, seen = page.locator(".head.axis").first.bounding_box(), box.bounding_box()
    assert axis is not None
    assert seen is not None
    assert seen["x"] <= axis["x"]
    assert axis["x"] + axis["width"] <= seen["x"] + seen["width"]


def test_first_screen_holds_the_animation_and_its_code(tab: Tab) -> None:
    page = tab.open("/relative-shift")
    page.wait_for_selector(".shift .cell.picked")
    for part in ("h1", ".finding", ".play", ".scrub", ".board", ".lines", ".checked", ".legend"):
        box = page.locator(part).first.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 720


def test_nothing_but_the_cells_moves(tab: Tab) -> None:
    page = tab.open("/relative-shift?seg=4&mem=2")
    page.get_by_label("Speed").select_option("4")
    legend, text = page.locator(".shift .legend"), page.get_by_label("Text", exact=True).first
    before = legend.bounding_box(), text.bounding_box()
    for stage in (2, 4, 5):
        go(page, stage)
        assert (legend.bounding_box(), text.bounding_box()) == before
    for word in ("left over", "masked", "memory", "segment"):
        expect(legend.get_by_text(word, exact=True)).to_be_visible()


def test_low_cells_are_marked_beside_their_number(tab: Tab) -> None:
    page = tab.open("/relative-shift")
    page.get_by_label("Speed").select_option("4")
    cell = page.locator(".cell.kin:not(.picked)").first
    for stage, is_below in ((0, True), (2, False), (4, True)):
        go(page, stage)
        shadow = cell.evaluate("node => getComputedStyle(node).boxShadow")
        assert ("inset" in shadow) == is_below


def test_a_window_says_so_under_its_title(tab: Tab) -> None:
    page = tab.open("/relative-shift?seg=16&mem=1")
    expect(page.locator(".shift .finding + .part")).to_have_text("Shown: 128 of 512 cells.")
    expect(tab.open("/relative-shift").locator(".shift .part")).to_be_hidden()


def test_html_of_the_reader_is_text(tab: Tab) -> None:
    page = tab.open("/relative-shift?seg=4&mem=1&sample=My+own+text")
    page.get_by_label("Your text").fill("<img src=x onerror=boom>" * 2)
    page.keyboard.press("Control+Enter")
    tab.settle()
    page.locator(".head.token", has_text=">").first.wait_for()
    assert page.locator(".shift img").count() == 0


def test_an_update_that_another_overtook_stops_nothing(browser: Browser) -> None:
    text = "abcdefgh"
    trace = models.trace("relative", text, segment_length=4, memory_depth=1)
    live = live_scores(trace, text, segment=1, layer=0, head=0)
    folder = ROOT / "xlexplain" / "ui" / "shift"
    start = {"picture": 1, "stage": 0, "speed": 1, "shown": "code", "bad": []}
    data = moving_cells_data(live, live.by_distance, LIGHT, query=1, key=1)
    files = (component.LEAVING, folder / "moving_cells.js")
    page = browser.new_page()
    page.route("**/*", lambda route: route.fulfill(body="", content_type="text/html"))
    page.goto("http://localhost/")  # an address, for what the browser keeps in it
    page.set_content((folder / "moving_cells.html").read_text(encoding="utf-8"))
    page.add_style_tag(path=folder / "moving_cells.css")
    states = page.evaluate(
        OVERTAKEN,
        {
            "source": "".join(path.read_text(encoding="utf-8") for path in files),
            "data": data | {"checked": "", "changed": None, "start": start},
        },
    )
    page.close()
    assert states == ["moving", True, "still"]


def test_a_notice_of_what_could_not_be_opened_goes_with_a_change(tab: Tab) -> None:
    page = tab.open("/relative-shift?seg=4&mem=1&stage=9&speed=fast")
    stage = page.get_by_text("Stage “9” in the address is not a whole number from 0 to 5")
    speed = page.get_by_text("Speed “fast” in the address is not one of the choices")
    expect(stage).to_be_visible()
    expect(speed).to_be_visible()
    page.get_by_label("Speed").select_option("4")
    expect(speed).to_have_count(0)
    expect(stage).to_be_visible()
    go(page, 2)
    expect(stage).to_have_count(0)
    page.wait_for_url(re.compile("stage=2"))
    assert page.locator(".shift").get_attribute("data-stage") == "2"
