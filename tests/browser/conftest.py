"""One server and one Chromium for all browser tests; a watched tab for each.

Tabs share what the browser keeps of the scripts, so that most need not compile them again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    expect,
    sync_playwright,
)

from tests.serving import Server, serve

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
expect.set_options(timeout=20_000)  # a busy machine is slow, not wrong
collect_ignore = ["empty.py", "zeros.py"]  # apps, not modules with tests
IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"
END = ".st-key-theme"  # what every page draws last, and nobody sees

# What a slider is called in the address, and what it shows.
SLIDER = """(input) => {
  const [name] = input.closest("[class*=st-key-]").className.match(/(?<=st-key-)\\S+/);
  const slider = input.closest("[data-testid=stSlider]");
  const value = slider.querySelector("[data-testid=stSliderThumbValue]").innerText;
  return [name, value, new URLSearchParams(location.search).has(name)];
}"""
# The server has answered: the address has the value, or has it no longer since it is the default.
ANSWERED = """([name, value, wasGiven]) => {
  const given = new URLSearchParams(location.search);
  return given.has(name) ? given.get(name) === value : wasGiven;
}"""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("server") / "log.txt") as running:
        yield running
    log = running.log.read_text()
    for word in ("Traceback", "Serialization"):
        assert word not in log, log[-3000:]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium if there is one, else the one that Playwright installed; never a skip."""
    with sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM") or shutil.which("chromium")
        launched = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()


@dataclass
class Tab:
    """A browser tab on the app that remembers what went wrong in it.

    Attributes:
        errors: what it logged or threw. elsewhere: addresses on other hosts that it asked for.
    """

    page: Page
    url: str
    errors: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    def open(self, address: str) -> Page:
        """Go to an address of the app, "/position-conflict?seg=4" say; wait until it is drawn."""
        self.page.goto(self.url + address)
        self.page.wait_for_selector(END, state="attached")
        return self.settle()

    def settle(self) -> Page:
        """Wait until no script runs."""
        self.page.wait_for_timeout(150)
        self.page.wait_for_selector(IDLE, state="attached")
        return self.page

    def slider(self, label: str) -> Locator:
        """The slider of that label; Streamlit names its group, and the input twice over."""
        return self.page.get_by_role("group", name=label, exact=True).get_by_role("slider")

    def press(self, label: str, key: str, *, times: int = 1) -> Page:
        """Focus the slider of that label, press a key, and wait for the server's answer."""
        slider = self.slider(label)
        slider.focus()
        name, before, was_given = slider.evaluate(SLIDER)
        for _ in range(times):
            self.page.keyboard.press(key)
        _, value, _ = slider.evaluate(SLIDER)
        if value != before:
            self.page.wait_for_function(ANSWERED, arg=[name, value, was_given])
        return self.settle()

    def overflow(self, *, seconds: float = 5) -> int:
        """By how many pixels the page is wider than the window, once figures have their size."""
        for _ in range(int(seconds * 4)):
            width: int = self.page.evaluate(
                "Math.max(document.documentElement.scrollWidth, "
                "document.querySelector('[data-testid=stMain]').scrollWidth) - window.innerWidth"
            )
            if width <= 0:
                return 0
            self.page.wait_for_timeout(250)
        return width


def is_base_path_probe(message: ConsoleMessage) -> bool:
    """Streamlit's own search for its base path, on every page but the first: two 404s."""
    address = message.location.get("url", "")
    return address.endswith(("/_stcore/health", "/_stcore/host-config"))


OpenTab = Callable[..., Tab]
NewPage = Callable[..., Page]


@pytest.fixture(scope="session")
def visitor(browser: Browser) -> BrowserContext:
    """Who opens all tabs but those on devices of another kind."""
    return browser.new_context()


@pytest.fixture(scope="session")
def new_page(visitor: BrowserContext) -> NewPage:
    """Make pages: `new_page(width=375, height=812, dark=True, reduced_motion=True)`."""

    def make(
        *,
        width: int = 1280,
        height: int = 720,
        dark: bool = False,
        reduced_motion: bool = False,
        forced_colors: bool = False,
    ) -> Page:
        page = visitor.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if reduced_motion else "no-preference",
            forced_colors="active" if forced_colors else "none",
        )
        return page

    return make


@pytest.fixture
def open_tab(browser: Browser, server: Server, new_page: NewPage) -> Iterator[OpenTab]:
    """Make tabs with what `new_page` takes, or on a device, described as Playwright takes it.

    When the test ends, none may have logged an error or an exception, or asked another host.
    """
    tabs: list[Tab] = []
    devices: list[BrowserContext] = []

    def make(*, device: dict[str, Any] | None = None, **look: Any) -> Tab:
        if device:
            devices.append(browser.new_context(**device))
        page = devices[-1].new_page() if device else new_page(**look)
        tab = Tab(page=page, url=server.url)
        tabs.append(tab)

        def note(message: ConsoleMessage) -> None:
            if message.type == "error" and not is_base_path_probe(message):
                tab.errors.append(message.text)

        def ask(request: Request) -> None:
            if not request.url.startswith((tab.url, "data:", "blob:")):
                tab.elsewhere.append(request.url)

        tab.page.on("request", ask)
        tab.page.on("console", note)
        tab.page.on("pageerror", lambda error: tab.errors.append(str(error)))
        return tab

    yield make
    for one in (*(tab.page for tab in tabs), *devices):
        one.close()
    for tab in tabs:
        assert (tab.errors, tab.elsewhere) == ([], [])


@pytest.fixture
def tab(open_tab: OpenTab) -> Tab:
    return open_tab()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
