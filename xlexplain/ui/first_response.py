"""The first answer to an address: the page's own title, description and picture, before any script.

Streamlit answers every address with the same HTML, whose title is "Streamlit". Link previews and
search engines see no more than that, and at an address that leads to no page, or to something below
one, readers see an empty window.
"""

from __future__ import annotations

import hashlib
import html
import re
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from string import Template

import streamlit as st
from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from xlexplain.ui.site import PAGES, PageEntry

PREVIEW_SIZE = 1200, 630  # px, as link previews want it
INDEX = Path(st.__file__).parent / "static" / "index.html"
TITLE = re.compile("<title>.*?</title>")
NO_SUCH_PAGE = Template(Path(__file__).with_name("no_such_page.html").read_text("utf-8"))
BY_PATH = {f"/{page.address}": page for page in PAGES}
PREVIEWS = {f"/previews/{page.preview.name}": page.preview for page in PAGES}
NAMES = {page.address or page.name: page for page in PAGES}
ALIKE = 0.8  # of 1, as `difflib` counts it
FILES = ("/media/", "/component/")  # Streamlit's own places for files, which may be HTML
FRESH = {"Cache-Control": "no-cache"}


class FirstResponse:
    """Answers for the pages, and where Streamlit would send its HTML for want of a page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.base = f"/{str(st.get_option('server.baseUrlPath')).strip('/')}".rstrip("/")
        self.compressed = GZipMiddleware(self.own, minimum_size=1000)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        path = self.below_base(scope)
        if path in BY_PATH or path in PREVIEWS:
            await self.compressed(scope, receive, send)
            return
        is_missing = False

        async def unless_missing(message: Message) -> None:
            nonlocal is_missing
            if message["type"] == "http.response.start":
                is_missing = is_page(message) and not path.startswith(FILES)
            if not is_missing:
                await send(message)

        await self.app(scope, receive, unless_missing)
        if is_missing:
            await self.compressed(scope, receive, send)

    async def own(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A page, a preview's picture, the way to the page that was meant, or to all of them."""
        request, path = Request(scope), self.below_base(scope)
        response: Response
        if path in BY_PATH:
            response = first_html(BY_PATH[path], request, origin(request) + self.base)
        elif path in PREVIEWS:
            response = FileResponse(
                PREVIEWS[path], headers={"Cache-Control": "public, max-age=86400"}
            )
        else:
            # Relative, so that it holds behind a proxy that takes a prefix off.
            depth = scope["raw_path"].count(b"/") - self.base.count("/") - 1
            root = "../" * depth or "./"
            query = f"?{request.url.query}" if request.url.query else ""
            page = meant(path)
            if page:
                response = RedirectResponse(f"{root}{page.address}{query}", headers=FRESH)
            else:
                response = no_such_page(root, query)
        await response(scope, receive, send)

    def below_base(self, scope: Scope) -> str:
        """The path that was asked for, without the base path."""
        return str(scope["path"]).removeprefix(self.base)


def is_page(message: Message) -> bool:
    """Whether a response begins that is HTML."""
    headers = Headers(raw=message["headers"])
    is_html = headers.get("content-type", "").startswith("text/html")
    return is_html and message["status"] == 200


def meant(path: str) -> PageEntry | None:
    """The page that somebody meant who came to a path where none is.

    >>> [meant(path).name for path in ("/Relative-Attention/foo", "/position_conflict", "/profo")]
    ['relative_attention', 'position_conflict', 'proof']
    >>> meant("/nonsense")
    """
    for part in path.lower().split("/"):
        name = re.sub("[^a-z]+", "-", part).strip("-")
        for near in get_close_matches(name, NAMES, n=1, cutoff=ALIKE):
            return NAMES[near]
    return None


def first_html(page: PageEntry, request: Request, url: str) -> Response:
    """Streamlit's HTML with the page's head; `url` is that of the home page."""
    text = TITLE.sub(lambda _: head(page, url), index())
    etag = f'W/"{hashlib.sha256(text.encode()).hexdigest()[:16]}"'
    headers = FRESH | {"ETag": etag}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return HTMLResponse(text, headers=headers)


def head(page: PageEntry, url: str) -> str:
    """Title, description and picture, as search engines and link previews read them."""
    width, height = PREVIEW_SIZE
    said = {
        "description": page.description,
        "og:type": "website",
        "og:site_name": "xlexplain",
        "og:title": page.tab_title,
        "og:description": page.description,
        "og:image": f"{url}/previews/{page.preview.name}",
        "og:image:width": width,
        "og:image:height": height,
        "og:image:alt": f"The first screen of the page “{page.title}”",
        "twitter:card": "summary_large_image",
    }
    lines = [f"<title>{html.escape(page.tab_title)}</title>"]
    for name, value in said.items():
        kind = "property" if name.startswith("og:") else "name"
        lines.append(f'<meta {kind}="{name}" content="{html.escape(str(value))}" />')
    return "\n    ".join(lines)


def origin(request: Request) -> str:
    """Scheme and host that the reader sees, in front of a proxy if there is one."""

    def forwarded(name: str) -> str:
        return request.headers.get(f"x-forwarded-{name}", "").split(",")[0].strip()

    scheme = forwarded("proto") or request.scope["scheme"]
    host = forwarded("host") or request.headers.get("host", "")
    return f"{scheme}://{host}"


def no_such_page(root: str, query: str) -> Response:
    """A sentence and the way to every page; `root` leads to the home page."""
    links = [
        f'<li><a href="{html.escape(f"{root}{page.address}{query}")}">{page.title}</a>: '
        f"{html.escape(page.description)}</li>"
        for page in PAGES
    ]
    text = NO_SUCH_PAGE.substitute(root=root, pages="\n".join(links))
    return HTMLResponse(text, status_code=404, headers=FRESH)


@cache
def index() -> str:
    """Streamlit's HTML."""
    return INDEX.read_text(encoding="utf-8")
