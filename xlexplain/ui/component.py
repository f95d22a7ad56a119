"""Components of our own: their html, css and js stand beside the Python that mounts them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

LEAVING = Path(__file__).with_name("leaving.js")


def register(
    name: str, folder: Path, *, html: str, css: str, js: Sequence[str], isolate_styles: bool = True
) -> Any:
    """Register a component; call it once, when the module is imported.

    Args:
        folder: where the files are.
        html, css: names of files; `html` may be the markup itself.
        js: names of files, joined in this order after `leaving.js`; the last has the one export.
        isolate_styles: whether it stands in a shadow tree, where the page's css does not reach.

    Returns: what mounts it.
    """

    def read(file: str) -> str:
        return compact((folder / file).read_text(encoding="utf-8"))

    return st.components.v2.component(
        f"xlexplain.{name}",
        html=html if "<" in html else read(html),
        css=read(css),
        js="".join([compact(LEAVING.read_text(encoding="utf-8")), *map(read, js)]),
        isolate_styles=isolate_styles,
    )


def reported(key: str, name: str) -> Any:
    """What a component has told under a name; None if it has not, or is no longer on the page."""
    state = st.session_state.get(key)
    return None if state is None else state.get(name)


def compact(source: str) -> str:
    """Without indents, blank lines and lines of comment: it is sent anew with every change.

    >>> compact("// why\\n{\\n  go();\\n}\\n")
    '{\\ngo();\\n}\\n'
    """
    lines = (line.strip() for line in source.splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))
