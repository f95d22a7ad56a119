"""The proof in a real browser, with the real queue and real worker processes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress

import psutil
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenTab, Tab
from tests.serving import Server
from xlexplain.experiments.guess import GuessSettings

CLAIMS = ("chop", "guess", "text", "reuse")
LONG = "&steps=5000"  # far longer than a test waits
SLOW = 180_000  # a worker gives way to everything else on a busy machine


def workers(server: Server) -> list[psutil.Process]:
    """The worker processes that the server has running."""
    found = []
    for child in psutil.Process(server.pid).children():
        with suppress(psutil.Error):  # it has ended meanwhile
            if "xlexplain.experiments.work" in child.cmdline():  # empty once it is a zombie
                found.append(child)
    return found


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
    controls = page.locator(f".st-key-run_of_{name}")
    expect(controls).to_contain_text(re.compile(words), timeout=SLOW)


def claims(page: Page) -> list[Locator]:
    """The four cards, once their figures are drawn."""
    cards = [page.locator(f".st-key-claim_{name}") for name in CLAIMS]
    for card in cards:
        expect(card.locator(".js-plotly-plot .main-svg").first).to_be_visible(timeout=SLOW)
    return cards


@pytest.mark.parametrize("dark", [False, True])
def test_claims_predictions_and_results_are_in_the_first_screen(
    open_tab: OpenTab, dark: bool
) -> None:
    page = open_tab(dark=dark).open("/proof")
    for card in claims(page):
        expect(card).to_contain_text("measured")
        box = card.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 720
        assert not card.evaluate("card => card.scrollWidth > card.clientWidth")


def test_phone_scrolls_down_only(open_tab: OpenTab) -> None:
    tab = open_tab(width=375, height=812)
    page = tab.open("/proof?seg=32&mem=4&back=3")
    tops = [box["y"] for card in claims(page) if (box := card.bounding_box())]
    assert len(set(tops)) == len(CLAIMS)
    page.get_by_text("Where the dashed steps come from").click()
    expect(page.get_by_text("How it is trained")).to_be_visible(timeout=SLOW)
    expect(page.locator(".st-key-reuse_times .main-svg").first).to_be_attached(timeout=SLOW)
    wait_until(lambda: tab.overflow() == 0)


def test_embedded_page_is_question_controls_and_claims(tab: Tab) -> None:
    page = tab.open("/proof?embed=true")
    claims(page)
    assert page.locator(".xl-figure").count() == len(CLAIMS)
    assert page.locator(".st-key-claims a").count() == 0


def test_link_of_a_claim_goes_to_its_section(tab: Tab) -> None:
    page = tab.open("/proof")
    claims(page)
    page.locator(".st-key-claims a[href='#reuse']").click()
    expect(page.locator("#reuse")).to_be_in_viewport()


def test_sliders_move_the_prediction(tab: Tab) -> None:
    page = tab.open("/proof")
    card = page.locator(".st-key-claim_guess")
    expect(card).to_contain_text("0.53")
    tab.press("Memory depth", "ArrowRight")
    deeper = GuessSettings(memory_depth=2).best_accuracies["absolute"]
    expect(card).to_contain_text(f"{min(deeper):.2f}", timeout=SLOW)
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
    wait_until(lambda: len(workers(server)) == 1)

    workers(server)[0].kill()
    expect(bob.get_by_text("ended by the system")).to_be_visible(timeout=SLOW)
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
    other.press("Segment length", "ArrowRight")
    expect(other.page).to_have_url(re.compile("seg=9"))
    assert len(workers(server)) == 1  # the run has not held it up
    stop(page)
    wait_until(lambda: not workers(server))
