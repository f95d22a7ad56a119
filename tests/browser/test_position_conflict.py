"""The linked tables and the questions in a real browser, by mouse and by keyboard only."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenTab, Tab
from xlexplain.figures.theme import LIGHT
from xlexplain.maths import position_conflict
from xlexplain.maths.questions import questions

PATH = "/position-conflict"
TOLD, TRUE = re.compile("^What the model is told"), re.compile("^What is true")
LIT = """(table, twin) => [...table.querySelectorAll("td[data-key]")]
  .filter((cell) => getComputedStyle(cell).backgroundColor === twin)
  .map((cell) => Number(cell.dataset.key))"""
WAIT_FOR_LIT = f"""([name, keys, twin]) => {{
  const tables = [...document.querySelectorAll(".xlm table")];
  const table = tables.find((one) => one.getAttribute("aria-label").startsWith(name));
  return String(({LIT})(table, twin)) === String(keys);
}}"""


def twin_color() -> str:
    """The color of twins, as a browser writes it."""
    channels = [int(LIGHT.twin[n : n + 2], 16) for n in (1, 3, 5)]
    return f"rgb({', '.join(map(str, channels))})"


def table(page: Page, name: re.Pattern[str]) -> Locator:
    return page.get_by_role("table", name=name)


def cell(page: Page, name: re.Pattern[str], key: int) -> Locator:
    return table(page, name).locator(f"td[data-key='{key}']")


def expect_lit(page: Page, keys: list[int]) -> None:
    """Both tables light these cells; those after the query keep their hatching."""
    for name in ("What the model is told", "What is true"):
        page.wait_for_function(WAIT_FOR_LIT, arg=[name, keys, twin_color()])


def says(page: Page) -> Locator:
    return page.locator(".st-key-maps .xlm-say p:visible")


@pytest.mark.parametrize(("L", "D"), [(8, 1), (32, 4)])
def test_pointing_lights_twins_in_both_tables_without_the_server(
    open_tab: OpenTab, L: int, D: int
) -> None:
    tab = open_tab(reduced_motion=True)
    page = tab.open(f"{PATH}?seg={L}&mem={D}&query={L - 1}")
    expect(says(page)).to_contain_text("position 5.")
    page.evaluate(
        """() => {
          const send = WebSocket.prototype.send;
          window.sent = 0;
          WebSocket.prototype.send = function (one) { window.sent += 1; send.call(this, one); };
        }"""
    )
    conflict = position_conflict(segment_length=L, memory_depth=D)
    for key in (0, L - 1, conflict.key_count - 1):
        cell(page, TOLD, key).hover()
        expect_lit(page, sorted([key, *conflict.twins(key).tolist()]))
        expect(says(page)).to_contain_text(f"position {key % L}.")
    page.mouse.move(2, 2)
    expect(says(page)).to_contain_text("position 5.")
    assert page.evaluate("window.sent") == 0


def test_a_click_chooses_everywhere(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=8&mem=2&query=7")
    cell(page, TRUE, 10).click()
    expect(page.locator("h1")).to_have_text("Which “2” do you mean?")
    expect(page.get_by_role("combobox", name="Key", exact=True)).to_have_value(
        "10: ␣ in τ−1, position 2"
    )
    expect(page).to_have_url(re.compile("key=10"))
    page.mouse.move(2, 2)
    expect_lit(page, [2, 10, 18])
    expect(page.get_by_text("page 3: 13 pages before yours")).to_have_count(1)
    page.reload()
    expect(page.locator("h1")).to_have_text("Which “2” do you mean?")


def test_the_select_box_chooses_too(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=8&mem=1")
    box = page.get_by_role("combobox", name="Key", exact=True)
    box.focus()
    page.keyboard.type("12:")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Which “4” do you mean?")
    expect(cell(page, TRUE, 12)).to_have_class(re.compile("self"))
    expect(cell(page, TRUE, 4)).to_have_class(re.compile("lit"))
    expect(page).to_have_url(re.compile("key=12"))


def test_a_slider_changes_the_tables_and_the_focus_stays_on_it(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=8&mem=1")
    tab.press("Segment length", "ArrowRight")
    expect(table(page, TOLD).locator("thead th")).to_have_count(9)
    tab.press("Memory depth", "ArrowRight", times=2)
    expect(table(page, TRUE).locator("tbody tr")).to_have_count(4)
    expect(cell(page, TRUE, 0)).to_have_text(re.compile("32$"))
    expect(tab.slider("Memory depth")).to_be_focused()
    tab.press("Segment length", "ArrowRight", times=10)
    expect(table(page, TOLD).locator("thead th")).to_have_count(19)
    expect(page).to_have_url(re.compile("seg=19"))


def test_the_switch_shows_the_sources_row(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=8&mem=1")
    page.get_by_role("radio", name="offset").click()
    expect(cell(page, TRUE, 0)).to_have_text(re.compile("−8$"))
    expect(page).to_have_url(re.compile("true=offset"))


def test_questions_are_marked_at_once_with_the_reason(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=8&mem=2&query=2")
    conflict = position_conflict(segment_length=8, memory_depth=2)
    _, distance, _ = questions(conflict, query=2)
    quiz = page.locator(".st-key-quiz-map table")
    expect(page.get_by_text("From query 2, which two keys look alike by position?")).to_be_visible()
    quiz.locator("[data-key='3']").click()
    expect(quiz.locator(".picked")).to_have_count(1)
    quiz.locator("[data-key='11']").click()
    expect(page.get_by_text("Both are told position 3")).to_be_visible()
    expect(page.get_by_text("they lie 15 and 7 back")).to_be_visible()
    expect(quiz.locator(".right")).to_have_count(2)
    page.get_by_role("radio", name="2", exact=True).click()
    expect(page.get_by_text(f"Which key lies {distance.distance} tokens back")).to_be_visible()
    right = distance.answer()[0]
    wrong = right - 1 if right else 1
    quiz.locator(f"[data-key='{wrong}']").click()
    expect(page.get_by_text("Not quite.")).to_be_visible()
    expect(page.get_by_text(f"= {right}, the ✓ cell")).to_be_visible()
    expect(quiz.locator(".wrong")).to_have_attribute("data-key", str(wrong))
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("Not quite.")).to_have_count(0)


def test_a_question_is_answered_by_keyboard_alone(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=8&mem=2&query=2")
    box = page.get_by_role("combobox", name="Your answer: two keys")
    for key, marked in ((3, ".picked"), (11, ".right")):
        box.focus()
        page.keyboard.type(f"{key}:")
        expect(page.get_by_role("option").first).to_have_text(re.compile(f"^{key}:"))
        page.keyboard.press("Enter")
        expect(page.locator(f".st-key-quiz-map td[data-key='{key}']{marked}")).to_be_attached()
    expect(page.get_by_text("Both are told position 3")).to_be_visible()


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
    smallest, cut = table(page, TRUE).evaluate(
        """table => { const cells = [...table.querySelectorAll("td[data-key]")];
        const sizes = cells.flatMap((cell) => [cell, cell.firstChild].map(
            (one) => parseFloat(getComputedStyle(one).fontSize)));
        const range = document.createRange();
        const cut = cells.filter((cell) => {
            range.selectNodeContents(cell.lastChild);
            return range.getBoundingClientRect().width > cell.clientWidth; }).length;
        return [Math.min(...sizes), cut]; }"""
    )
    assert smallest >= 12
    assert cut == 0


def test_on_a_phone_both_tables_scroll_together_and_headers_stay(open_tab: OpenTab) -> None:
    page = open_tab(width=375, height=812).open(f"{PATH}?seg=32&mem=4")
    header = table(page, TRUE).locator("tbody th").first
    expect(header).to_be_visible()
    before = header.bounding_box()
    page.locator(".st-key-maps .xlm-scroll").first.evaluate("box => box.scrollLeft = 400")
    page.wait_for_function(
        "[...document.querySelectorAll('.st-key-maps .xlm-scroll')]"
        ".every((box) => box.scrollLeft === 400)"
    )
    after = header.bounding_box()
    assert before is not None
    assert after is not None
    assert after["x"] == before["x"]


def test_the_first_screen_holds_question_controls_tables_and_sentence(tab: Tab) -> None:
    for query in ("seg=8&mem=1", "seg=8&mem=2", "seg=16&mem=4"):
        page = tab.open(f"{PATH}?{query}")
        expect(says(page)).to_contain_text("position")
        box = says(page).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 720, query


def test_markup_in_the_text_is_shown_as_text(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=4&mem=1&sample=My+own+text&query=3&key=5")
    page.get_by_role("textbox", name="Your text").fill("<b>$&*`")
    page.keyboard.press("Control+Enter")
    expect(cell(page, TOLD, 0).locator("small")).to_have_text("<")
    shown = table(page, TOLD).locator("td[data-key] > small").all_inner_texts()
    assert shown == ["<", "b", ">", "$", "&", "*", "`", ""]
    expect(says(page)).to_contain_text("‘\u2068b\u2069’ in τ−1 and key ‘\u2068*\u2069’ in τ")


def test_a_table_is_copied_as_rows_of_numbers(tab: Tab) -> None:
    page = tab.open(f"{PATH}?seg=4&mem=1")
    expect(cell(page, TRUE, 0)).to_be_visible()
    copied = table(page, TRUE).evaluate(
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
    expect(page.get_by_role("tab", name="Distances")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text("5 positions for 10 keys")).to_have_count(1)
    with page.expect_download() as started:
        page.get_by_role("button", name="Download the table (CSV)").click()
    assert started.value.suggested_filename == "positions-L5-D1-query2.csv"
    text = started.value.path().read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["encoded"] for row in rows] == [*"01234", *"01234"]
    assert [row["offset"] for row in rows] == [str(offset) for offset in range(-5, 5)]
