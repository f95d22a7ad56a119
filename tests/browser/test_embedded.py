"""A figure on somebody's course page: another origin, third-party cookies blocked."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Frame, Page, expect

from tests.browser.conftest import END, FLAGS, is_base_path_probe
from tests.serving import ROOT, Server
from xlexplain.ui.site import PAGES

ADDRESS = "position-conflict?embed=true&seg=8&mem=2&query=5"
STORES = """() => {
  document.cookie = "taste=1; SameSite=None; Secure";
  try {
    localStorage.setItem("taste", "1");
    return [document.cookie, "allowed"];
  } catch (error) {
    return [document.cookie, error.name];
  }
}"""
FITS = """(given) => {
  const page = document.querySelector("[data-testid=stMainBlockContainer]");
  const spare = given - page.getBoundingClientRect().height;
  return spare >= 0 && spare < 60;
}"""


def readme_iframe(url: str) -> str:
    """The line that README gives to teachers, with this server's address in it."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    start = readme.index("<iframe")
    line = readme[start : readme.index("</iframe>", start)] + "</iframe>"
    assert "https://YOUR-APP/" in line
    return line.replace("https://YOUR-APP", url)


class CoursePage(BaseHTTPRequestHandler):
    """A page with the iframe; `body` is set by `course`."""

    body = ""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(f"<!doctype html><title>Week 3</title>{self.body}".encode())

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def course(server: Server) -> Iterator[str]:
    """The course page, at `localhost`: another site than the app's 127.0.0.1."""
    CoursePage.body = readme_iframe(server.url)
    with ThreadingHTTPServer(("127.0.0.1", 0), CoursePage) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://localhost:{serving.server_port}/"
        serving.shutdown()


def visitor(browser: Browser, folder: Path, *, blocks: bool, dark: bool) -> BrowserContext:
    """A Chromium that does or does not block third-party cookies."""
    (folder / "Default").mkdir(parents=True)
    settings = {"cookie_controls_mode": int(blocks), "block_third_party_cookies": blocks}
    (folder / "Default" / "Preferences").write_text(json.dumps({"profile": settings}))
    return browser.browser_type.launch_persistent_context(
        str(folder),
        executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"),
        args=FLAGS,
        viewport={"width": 920, "height": 1000},
        color_scheme="dark" if dark else "light",
    )


def app_in(page: Page) -> Frame:
    expect(page.frame_locator("iframe").locator("h1")).to_be_visible()
    page.frame_locator("iframe").locator(END).wait_for(state="attached")
    (frame,) = page.frames[1:]
    return frame


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_controls_work_on_another_site_with_cookies_blocked(
    browser: Browser, course: str, tmp_path: Path, dark: bool
) -> None:
    errors: list[str] = []
    context = visitor(browser, tmp_path / "blocks", blocks=True, dark=dark)
    page = context.pages[0]
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console",
        lambda message: (
            errors.append(message.text)
            if message.type == "error"
            and not is_base_path_probe(message)
            and "favicon" not in message.location.get("url", "")
            else None
        ),
    )
    page.goto(course)
    frame = app_in(page)
    assert frame.evaluate(STORES) == ["", "SecurityError"]
    slider = frame.get_by_role("group", name="Segment length", exact=True).get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(frame.locator("table").first.locator("thead th[scope=col]")).to_have_count(10)
    frame.wait_for_url(lambda url: "seg=10" in url)
    link = frame.get_by_role("link", name="Open in a new tab")
    with context.expect_page() as opened:
        link.click()
    whole = opened.value
    expect(whole.get_by_test_id("stTopNavLink")).to_have_count(len(PAGES))
    expect(whole.locator("table").first.locator("thead th[scope=col]")).to_have_count(10)
    assert "embed" not in whole.url
    assert "seg=10" in whole.url
    ink, ground = frame.evaluate(
        "() => [getComputedStyle(document.querySelector('.xl-out')).color, "
        "getComputedStyle(document.querySelector('.stApp')).backgroundColor]"
    )
    assert ink != "rgb(0, 0, 238)"
    assert (sum(map(int, ground[4:-1].split(","))) < 3 * 64) == dark
    context.close()
    assert errors == []


def test_where_cookies_are_allowed_the_check_finds_them_allowed(
    browser: Browser, course: str, tmp_path: Path
) -> None:
    context = visitor(browser, tmp_path / "allows", blocks=False, dark=False)
    page = context.pages[0]
    page.goto(course)
    assert app_in(page).evaluate(STORES) == ["taste=1", "allowed"]
    context.close()


def test_readme_s_iframe_is_as_tall_as_what_is_in_it(
    browser: Browser, course: str, tmp_path: Path
) -> None:
    context = visitor(browser, tmp_path / "tall", blocks=True, dark=False)
    page = context.pages[0]
    page.goto(course)
    frame = app_in(page)
    for name in ("stTopNavLink", "stSidebar", "stToolbar"):
        assert not frame.get_by_test_id(name).is_visible(), name
    given = page.locator("iframe").bounding_box()
    assert given is not None
    frame.wait_for_function(FITS, arg=given["height"])
    first = frame.locator("table").first.bounding_box()
    assert first is not None
    assert first["y"] - given["y"] < 260  # heading, answer and controls are above the figure
    context.close()
