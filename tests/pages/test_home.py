"""The home page through app.py, without a browser."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import OpenPage
from tests.pages.tables import cells_of
from xlexplain.ui import frame
from xlexplain.ui.home_sections import numbers
from xlexplain.ui.settings import Settings
from xlexplain.ui.site import PAGES

grid = pytest.mark.parametrize(("L", "D"), [(2, 0), (2, 4), (8, 1), (8, 2), (32, 0), (32, 4)])


def html_of(app: AppTest) -> str:
    return "\n".join(one.proto.body for one in app.get("html"))


@grid
def test_book_and_maps_follow_the_settings(open_page: OpenPage, L: int, D: int) -> None:
    app = open_page("home", seg=L, mem=D)
    query = min(5, L - 1)
    told, true = cells_of(app)
    S = (D + 1) * L
    assert [cell.value for cell in told] == [str(key % L) for key in range(S)]
    back = [str(D * L + query - key).replace("-", "−") for key in range(S)]
    assert [cell.value for cell in true] == back
    html = html_of(app)
    assert re.findall(r'<li data-page=""[^>]*>(\d+)</li>', html) == [str(query + 1)] * (D + 1)
    back = [age * L for age in range(D, 0, -1)]
    assert re.findall(r"<b>(\d+) pages before yours", html) == [str(pages) for pages in back]


@grid
def test_story_is_told_in_the_settings_numbers(open_page: OpenPage, L: int, D: int) -> None:
    app = open_page("home", seg=L, mem=D)
    words = "\n".join(one.value for one in app.markdown)
    assert f"segments of {L} tokens" in words
    if D:
        pairs = L * D * (D + 1) // 2
        assert f"{(D + 1) * L} keys instead of {L}" in words
        assert f"Now {D + 1} keys share each number, {pairs:,} pairs in all" in words
        assert f"“{D * L} back” instead of “at position {min(5, L - 1)}”" in words
    else:
        assert "With memory depth 0 nothing is kept" in words


@pytest.mark.parametrize(("L", "D"), [(2, 0), (2, 4), (3, 2), (8, 0), (8, 1), (32, 4)])
def test_the_distance_said_is_that_of_the_position_said(L: int, D: int) -> None:
    for query in range(L):
        for key in range((D + 1) * L):
            said = numbers(Settings(L, D, query=query, key=key))
            back, position = said["back"], said["position"]
            seen = {D * L + query - j: j % L for j in range(D * L + query + 1)}  # by distance
            assert seen[back] == position
            if key <= D * L + query:
                assert back == D * L + query - key
            if D or key <= query:
                assert position == key % L


@pytest.mark.parametrize(
    ("D", "key", "back", "position"), [(1, 15, 6, 7), (1, 13, 0, 5), (0, 7, 0, 5), (0, 2, 3, 2)]
)
def test_a_key_that_the_query_cannot_see_is_not_said_to_lie_back(
    open_page: OpenPage, D: int, key: int, back: int, position: int
) -> None:
    app = open_page("home", seg=8, mem=D, key=key)
    words = "\n".join(one.value for one in app.markdown)
    assert f"“{back} back” instead of “at position {position}”" in words


def test_every_other_page_is_one_click_away(open_page: OpenPage) -> None:
    app = open_page("home")
    linked = {one.proto.page.replace("-", "_") for one in app.get("page_link")}
    assert linked >= {page.name for page in PAGES if page.name != "home"}


def test_embedded_home_has_only_the_picture(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frame, "is_embedded", lambda: True)
    app = open_page("home")
    assert len(app.get("bidi_component")) == 2  # the maps, and what watches for light and dark
    assert not (*app.header, *app.get("page_link"))
