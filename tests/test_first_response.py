"""What an address answers before any script runs: to link previews, to readers who got lost."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from http.client import HTTPConnection
from io import BytesIO
from urllib.parse import urlsplit

import pytest
from PIL import Image

from tests.serving import ROOT, Server, serve
from xlexplain.ui.first_response import PREVIEW_SIZE
from xlexplain.ui.site import PAGES, PageEntry


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


class Head(HTMLParser):
    """Title, and what `<meta>` says, by name or property; links."""

    def __init__(self, body: bytes) -> None:
        super().__init__()
        self.said: dict[str | None, str | None] = {}
        self.titles: list[str] = []
        self.links: list[str | None] = []
        self.feed(body.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "meta" and "content" in given:
            self.said[given.get("name") or given.get("property")] = given["content"]
        if tag == "a":
            self.links.append(given.get("href"))
        if tag == "title":
            self.titles.append("")

    def handle_data(self, data: str) -> None:
        if self.lasttag == "title" and not data.isspace():
            self.titles[-1] += data


@pytest.fixture(scope="module", params=["", "xl"], ids=["no base path", "base path"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("server") / "log.txt", base_path=request.param) as running:
        yield running


def get(server: Server, path: str, *, method: str = "GET", **headers: str) -> Answer:
    """The answer to a path below the base path; a redirect is not followed."""
    to = urlsplit(server.url)
    connection = HTTPConnection(to.netloc, timeout=20)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, to.path + path, headers=named)
    answer = connection.getresponse()
    given = Answer(
        answer.status,
        {name.lower(): value for name, value in answer.headers.items()},
        answer.read(),
    )
    connection.close()
    return given


@pytest.mark.parametrize("page", PAGES, ids=lambda one: one.name)
def test_a_page_says_what_it_is(server: Server, page: PageEntry) -> None:
    for query in ("", "?seg=4&mem=2"):
        head = Head(get(server, f"/{page.address}{query}").body)
        assert head.titles == [page.tab_title]
        assert head.said["description"] == head.said["og:description"] == page.description
        assert head.said["og:title"] == page.tab_title
        assert (head.said["og:type"], head.said["twitter:card"]) == (
            "website",
            "summary_large_image",
        )
        assert head.said["og:image"] == f"{server.url}/previews/{page.name}.png"


@pytest.mark.parametrize("page", PAGES, ids=lambda one: one.name)
def test_its_picture_is_the_app_s_own(server: Server, page: PageEntry) -> None:
    picture = get(server, f"/previews/{page.name}.png")
    assert (picture.status, picture.headers["content-type"]) == (200, "image/png")
    assert len(picture.body) == int(picture.headers["content-length"]) < 150_000
    assert Image.open(BytesIO(picture.body)).size == PREVIEW_SIZE


def test_titles_and_descriptions_are_each_page_s_own() -> None:
    assert len({page.tab_title for page in PAGES}) == len(PAGES)
    assert len({page.description for page in PAGES}) == len(PAGES)
    for page in PAGES:
        assert re.findall(r"[.?!](?= |$)", page.description) == ["."]
        assert 50 < len(page.description) <= 170  # search engines cut what is longer


def test_the_picture_s_address_is_what_the_reader_s_side_of_a_proxy_sees(server: Server) -> None:
    answer = get(
        server,
        "/proof",
        Host="inner:8501",
        X_Forwarded_Proto="https",
        X_Forwarded_Host='x.example"><b>, inner',
    )
    head = Head(answer.body)
    base = urlsplit(server.url).path
    assert head.said["og:image"] == f'https://x.example"><b>{base}/previews/proof.png'
    assert b"<b>" not in answer.body


def test_length_compression_and_revalidation_are_right(server: Server) -> None:
    for path in ("/", "/proof"):
        plain = get(server, path)
        assert plain.headers["content-type"] == "text/html; charset=utf-8"
        assert plain.headers["cache-control"] == "no-cache"
        assert int(plain.headers["content-length"]) == len(plain.body)
        packed = get(server, path, Accept_Encoding="gzip")
        assert packed.headers["content-encoding"] == "gzip"
        assert int(packed.headers["content-length"]) == len(packed.body) < len(plain.body) / 2
        assert gzip.decompress(packed.body) == plain.body
        only_head = get(server, path, method="HEAD")
        assert (only_head.status, only_head.body) == (200, b"")
        assert only_head.headers["content-length"] == plain.headers["content-length"]
        known = get(server, path, If_None_Match=plain.headers["etag"])
        assert (known.status, known.body) == (304, b"")
    assert get(server, "/").headers["etag"] != get(server, "/proof").headers["etag"]


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/relative-attention/foo", "../relative-attention"),
        ("/relative-attention/foo/bar/", "../../relative-attention"),
        ("/Relative-Attention", "./relative-attention"),
        ("/relative-attentoin", "./relative-attention"),
        ("/position_conflict", "./position-conflict"),
        ("/proof).", "./proof"),
        ("/proof%2Ffoo", "./proof"),
        ("/elsewhere/proof", "../proof"),
        ("/home", "./"),
    ],
)
def test_a_mistyped_address_leads_to_the_page_that_was_meant(
    server: Server, path: str, to: str
) -> None:
    query = "?seg=4&text=%3Ca%26"
    answer = get(server, path + query)
    if answer.status == 301:  # Streamlit's own, to the same without a slash at the end
        answer = get(server, path.rstrip("/") + query)
    assert (answer.status, answer.headers["location"]) == (307, to + query)
    assert answer.headers["cache-control"] == "no-cache"


def test_a_slash_at_the_end_does_not_matter(server: Server) -> None:
    answer = get(server, "/relative-attention/?seg=4")
    assert answer.status == 301
    assert answer.headers["location"].endswith(
        urlsplit(server.url).path + "/relative-attention?seg=4"
    )


def test_where_no_page_was_meant_a_sentence_and_links_to_all_stand(server: Server) -> None:
    for path, root in (("/nonsense", "./"), ("/a/b", "../"), ("/index.html", "./")):
        answer = get(server, f'{path}?seg=4&"<b>')
        assert answer.status == 404
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert b"There is no page at this address" in answer.body
        assert b"<b>" not in answer.body
        links = Head(answer.body).links
        assert [link and link.split("?")[0] for link in links] == [
            root + page.address for page in PAGES
        ]
        assert all(link and link.split("?")[1].startswith("seg=4&") for link in links)


def test_streamlit_s_own_files_are_as_they_were(server: Server) -> None:
    assert get(server, "/_stcore/health").body == b"ok"
    assert get(server, "/proof/_stcore/health").status == 404
    assert json.loads(get(server, "/_stcore/host-config").body)
    assert get(server, "/favicon.png").headers["content-type"] == "image/png"
    script = re.search(rb'src="\.(/static/js/[^"]*)"', get(server, "/").body)
    assert script
    assert "javascript" in get(server, script[1].decode()).headers["content-type"]
    assert get(server, "/nonsense", method="POST").status == 405


def test_the_container_s_health_check_finds_the_app(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    check = re.search(r"^HEALTHCHECK .*? CMD (\[.*\])$", dockerfile, re.MULTILINE)
    start = re.search(r"^CMD (\[.*\])$", dockerfile, re.MULTILINE)
    exposed = re.search(r"^EXPOSE (\d+)$", dockerfile, re.MULTILINE)
    assert check
    assert start
    assert exposed
    assert f"--server.port={exposed[1]}" in json.loads(start[1])
    command = [
        one.replace(exposed[1], str(urlsplit(server.url).port)) for one in json.loads(check[1])
    ]
    assert command[0] == "python"
    assert command != json.loads(check[1])
    base = urlsplit(server.url).path

    def outcome(base_path: str) -> int:
        monkeypatch.setenv("STREAMLIT_SERVER_BASE_URL_PATH", base_path)
        return subprocess.run(
            [sys.executable, *command[1:]], capture_output=True, check=False
        ).returncode

    for spelled in {base, base.strip("/"), f"{base}/"}:
        assert outcome(spelled) == 0, spelled
    assert outcome("another") != 0
