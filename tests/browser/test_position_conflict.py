"""The linked maps and the questions in a real browser, by mouse and by keyboard only."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenTab, Tab
from xlexplain.maths import position_conflict
from xlexplain.maths.questions import questions

PATH = "/position-conflict"
TOLD, TRUE = re.compile("^What the model is told"), re.compile("^What is true")
LIT = """table => Object.fromEntries([...table.querySelectorAll("td[data-lit]")]
    .map(cell => [cell.dataset.key, cell.dataset.lit]))"""


def grid(page: Page, name: re.Pattern[str]) -> Locator:
    return page.get_by_role("grid", name=name)


def cell(page: Page, name: re.Pattern[str], key: int) -> Locator:
    return grid(page, name).locator(f"[data-key='{key}']")


def lit(page: Page, name: re.Pattern[str]) -> dict[int, str]:
    found: dict[str, str] = grid(page, name).evaluate(LIT)
    return {int(key): what for key, what in found.items()}


def expected_lit(key: int, L: int, D: int) -> dict[int, str]:
    """The key itself and its twins, from positions in the text alone."""
    column = [segment * L + key % L for segment in range(D + 1)]
    return {one: "self" if one == key else "twin" for one in column}


def says(page: Page) -> Locator:
    return page.locator(".xlm-say").first


def count_messages(page: Page) -> None:
    """Count what the page sends to the server from now on, in `window.sent`."""
    page.evaluate(
        """() => { window.sent = 0; const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (message) {
            window.sent += 1; return send.call(this, message); }; }"""
    )


@pytest.mark.parametrize(("L", "D"), [(8, 1), (5, 0), (32, 4)])
def test_pointing_lights_twins_in_both_maps_without_the_server(tab: Tab, L: int, D: int) -> None:
    page = tab.open(f"{PATH}?seg={L}&mem={D}")
    expect(cell(page, TRUE, 0)).to_be_visible()
    page.wait_for_timeout(1500)  # what the page itself has to say has been said
    count_messages(page)
    conflict = position_conflict(segment_length=L, memory_depth=D)
    for key in {0, L - 1, conflict.key_count - 1}:
        cell(page, TOLD, key).hover()
        assert lit(page, TOLD) == lit(page, TRUE) == expected_lit(key, L, D)
        expect(says(page)).to_contain_text(f"position {key % L}.")
        twins = conflict.twins(key).tolist()
        assert sorted(lit(page, TRUE)) == sorted([key, *twins])
    page.mouse.move(2, 2)
    expect(says(page)).to_contain_text(f"position {min(5, conflict.key_count - 1) % L}.")
    assert page.evaluate("window.sent") == 0


def test_a_click_chooses_everywhere(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=8&mem=2")
    cell(page, TRUE, 10).click()
    expect(page.locator("h1")).to_have_text("Which “2” do you mean?")
    expect(page.get_by_role("combobox", name="Key")).to_have_value("10")
    expect(page.locator("option:checked")).to_have_text("10: ␣ in τ−1, position 2")
    expect(page).to_have_url(re.compile("key=10"))
    page.mouse.move(2, 2)
    assert lit(page, TOLD) == lit(page, TRUE) == expected_lit(10, 8, 2)
    expect(cell(page, TOLD, 10)).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text("page 3: 11 pages before yours")).to_be_visible()
    page.reload()
    expect(page.locator("h1")).to_have_text("Which “2” do you mean?")


def test_the_select_box_chooses_too(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=8&mem=1")
    page.get_by_role("combobox", name="Key").select_option("12")
    expect(cell(page, TRUE, 12)).to_have_attribute("data-lit", "self")
    expect(cell(page, TRUE, 4)).to_have_attribute("data-lit", "twin")
    expect(page.locator("h1")).to_have_text("Which “4” do you mean?")
    tab.settle()
    expect(page).to_have_url(re.compile("key=12"))


def test_a_key_chosen_here_is_kept_on_a_walk(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=8&mem=1")
    cell(page, TOLD, 12).click()
    page.wait_for_url("**key=12**")
    page.get_by_test_id("stTopNavLink").filter(has_text="Relative attention").first.click()
    page.wait_for_url("**/relative-attention?**")
    tab.settle()
    page.get_by_test_id("stTopNavLink").filter(has_text="The position conflict").first.click()
    page.wait_for_url("**/position-conflict?**")
    tab.settle()
    expect(page.locator("h1")).to_have_text(re.compile("Which “[45]” do you mean"))
    cell(page, TOLD, 3).click()
    expect(page.locator("h1")).to_have_text("Which “3” do you mean?")


def test_keyboard_alone_moves_lights_and_chooses(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=8&mem=1")
    expect(cell(page, TOLD, 5)).to_have_attribute("tabindex", "0")
    page.get_by_role("radio", name="offset").focus()
    page.keyboard.press("Tab")
    expect(cell(page, TOLD, 5)).to_be_focused()
    for pressed, key in (
        ("ArrowRight", 6),
        ("ArrowDown", 14),
        ("ArrowDown", 14),
        ("Home", 8),
        ("ArrowLeft", 7),
        ("Control+End", 15),
        ("ArrowUp", 7),
        ("Control+Home", 0),
        ("ArrowLeft", 0),
    ):
        page.keyboard.press(pressed)
        expect(cell(page, TOLD, key)).to_be_focused()
        assert lit(page, TOLD) == lit(page, TRUE) == expected_lit(key, 8, 1)
    page.keyboard.press("Tab")
    expect(cell(page, TRUE, 0)).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Which “1” do you mean?")
    expect(cell(page, TRUE, 1)).to_be_focused()
    outline = cell(page, TRUE, 1).evaluate("cell => getComputedStyle(cell).outlineStyle")
    assert outline == "solid"


def test_a_slider_changes_the_maps_and_the_focus_stays_on_it(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=8&mem=1")
    tab.press("Segment length", "ArrowRight")
    expect(grid(page, TOLD).locator("thead th")).to_have_count(9)
    tab.press("Memory depth", "ArrowRight", times=2)
    expect(grid(page, TRUE).locator("tbody tr")).to_have_count(4)
    expect(cell(page, TRUE, 0)).to_have_text(re.compile("32$"))
    expect(tab.slider("Memory depth")).to_be_focused()


def test_sections_come_by_themselves_after_a_change(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=8&mem=1")
    expect(page.get_by_text("8 positions for 16 keys")).to_have_count(1)
    page.wait_for_timeout(500)
    tab.press("Segment length", "ArrowLeft")
    expect(page.get_by_text("7 positions for 14 keys")).to_have_count(1)
    expect(page.get_by_role("button", name="Download the table (CSV)")).to_have_count(1)


def test_the_switch_shows_the_sources_row(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=8&mem=1")
    page.get_by_role("radio", name="offset").click()
    expect(cell(page, TRUE, 0)).to_have_text(re.compile("−8$"))
    shown = grid(page, TRUE).locator("td[data-key] > span").all_inner_texts()
    assert shown == [str(offset).replace("-", "−") for offset in range(-8, 8)]
    expect(page).to_have_url(re.compile("true=offset"))


def answer_by_mouse(page: Page, quiz: Locator, key: int) -> None:
    quiz.locator(f"[data-key='{key}']").click()


def answer_by_keyboard(page: Page, quiz: Locator, key: int) -> None:
    """From the map's one tab stop to a cell, with arrow keys alone."""
    quiz.locator("[tabindex='0']").focus()
    page.keyboard.press("Control+Home")
    for _ in range(key // 8):
        page.keyboard.press("ArrowDown")
    for _ in range(key % 8):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")


@pytest.mark.parametrize("answer", [answer_by_mouse, answer_by_keyboard])
def test_questions_are_marked_at_once_with_the_reason(tab: Tab, answer: Any) -> None:
    page = tab.open(f"{PATH}?seg=8&mem=2&query=2")
    conflict = position_conflict(segment_length=8, memory_depth=2)
    _, distance, truth = questions(conflict, query=2)
    quiz = page.get_by_role("grid").nth(2)
    expect(page.get_by_text("From query 2, which two keys look alike by position?")).to_be_visible()
    answer(page, quiz, 3)
    expect(quiz.locator("[data-picked]")).to_have_count(1)
    answer(page, quiz, 11)
    expect(page.get_by_text("Both are told position 3")).to_be_visible()
    expect(page.get_by_text("they lie 15 and 7 back")).to_be_visible()
    expect(quiz.locator("[data-mark=right]")).to_have_count(2)

    page.get_by_role("radio", name="2", exact=True).click()
    expect(page.get_by_text(f"Which key lies {distance.distance} tokens back")).to_be_visible()
    right = distance.answer()[0]
    wrong = right - 1 if right else 1
    answer(page, quiz, wrong)
    expect(page.get_by_text("Not quite.")).to_be_visible()
    expect(page.get_by_text(f"= {right}, the ✓ cell")).to_be_visible()
    expect(quiz.locator("[data-mark=wrong]")).to_have_attribute("data-key", str(wrong))
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("Not quite.")).to_have_count(0)
    answer(page, quiz, right)
    expect(page.get_by_text(f"= {distance.distance}.")).to_be_visible()

    page.get_by_role("radio", name="3", exact=True).click()
    expect(page.get_by_text(f"the true distance from query {truth.query}.")).to_be_visible()
    answer(page, quiz, 0)
    expect(page.get_by_text("Only keys of τ are told the truth")).to_be_visible()
    expect(page.get_by_role("radio", name="1 ✓")).to_be_visible()
    expect(page.get_by_role("radio", name="3 ✗")).to_be_visible()


@pytest.mark.parametrize(
    ("look", "query"),
    [
        ({}, "seg=32&mem=4"),
        ({"dark": True}, "seg=16&mem=2&true=offset"),
        ({"width": 375, "height": 812}, "seg=32&mem=4"),
    ],
)
def test_nothing_overflows_and_every_cell_is_legible(
    open_tab: OpenTab, look: dict[str, Any], query: str
) -> None:
    tab = open_tab(**look)
    page = tab.open(f"{PATH}?{query}")
    expect(cell(page, TRUE, 0)).to_be_visible()
    assert tab.overflow() == 0
    smallest = grid(page, TRUE).evaluate(
        """table => { const cells = [...table.querySelectorAll("td[data-key]")];
        const sizes = cells.flatMap(cell => [...cell.children].map(
            child => parseFloat(getComputedStyle(child).fontSize)));
        const range = document.createRange();
        const cut = cells.filter(cell => {
            range.selectNodeContents(cell.lastElementChild);
            return range.getBoundingClientRect().width > cell.clientWidth; }).length;
        return [Math.min(...sizes), cut]; }"""
    )
    assert smallest[0] >= 12
    assert smallest[1] == 0


def test_on_a_phone_both_maps_scroll_together_and_headers_stay(open_tab: OpenTab) -> None:
    tab = open_tab(width=375, height=812)
    page = tab.open(f"{PATH}?seg=32&mem=4")
    header = grid(page, TRUE).locator("tbody th").first
    expect(header).to_be_visible()
    before = header.bounding_box()
    page.locator(".xlm-scroll").first.evaluate("box => box.scrollLeft = 400")
    page.wait_for_timeout(200)
    boxes = page.locator(".xlm-scroll").evaluate_all("all => all.map(box => box.scrollLeft)")
    assert boxes[:2] == [400, 400]
    after = header.bounding_box()
    assert before is not None
    assert after is not None
    assert after["x"] == before["x"]


def test_the_first_screen_holds_question_controls_maps_and_sentence(tab: Tab) -> None:
    for query in ("seg=8&mem=1", "seg=8&mem=2", "seg=16&mem=4"):
        page = tab.open(f"{PATH}?{query}")
        expect(says(page)).to_contain_text("position")
        box = says(page).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 720, query


def test_markup_in_the_text_is_shown_as_text(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=4&mem=1&sample=My+own+text")
    page.get_by_role("textbox", name="Your text").fill("<b>$&*`")
    page.keyboard.press("Control+Enter")
    expect(cell(page, TOLD, 0).locator("small")).to_have_text("<")
    shown = grid(page, TOLD).locator("td[data-key] > small").all_inner_texts()
    assert shown == ["<", "b", ">", "$", "&", "*", "`", ""]
    cell(page, TOLD, 5).hover()
    expect(says(page)).to_contain_text("‘\u2068b\u2069’ in τ−1 and key ‘\u2068*\u2069’ in τ")


def test_a_map_is_copied_as_rows_of_numbers(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=4&mem=1")
    expect(cell(page, TRUE, 0)).to_be_visible()
    copied = grid(page, TRUE).evaluate(
        """table => { const range = document.createRange(); range.selectNode(table);
        const selection = getSelection(); selection.removeAllRanges(); selection.addRange(range);
        return selection.toString(); }"""
    )
    rows = [line.split("\t") for line in copied.strip().splitlines()]
    assert rows[1:] == [["τ−1", "7", "6", "5", "4"], ["τ", "3", "2", "1", "0"]]


def test_attention_tab_runs_the_models(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=8&mem=1")
    page.get_by_role("tab", name="Attention").click()
    expect(page.get_by_text("exactly 0").first).to_be_visible(timeout=30_000)
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    expect(page).to_have_url(re.compile("closer=Attention"))


def test_the_open_tab_and_the_download_follow_a_change(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=4&mem=1&query=2")
    page.get_by_role("tab", name="Distances").click()
    expect(page.locator(".js-plotly-plot")).to_have_count(3)
    tab.press("Segment length", "ArrowRight")
    expect(grid(page, TOLD).locator("thead th")).to_have_count(5)
    expect(page.get_by_role("tab", name="Distances")).to_have_attribute("aria-selected", "true")
    button = page.get_by_role("button", name="Download the table (CSV)")
    expect(page.get_by_text("5 positions for 10 keys")).to_have_count(1)
    with page.expect_download() as started:
        button.click()
    assert started.value.suggested_filename == "positions-L5-D1-query2.csv"
    text = started.value.path().read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["encoded"] for row in rows] == [*"01234", *"01234"]
    assert [row["offset"] for row in rows] == [str(offset) for offset in range(-5, 5)]
