"""What the package offers: whole figures, all called in the same way, all listed in README."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from typing import Any

import plotly.graph_objects as go
import pytest

from tests.serving import ROOT
from xlexplain import figures

PUBLIC = [name for name in figures.__all__ if inspect.isfunction(getattr(figures, name))]


def functions() -> Iterator[Callable[..., Any]]:
    """Every function that a module of the package defines."""
    for module in pkgutil.iter_modules(figures.__path__, "xlexplain.figures."):
        for value in vars(importlib.import_module(module.name)).values():
            if inspect.isfunction(value) and value.__module__ == module.name:
                yield value


def test_a_palette_is_always_given_by_its_name() -> None:
    kinds = {
        f"{function.__module__}.{function.__name__}": parameter.kind
        for function in functions()
        for parameter in inspect.signature(function).parameters.values()
        if parameter.name == "palette"
    }
    assert len(kinds) > 60
    assert {
        name for name, kind in kinds.items() if kind is not inspect.Parameter.KEYWORD_ONLY
    } == set()


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_function_draws_a_figure(name: str) -> None:
    function = getattr(figures, name)
    signature = inspect.signature(function, eval_str=True)
    assert "palette" in signature.parameters
    assert function.__doc__
    assert signature.return_annotation is (str if name == "conflict_maps" else go.Figure)


def test_readme_lists_each_public_function_with_one_line() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", readme, re.MULTILINE)
    assert sorted(name for name, _ in rows) == sorted(PUBLIC)
    assert all(words.strip() for _, words in rows)
