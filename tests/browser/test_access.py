"""Every page for every reader: axe's rules, contrast as drawn, words for every figure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import END, IDLE, NewPage, OpenTab, Tab
from tests.browser.looking import (
    MOST_LOOKS,
    SCRIPT,
    TARGET_SIZE,
    Violation,
    pale_texts,
    unnamed_figures,
    violations,
)
from tests.serving import Server, serve
from xlexplain.ui.controls import SEGMENT_LENGTH
from xlexplain.ui.site import PAGES, PageEntry, entry

NAMES = [page.name for page in PAGES]
THEMES = ["light", "dark"]
TALL = 7000  # px: the whole page is in the window
PRESS = "(node) => node.click()"  # a pointer waits for frames, which take long in such a window


@dataclass(frozen=True)
class Seen:
    """What was measured on one page, all its tabs and folded parts opened in turn."""

    violations: dict[Violation, str]
    pale: list[str]
    unnamed: list[str]


def open_whole(new_page: NewPage, url: str, theme: str, *, end: str = END) -> Page:
    """A page at rest, from top to bottom in one window.

    Args: end: the selector of what it draws last; a page may pause long before that.
    """
    page = new_page(height=TALL, dark=theme == "dark", reduced_motion=True)
    page.add_init_script(SCRIPT)
    page.goto(url)
    page.wait_for_selector(end, state="attached")
    settle(page)
    return page


def settle(page: Page) -> None:
    """Wait until no script runs, none is going to, and nothing on the page changes any more."""
    page.wait_for_timeout(150)
    for _ in range(MOST_LOOKS):
        page.wait_for_selector(IDLE, state="attached")
        page.wait_for_function("looking.isFilled()")
        is_calm = page.evaluate("looking.rest()")
        if is_calm and page.locator(IDLE).count():
            return
    raise TimeoutError("the page does not come to rest")


def views(page: Page) -> Iterator[str | None]:
    """The page with all that can be unfolded; then each further tab, open: its selector."""
    rows = page.get_by_role("tablist")
    for row in range(max(1, rows.count())):
        tabs = rows.nth(row).get_by_role("tab")
        for place in range(max(1, tabs.count())):
            if place:
                tabs.nth(place).evaluate(PRESS)
                settle(page)
            while (folded := page.locator("details:not([open], .xl-numbers) > summary")).count():
                folded.first.evaluate(PRESS)
                settle(page)
            yield f"[id='{tabs.nth(place).get_attribute('aria-controls')}']" if place else None


@pytest.fixture(scope="module", params=NAMES)
def seen(request: pytest.FixtureRequest, new_page: NewPage, server: Server) -> Seen:
    """A page in the light theme, measured once for all tests."""
    page = open_whole(new_page, f"{server.url}/{entry(request.param).address}?mem=2", "light")
    found = Seen({}, [], [])
    for part in views(page):
        page.evaluate("(part) => looking.within(part)", part)
        found.violations.update(violations(page, part))
        found.pale.extend(pale_texts(page))
        found.unnamed.extend(unnamed_figures(page))
    page.close()
    return found


@pytest.fixture(scope="module")
def empty_app(new_page: NewPage, tmp_path_factory: pytest.TempPathFactory) -> set[Violation]:
    """What Streamlit breaks by itself, on an empty app of several pages."""
    log = tmp_path_factory.mktemp("empty") / "log.txt"
    with serve(log, script="empty.py", folder=Path(__file__).parent) as server:
        page = open_whole(new_page, server.url, "light", end="h1")
        found = set(violations(page))
        page.close()
    return found


@pytest.mark.parametrize("page_entry", PAGES, ids=NAMES)
def test_the_largest_setting_fits_a_phone_and_a_finger(
    open_tab: OpenTab, page_entry: PageEntry
) -> None:
    """Nothing lies beside the window, and what is clicked is large enough.

    The latter with few shapes where there may be hundreds: each more takes its time.
    """
    tab = open_tab(width=375, height=812)
    tab.page.add_init_script(SCRIPT)
    page = tab.open(f"/{page_entry.address}?seg=32&mem=4")
    settle(page)
    assert tab.overflow() == 0
    if page_entry.name == "segment_recurrence":
        page = tab.open(f"/{page_entry.address}?seg=4&mem=1&layers=1")
        settle(page)
    assert violations(page, rule=TARGET_SIZE) == {}


def test_no_rule_is_broken_beyond_what_streamlit_breaks_itself(
    seen: Seen, empty_app: set[Violation]
) -> None:
    ours = [
        f"{one.rule}: {one.kind}: {example}"
        for one, example in seen.violations.items()
        if one not in empty_app
    ]
    assert ours == []


def test_every_text_stands_out_from_what_is_behind_it(seen: Seen) -> None:
    assert seen.pale == []


@pytest.mark.parametrize("name", NAMES)
def test_every_text_stands_out_in_the_dark(new_page: NewPage, server: Server, name: str) -> None:
    page = open_whole(new_page, f"{server.url}/{entry(name).address}?mem=2", "dark")
    found = []
    for part in views(page):
        page.evaluate("(part) => looking.within(part)", part)
        found += pale_texts(page)
    page.close()
    assert found == []


@pytest.mark.parametrize("name", NAMES)
def test_in_an_iframe_no_rule_is_broken_and_the_controls_stay_without_navigation(
    new_page: NewPage, server: Server, empty_app: set[Violation], name: str
) -> None:
    address = entry(name).address
    page = open_whole(new_page, f"{server.url}/{address}?seg=5&mem=2&embed=true", "light")
    expect(page.get_by_test_id("stTopNavLink")).to_have_count(0)
    expect(page.get_by_test_id("stSidebar")).to_have_count(0)
    slider = Tab(page, server.url).slider(SEGMENT_LENGTH.label)
    assert slider.input_value() == "5"
    found = violations(page)
    assert [(one.rule, found[one]) for one in found if one not in empty_app] == []
    assert unnamed_figures(page) == []
    page.close()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    "address",
    [
        "position-conflict?seg=4&mem=0&query=0&closer=Distances",
        "relative-attention?seg=4&mem=0&query=0",
        "relative-shift?seg=2&mem=0",
    ],
)
def test_texts_stand_out_where_nearly_everything_is_masked(
    new_page: NewPage, server: Server, address: str, theme: str
) -> None:
    page = open_whole(new_page, f"{server.url}/{address}", theme)
    assert pale_texts(page) == []
    page.close()


def test_texts_stand_out_in_matrices_of_zeros_and_of_masked_cells(
    new_page: NewPage, tmp_path: Path
) -> None:
    with serve(tmp_path / "log.txt", script="tests/browser/zeros.py") as server:
        for theme in THEMES:
            page = open_whole(new_page, server.url, theme, end=".st-key-vectors")
            assert page.locator(".js-plotly-plot .heatmaplayer").count() >= 3
            assert page.locator(".js-plotly-plot .ytick").count() >= 3 * 4  # a label a query
            assert pale_texts(page) == []
            page.close()


def test_every_figure_says_in_words_what_it_shows(seen: Seen) -> None:
    assert seen.unnamed == []
