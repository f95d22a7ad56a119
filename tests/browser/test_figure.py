"""The component that draws figures: plays, steps, scrubs, reports, and gives way where it must."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import OpenTab, Tab
from tests.serving import serve

SHIFT = "/relative-shift?seg=4&mem=1"
CHOSEN = 4  # of the drawn traces: the outline of the chosen cell
FIRST = 60_000  # ms that the first figure of a server may take on a busy machine
DRAWN = ".xl-figure[data-state=still]"
PHONE = {"viewport": {"width": 375, "height": 812}, "has_touch": True, "is_mobile": True}
# The nodes of the trace with the most points, which are the cells.
NODES = """(figure) => [...figure.querySelectorAll(".scatterlayer .trace")]
  .map((trace) => [...trace.querySelectorAll(".point")])
  .reduce((most, nodes) => (nodes.length > most.length ? nodes : most), [])"""
CELLS = f"(figure) => ({NODES})(figure).map((node) => node.getAttribute('transform'))"


def figure(page: Page, key: str = "moving-cells") -> Locator:
    return page.locator(f".st-key-{key} .xl-figure")


def at_frame(page: Page, number: int) -> Locator:
    """The figure once it rests on a frame."""
    found = figure(page)
    expect(found).to_have_attribute("data-frame", str(number))
    expect(found).to_have_attribute("data-state", "still")
    return found


def test_plays_by_keyboard_alone_and_tells_the_address_where_it_rests(tab: Tab) -> None:
    page = tab.open(f"{SHIFT}&speed=4")
    at_frame(page, 0)
    play = page.get_by_role("button", name=re.compile("Play"))
    play.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=re.compile("Pause"))).to_be_visible()
    at_frame(page, 3)
    expect(play).to_be_visible()
    expect(page).to_have_url(re.compile("stage=3"))
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Back")).to_be_focused()
    page.keyboard.press("Space")
    at_frame(page, 2)
    expect(page).to_have_url(re.compile("stage=2"))


def test_pause_holds_the_frame(tab: Tab) -> None:
    page = tab.open(f"{SHIFT}&speed=0.5&shown=code")
    at_frame(page, 0)
    page.get_by_role("button", name=re.compile("Play")).click()
    expect(figure(page)).to_have_attribute("data-state", "moving")
    page.get_by_role("button", name=re.compile("Pause")).click()
    held = at_frame(page, 1)
    expect(page).to_have_url(re.compile("stage=1"))
    before = held.evaluate(CELLS)
    page.wait_for_timeout(1500)  # longer than the rest on a frame
    assert at_frame(page, 1).evaluate(CELLS) == before


def test_scrubbing_back_shows_what_was_there(tab: Tab) -> None:
    page = tab.open(f"{SHIFT}&shown=code")
    first = at_frame(page, 0).evaluate(CELLS)
    scrub = page.get_by_role("slider", name="Frame")
    scrub.focus()
    page.keyboard.press("End")
    assert at_frame(page, 5).evaluate(CELLS) != first
    assert "-np.inf" in (scrub.get_attribute("aria-valuetext") or "")
    page.keyboard.press("Home")
    assert at_frame(page, 0).evaluate(CELLS) == first


def test_cells_glide_and_do_not_jump(tab: Tab) -> None:
    page = tab.open(f"{SHIFT}&speed=0.5")
    moving = at_frame(page, 0)
    first = moving.evaluate(CELLS)
    page.get_by_role("button", name="Next").click()
    expect(moving).to_have_attribute("data-state", "moving")
    seen = page.evaluate(
        f"""async () => {{
          const figure = document.querySelector(".st-key-moving-cells .xl-figure"), seen = [];
          while (figure.dataset.state === "moving") {{
            seen.push(({CELLS})(figure)[1]);
            await new Promise(requestAnimationFrame);
          }}
          return [...new Set(seen)];
        }}"""
    )
    last = at_frame(page, 1).evaluate(CELLS)
    assert first[1] != last[1]
    assert len(set(seen) - {first[1], last[1]}) >= 3


def test_reduced_motion_gets_steps(open_tab: OpenTab) -> None:
    page = open_tab(reduced_motion=True).open(SHIFT)
    at_frame(page, 0)
    states = page.evaluate(
        """async () => {
          const figure = document.querySelector(".st-key-moving-cells .xl-figure"), states = [];
          new MutationObserver(() => states.push(figure.dataset.state)).observe(figure, {
            attributeFilter: ["data-state"] });
          figure.querySelector(".xl-next").click();
          while (figure.dataset.frame !== "1") await new Promise(requestAnimationFrame);
          return states;
        }"""
    )
    at_frame(page, 1)
    assert "moving" not in states


def test_a_click_on_a_point_comes_back_to_python(tab: Tab) -> None:
    page = tab.open("/relative-shift?seg=8&mem=1&stage=3")
    cells = at_frame(page, 3)
    place = cells.evaluate(
        """(figure) => {
          const plot = figure.querySelector(".js-plotly-plot");
          const trace = plot.data.findIndex((one) => one.name === "cells");
          const ends = plot._fullData[trace].customdata;
          const n = [...ends].findIndex((end) => end[0] === 5 && end[1] === 10);
          const box = (NODES)(figure)[n].getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }""".replace("NODES", NODES)
    )
    page.mouse.click(*place)
    expect(page).to_have_url(re.compile("query=5"))
    expect(page).to_have_url(re.compile("key=10"))
    expect(page.get_by_text("7 + 5·15 + 10 = 92")).to_have_count(1)


def test_a_change_is_drawn_in_place(tab: Tab) -> None:
    page = tab.open("/relative-shift")
    at_frame(page, 0).locator(".js-plotly-plot").evaluate("plot => { plot.isTheSame = true; }")
    tab.press("Segment length", "ArrowRight")
    expect(figure(page).locator(".xl-title")).to_contain_text("17, …, 1, 0")
    assert figure(page).locator(".js-plotly-plot").evaluate("plot => plot.isTheSame") is True


def test_numbers_come_as_a_table_too(tab: Tab) -> None:
    page = tab.open("/position-conflict?closer=Distances&seg=4&mem=1")
    told = page.locator(".st-key-distances-told .xl-figure")
    expect(told.locator(".js-plotly-plot")).to_be_visible()
    summary = told.locator("summary")
    summary.focus()
    page.keyboard.press("Enter")
    rows = told.locator(".xl-table tr")
    expect(rows).to_have_count(5)
    assert rows.nth(1).inner_text().split("\t")[1:] == [
        "0",
        "-1",
        "-2",
        "-3",
        "0",
        "-1",
        "-2",
        "-3",
    ]


def test_without_plotly_js_streamlit_draws_and_plotly_s_own_controls_play(
    open_tab: OpenTab,
) -> None:
    tab = open_tab()
    tab.page.route("**/lib/plotly-*.min.js", lambda route: route.abort())
    page = tab.open(SHIFT)
    chart = page.get_by_test_id("stPlotlyChart")
    expect(chart.locator(".updatemenu-button").first).to_be_visible()
    expect(chart.locator(".slider-container")).to_be_visible()
    expect(chart.locator(".slider-label").first).to_contain_text("x = (q + v) @ r.T")
    tab.errors.clear()  # the browser's own line about the script that was taken away


def test_a_finger_that_starts_on_a_figure_scrolls_the_page(open_tab: OpenTab) -> None:
    tab = open_tab(device=PHONE)
    page = tab.open("/relative-shift")
    box = at_frame(page, 0).locator(".xl-scroll").bounding_box()
    assert box is not None
    session = page.context.new_cdp_session(page)
    x, y = box["x"] + 150, min(box["y"] + 100, 700)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": one[0], "y": one[1]} for one in points]},
        )

    touch("touchStart", (x, y))
    for step in range(1, 11):
        touch("touchMove", (x, y - 30 * step))
    touch("touchEnd")
    page.wait_for_function("document.querySelector('[data-testid=stMain]').scrollTop > 100")


def test_in_a_narrowed_window_the_chosen_cell_is_still_in_sight(tab: Tab) -> None:
    page = tab.open("/relative-shift?seg=8&mem=2&query=2")
    box = at_frame(page, 0).locator(".xl-scroll")
    expect(box).not_to_have_attribute("tabindex", "0")
    page.set_viewport_size({"width": 375, "height": 812})
    expect(box).to_have_attribute("tabindex", "0")
    chosen = box.locator(".scatterlayer .trace").nth(CHOSEN).locator("path").first
    expect(chosen).to_be_in_viewport(ratio=1)


def test_it_is_drawn_below_a_base_path_too(browser: Browser, tmp_path: Path) -> None:
    with serve(tmp_path / "log.txt", base_path="xl") as server:
        page = browser.new_page()
        answers: dict[str, str] = {}
        page.on(
            "response", lambda one: answers.update({one.url: one.headers.get("content-type", "")})
        )
        page.goto(f"{server.url}/Relative_Shift/x?seg=4&embed=true")
        expect(page).to_have_url(f"{server.url}/relative-shift?seg=4&embed=true")
        expect(figure(page)).to_have_attribute("data-frame", "0", timeout=FIRST)
        page.goto(f"{server.url}/relative-shift?seg=4")
        at_frame(page, 0)
        page.get_by_test_id("stTopNavLink").filter(has_text="The proof").click()
        expect(page).to_have_url(f"{server.url}/proof?seg=4")
        expect(page).to_have_title("The proof · xlexplain")
        scripts = {url: kind for url, kind in answers.items() if "/lib/" in url}
        page.close()
    assert len(scripts) == 2
    assert all(url.startswith(f"{server.url}/lib/") for url in scripts)
    assert all(kind.startswith("text/javascript") for kind in scripts.values())


@pytest.mark.parametrize("name", ["relative-shift", "relative-attention", "segment-recurrence"])
def test_forced_colors_keep_the_drawing_s_own(open_tab: OpenTab, name: str) -> None:
    page = open_tab(forced_colors=True).open(f"/{name}")
    plot = page.locator(".xl-plot").first
    expect(plot.locator(".main-svg").first).to_be_visible()
    assert plot.evaluate("node => getComputedStyle(node).forcedColorAdjust") == "none"
