"""What readers wrote stands as it is, notices use the page's words, one thing is not plural."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import OpenPage
from xlexplain.ui.half_characters import mended

SHARED = ("seg", "mem")
# A page, what opens a part of it, and the names in the address that this part reads.
PLACES: list[tuple[str, dict[str, object], tuple[str, ...]]] = [
    ("home", {}, (*SHARED, "key")),
    ("position_conflict", {}, (*SHARED, "query", "true", "key", "sample", "closer")),
    ("position_conflict", {"closer": "Position vectors"}, ("table", "width")),
    ("position_conflict", {"closer": "Attention"}, ("head", "twins", "run")),
    ("segment_recurrence", {}, (*SHARED, "layers", "segment", "query", "sample")),
    ("segment_recurrence", {"seg": 32, "mem": 4}, ("replace",)),
    (
        "relative_attention",
        {},
        (*SHARED, "segment", "query", "key", "layer", "head", "sample", "color", "view"),
    ),
    ("relative_attention", {"view": "Switch terms off"}, ("terms", "scope")),
    (
        "relative_shift",
        {},
        (*SHARED, "segment", "layer", "head", "query", "key", "sample", "stage", "speed", "shown"),
    ),
    (
        "proof",
        {},
        (
            *(*SHARED, "back", "symbols", "sample", "weights", "chop_seed", "layers", "steps"),
            *("seed", "longest", "repeats"),
        ),
    ),
]
WRITTEN = (
    "www.example.com https://b.c me@example.c",
    "[a](http://b.c) :material/home: a -> b",
    ":streamlit: >= $x$ `c` **b** <b>i</b>",
)
NOTICE = re.compile(r"(.+?) “(.*)” in the address is .*; showing (.+)\.")
ELSEWHERE = {"Tab", "Frame", "Speed"}  # what tabs are, and what the player has labels for
SHOWN_ELSEWHERE = {"top", "an empty box", "1×"}
OWN = "My own text"
PLAIN = {"text", "html", "bidi_component", "selectbox", "multiselect", "text_area", "code"}


def protos(app: AppTest) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is sent for every element: its kind, and its message."""
    for node in app._tree:
        proto = getattr(node, "proto", None)
        if proto is not None and hasattr(proto, "DESCRIPTOR"):
            yield node.type, MessageToDict(proto)


def strings(value: Any) -> Iterator[str]:
    """All texts in a message, also in what it holds as JSON."""
    if isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)
    elif isinstance(value, str):
        try:
            inner = json.loads(value) if value[:1] in "{[" else None
        except ValueError:
            inner = None
        if isinstance(inner, dict | list):
            yield from strings(inner)
        else:
            yield value


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize(
    ("name", "opened", "names"), PLACES, ids=[f"{one[0]}-{one[2][-1]}" for one in PLACES]
)
def test_notices_show_what_was_written_and_the_words_of_the_page(
    open_page: OpenPage,
    name: str,
    opened: dict[str, object],
    names: tuple[str, ...],
    written: str,
) -> None:
    app = open_page(name, **opened | dict.fromkeys(names, written))
    said = [match for one in app.text if (match := NOTICE.fullmatch(one.value))]
    assert [match[2] for match in said] == [written] * len(names)
    for kind, message in protos(app):
        assert kind == "text" or written not in " ".join(strings(message)), kind
    labels = {text for kind, message in protos(app) if kind != "text" for text in strings(message)}
    labels |= {str(one.value) for one in (*app.slider, *app.select_slider, *app.selectbox)}
    for _, label, shown in ((match[0], match[1], match[3]) for match in said):
        assert label in labels | ELSEWHERE, label
        for one in shown.split(", ") if label == "Terms that count" else [shown]:
            assert one in labels | SHOWN_ELSEWHERE, f"{label}: {one}"


VIEWS: list[tuple[str, dict[str, object]]] = [
    ("position_conflict", {"closer": "Attention", "run": "the text above"}),
    ("segment_recurrence", {}),
    *(
        ("relative_attention", {"view": view})
        for view in ("One query", "Matrices", "Next character", "Switch terms off")
    ),
    ("relative_shift", {}),
    ("proof", {"weights": "shipped"}),
]


@pytest.mark.parametrize(("name", "opened"), VIEWS)
def test_no_character_of_the_reader_s_text_is_put_into_markdown(
    open_page: OpenPage, name: str, opened: dict[str, object]
) -> None:
    app = open_page(name, sample=OWN, seg=4, mem=1, **opened)
    app.text_area(key="text").set_value("Ж" * 200).run()
    assert not app.exception
    found = {kind for kind, message in protos(app) if "Ж" in " ".join(strings(message))}
    assert found
    assert found <= PLAIN


ONE = re.compile(r"(\w+ )?(?<![\d.,·−+-])\b1 ([a-z]+s)\b")
NUMBERED = {
    "layer",
    "query",
    "token",
    "segment",
    "position",
    "key",
    "head",
    "row",
    "column",
    "page",
}
SINGULAR = {"is", "has", "comes", "as", "collides", "crosses", "pass", "goes", "carries"}
SMALL: list[tuple[str, dict[str, object]]] = [
    *(
        ("position_conflict", {"seg": 2, "mem": D, "query": i, "closer": closer})
        for D, i in ((0, 0), (0, 1), (1, 0), (1, 1))
        for closer in ("How bad it gets", "Distances", "Position vectors", "Attention")
    ),
    *(("home", {"seg": 2, "mem": D}) for D in (0, 1)),
    *(
        ("segment_recurrence", {"seg": 2, "mem": D, "layers": n, "query": i, "segment": s})
        for D, n, i, s in ((0, 1, 0, 0), (0, 1, 1, 1), (1, 1, 0, 1), (1, 2, 1, 0))
    ),
    *(
        ("relative_attention", {"seg": 2, "mem": D, "segment": 1, "query": 1, "view": view})
        for D in (0, 1)
        for view in ("Matrices", "Next character", "Switch terms off", "Whole pass")
    ),
    *(
        ("relative_shift", {"seg": 2, "mem": D, "shown": form})
        for D in (0, 1)
        for form in ("slide", "code")
    ),
    *(("proof", {"seg": 2, "mem": D, "back": 1}) for D in (0, 1)),
]


def plurals_of_one(app: AppTest) -> list[str]:
    """Where one thing is told as several."""
    return [
        text[max(0, match.start() - 40) : match.end() + 20]
        for kind, message in protos(app)
        if kind not in ("code", "page_link")
        for marked in strings(message)
        for text in [re.sub(r"<style.*?</style>|<[^>]*>|\*\*", "", marked, flags=re.DOTALL)]
        for match in ONE.finditer(text)
        if (match[1] or "").strip().lower() not in NUMBERED and match[2] not in SINGULAR
    ]


@pytest.mark.parametrize(("name", "opened"), SMALL)
def test_one_thing_is_told_in_the_singular(
    open_page: OpenPage, name: str, opened: dict[str, object]
) -> None:
    assert plurals_of_one(open_page(name, **opened)) == []


@pytest.mark.parametrize("text", ["a", "ab"])
@pytest.mark.parametrize(("name", "opened"), VIEWS)
def test_a_text_of_one_or_two_characters_is_told_in_the_singular(
    open_page: OpenPage, name: str, opened: dict[str, object], text: str
) -> None:
    app = open_page(name, sample=OWN, seg=2, mem=1, **opened)
    app.text_area(key="text").set_value(text).run()
    assert not app.exception
    assert plurals_of_one(app) == []


def test_half_a_character_is_mended_where_it_breaks_a_message_and_nowhere_else() -> None:
    message = BackMsg()
    state = message.rerun_script.widget_states.widgets.add()
    state.id, state.string_value = "text", "ab\ufffdc🎉"
    whole = message.SerializeToString()
    half = whole.replace("\ufffd".encode(), b"\xed\xa0\x80")
    assert mended(half) == whole
    assert mended(whole) == whole
    state.Clear()
    state.id, state.bytes_value = "data", b"\xed\xa0\x80"
    assert mended(message.SerializeToString()) == message.SerializeToString()


def test_half_a_character_is_told_and_the_rest_is_used(open_page: OpenPage) -> None:
    app = open_page("position_conflict", sample=OWN)
    app.text_area(key="text").set_value("ab\ufffdcd").run()
    assert any("half a character" in one.value for one in app.text)
    assert "b" in app.selectbox(key="key").options[1]
