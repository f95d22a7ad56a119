"""The proof in a real browser, with the real queue and real worker processes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import psutil
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenTab, Tab
from tests.serving import Server
from xlexplain.experiments.guess import GuessSettings

LONG = "&steps=5000"  # far longer than a test waits
SLOW = 180_000  # a worker gives way to everything else on a busy machine


def workers(server: Server) -> list[psutil.Process]:
    """The worker processes that the server has running."""
    return [
        child
        for child in psutil.Process(server.pid).children()
        if child.is_running()
        and child.status() != psutil.STATUS_ZOMBIE
        and "xlexplain.experiments.work" in child.cmdline()
    ]


def wait_until(is_so: Callable[[], bool], *, seconds: float = 180) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, f"not within {seconds} s"
        time.sleep(0.2)


def run(page: Page, name: str = "guess") -> None:
    page.locator(f".st-key-run_{name} button").click()


def stop(page: Page, name: str = "guess") -> None:
    page.locator(f".st-key-stop_{name} button").click()


def expect_words(page: Page, words: str, name: str = "guess") -> None:
    bench = page.locator(f".st-key-bench_{name}")
    expect(bench).to_contain_text(re.compile(words), timeout=SLOW)


@pytest.mark.parametrize("dark", [False, True])
def test_claims_predictions_and_results_are_in_the_first_screen(
    open_tab: OpenTab, dark: bool
) -> None:
    tab = open_tab(dark=dark)
    page = tab.open("/proof")
    cards = page.locator(".xl-proof [role=listitem]")
    expect(cards).to_have_count(4)
    for number in range(4):
        box = cards.nth(number).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 720
        expect(cards.nth(number)).to_contain_text("measured")
        loaded = cards.nth(number).locator("img").evaluate("image => image.naturalWidth")
        assert loaded > 0


def test_phone_scrolls_down_only(open_tab: OpenTab) -> None:
    tab = open_tab(width=375, height=812)
    page = tab.open("/proof?seg=32&mem=4&back=3")
    page.get_by_text("Where the dashed steps come from").click()
    expect(page.get_by_text("How it is trained")).to_be_visible()
    expect(page.locator("[data-testid=stPlotlyChart] .main-svg").last).to_be_attached()
    wait_until(lambda: tab.overflow() == 0, seconds=10)


def test_embedded_page_is_question_controls_and_cards(tab: Tab) -> None:
    page = tab.open("/proof?embed=true")
    expect(page.locator(".xl-proof [role=listitem]")).to_have_count(4)
    assert page.locator("[data-testid=stPlotlyChart]").count() == 0
    assert page.locator(".xl-proof a").count() == 0


def test_link_of_a_card_goes_to_its_section(tab: Tab) -> None:
    page = tab.open("/proof")
    page.locator(".xl-proof a[href='#reuse']").click()
    expect(page.locator("#reuse")).to_be_in_viewport()


def test_sliders_move_the_prediction(tab: Tab) -> None:
    page = tab.open("/proof")
    card = page.locator(".xl-proof [role=listitem]").nth(1)
    expect(card).to_contain_text("0.53")
    tab.press("Memory depth", "ArrowRight")
    deeper = GuessSettings(memory_depth=2).law("absolute")
    least = min(float(step.accuracy) for step in deeper)
    expect(card).to_contain_text(f"{least:.2f}", timeout=SLOW)
    expect(page).to_have_url(re.compile("mem=2"))


def test_run_ends_with_a_result_made_here_that_a_second_reader_gets_at_once(
    open_tab: OpenTab,
) -> None:
    address = "/proof?sample=Two+equal+halves"
    first = open_tab().open(address)
    expect_words(first, "Not run yet", "chop")
    run(first, "chop")
    expect_words(first, "Run on this server on .* on .*, 1 thread", "chop")
    second = open_tab().open(address)
    expect_words(second, "Run on this server", "chop")


def test_three_readers_queue_share_stop_and_see_a_crash(open_tab: OpenTab, server: Server) -> None:
    """Ann and Cy want the same run, Bob another one."""
    ann, bob, cy = (open_tab().open(f"/proof?back={back}{LONG}") for back in (2, 4, 2))
    run(ann)
    expect_words(ann, "Running: ")
    run(bob)
    expect_words(bob, r"Your place in the queue: 1")
    run_or_join(cy)
    expect_words(cy, "1 other reader waits for the same run")
    assert len(workers(server)) == 1

    stop(ann)
    expect_words(ann, "Stopped before the end. This is what there was.")
    expect_words(cy, r"Running: \d+%")
    stop(cy)
    expect_words(bob, "Running: ")
    assert len(workers(server)) == 1

    workers(server)[0].kill()
    expect(bob.locator("[data-testid=stAlert]")).to_contain_text(
        "ended by the system", timeout=SLOW
    )
    expect_words(bob, "Run it here")


def run_or_join(page: Page) -> None:
    """The button, unless the page has seen by itself that the run is under way."""
    page.reload()
    page.wait_for_selector(".st-key-stop_guess, .st-key-run_guess")
    if page.locator(".st-key-run_guess").count():
        run(page)


def test_closed_page_ends_what_nobody_waits_for(open_tab: OpenTab, server: Server) -> None:
    page = open_tab().open(f"/proof?back=5{LONG}")
    run(page)
    wait_until(lambda: len(workers(server)) == 1)
    page.close()
    wait_until(lambda: not workers(server))


def test_other_pages_stay_quick_while_a_run_is_under_way(open_tab: OpenTab, server: Server) -> None:
    page = open_tab().open(f"/proof?back=6{LONG}")
    run(page)
    expect_words(page, "Running: ")
    other = open_tab()
    other.open("/position-conflict")
    began = time.monotonic()
    other.press("Segment length", "ArrowRight")
    assert time.monotonic() - began < 10
    assert len(workers(server)) == 1
    stop(page)
    wait_until(lambda: not workers(server))
