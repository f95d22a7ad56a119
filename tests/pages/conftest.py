"""Pages without a browser, through `app.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from tests.serving import ROOT
from xlexplain.ui.site import entry

OpenPage = Callable[..., AppTest]

HARD_TEXTS = {
    "empty": "",
    "one character": "a",
    "shorter than a segment": "abc",
    "very long": "long " * 20_000,
    "emoji": "👩‍👩‍👧‍👦🎉 hello",
    "right to left": "שלום עולם, مرحبا",
    "control characters": "a\x00b\x07c\x1bd\u202ee",
    "HTML": "<script>alert(1)</script><b>bold</b>",
    "LaTeX and Markdown": r"$\frac{1}{2}$ \begin{x} **a** [b](c) |`*_",
    "newlines": "\n\n\n\n",
}


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> OpenPage:
    """Run a page: `open_page("position_conflict", seg=4, mem=2)`; no exception may be on it."""

    prepare = PagesManager.__init__

    def prepare_as_the_server_does(*args: Any, **options: Any) -> None:
        prepare(*args, **options)
        PagesManager.uses_pages_directory = False

    monkeypatch.setattr(PagesManager, "__init__", prepare_as_the_server_does)

    def run(name: str, **query: object) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        if name != "home":
            app.run()
        for key, value in query.items():
            app.query_params[key] = (
                [str(one) for one in value] if isinstance(value, list) else str(value)
            )
        if name != "home":
            app.switch_page(entry(name).script)
        app.run()
        assert not app.exception, [one.value for one in app.exception]
        return app

    return run
