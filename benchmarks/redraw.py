"""What a reader waits for, in a real Chromium: first load, and from a key press to the redraw."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from playwright.sync_api import Browser, Page

from tests.browser.conftest import IDLE

QUIET = 600  # ms without a change after which a page has settled
WARM_UP = 2  # changes
WATCH = """(selector) => {
  const watch = (window.watch = { figure: null, page: null, began: null });
  const observe = (node, name) => {
    const note = () => { if (watch.began !== null) watch[name] = watch.page = performance.now(); };
    new MutationObserver(note).observe(node, {
      subtree: true, childList: true, attributes: true, characterData: true,
    });
  };
  const open = (node) => [...node.querySelectorAll("*")].flatMap((one) => one.shadowRoot ?? []);
  const page = document.querySelector("[data-testid=stMain]");
  for (const one of [page, ...open(page)]) observe(one, "page");
  const figure = document.querySelector(selector);
  for (const one of [figure, ...open(figure)]) observe(one, "figure");
  const begin = () => (watch.began ??= performance.now());
  addEventListener("keydown", begin, { capture: true, once: true });
}"""
SETTLED = f"""() => watch.figure !== null && performance.now() - watch.page > {QUIET}
  && document.querySelector("{IDLE.replace('"', "'")}")"""


@dataclass
class Subject:
    """One page that is measured.

    Attributes:
        label: of the slider whose arrow keys are pressed.
        figure: the figure that answers, as a CSS selector.
        redrawn, settled: ms from the key press to the last change of the figure, and of the page.
        received: bytes from the server. One entry a change.
    """

    name: str
    address: str
    label: str
    figure: str
    redrawn: list[float] = field(default_factory=list)
    settled: list[float] = field(default_factory=list)
    received: list[int] = field(default_factory=list)


def open_page(browser: Browser, subject: Subject) -> tuple[Page, float]:
    """The page in a fresh browser profile, and the seconds until its figure was there."""
    page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    count_bytes(page, subject)
    began = time.perf_counter()
    page.goto(subject.address, wait_until="commit")
    page.wait_for_selector(subject.figure, state="attached", timeout=90_000)
    page.wait_for_selector(IDLE, state="attached", timeout=90_000)
    return page, time.perf_counter() - began


def measure_changes(browser: Browser, subjects: list[Subject], *, rounds: int) -> None:
    """Press arrow keys on all pages in turn; each subject keeps what it took."""
    pages = [open_page(browser, subject)[0] for subject in subjects]
    pages[-1].wait_for_timeout(2000)
    for number in range(rounds + WARM_UP):
        for subject, page in zip(subjects, pages, strict=True):
            page.bring_to_front()
            press(page, subject, key="ArrowLeft" if number % 2 else "ArrowRight")
    for subject, page in zip(subjects, pages, strict=True):
        for entries in (subject.redrawn, subject.settled, subject.received):
            del entries[:WARM_UP]
        page.context.close()


def press(page: Page, subject: Subject, *, key: str) -> None:
    """Press a key on the slider, and note how long figure and page change after it."""
    slider = page.get_by_role("slider", name=subject.label, exact=True)
    group = page.get_by_role("group", name=subject.label, exact=True).get_by_role("slider")
    (group if group.count() else slider).first.focus()
    page.evaluate(WATCH, subject.figure)
    subject.received.append(0)
    page.keyboard.press(key)
    page.wait_for_function(SETTLED, polling=50, timeout=60_000)
    redrawn, settled = page.evaluate("[watch.figure - watch.began, watch.page - watch.began]")
    subject.redrawn.append(redrawn)
    subject.settled.append(settled)


def count_bytes(page: Page, subject: Subject) -> None:
    """Add what the websocket receives to the subject's last entry."""

    def count(event: dict[str, dict[str, str]]) -> None:
        if subject.received:
            subject.received[-1] += len(event["response"]["payloadData"]) * 3 // 4

    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.webSocketFrameReceived", count)
