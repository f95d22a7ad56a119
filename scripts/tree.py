"""Put the file tree, with a line a file, into README: `python -m scripts.tree`."""

from __future__ import annotations

import ast
import itertools
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("pages", "xlexplain", "benchmarks", "scripts", "tests")
TOP = {
    ".ci/run": "What continuous integration calls: `make test`.",
    ".streamlit/config.toml": "Theme and server settings.",
    "Dockerfile": "The app in a container.",
    "Makefile": "`make run` and `make test`, with all the set-up.",
    "pyproject.toml": "Package, and what ruff, mypy, pytest and import-linter hold.",
    "requirements.txt": "What the app needs, pinned; requirements-dev.txt: what its checks need.",
}


def tree() -> str:
    """Every Python and JavaScript file with what it says of itself first; folders likewise."""
    lines = [f"{name:<44} {words}" for name, words in TOP.items()]
    lines.append(line(ROOT / "app.py"))
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.[pj][ys]"), key=order):
            if path.name == "__init__.py":
                lines.append(line(path, name=f"{path.parent.name}/"))
            elif not path.name.startswith("test_"):
                lines.append(line(path))
    return "\n".join(lines)


def order(path: Path) -> tuple[str, bool, str]:
    """Folders one after the other, each opened by its own line."""
    return str(path.parent), path.name != "__init__.py", path.name


def line(path: Path, *, name: str = "") -> str:
    """The file's path and what it says of itself."""
    depth = len(path.relative_to(ROOT).parts) - 1
    shown = ("    " * depth + path.name) if not name else "    " * (depth - 1) + name
    return f"{shown:<44} {about(path)}".rstrip()


def about(path: Path) -> str:
    """The first line of a docstring, or the first sentence of the comment a script begins with."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]
    comment = itertools.takewhile(lambda one: one.startswith("//"), source.splitlines())
    words = " ".join(one.removeprefix("//").strip() for one in comment)
    return re.split(r"(?<=\.) ", words)[0]


def put_into(readme: str) -> str:
    """README with the tree in the place of the one below its heading "The files"."""
    before, heading, after = readme.partition("\n## The files\n\n")
    rest = itertools.dropwhile(lambda one: one.startswith("    "), after.splitlines(keepends=True))
    lines = "".join(f"    {one}\n" for one in tree().splitlines())
    return before + heading + lines + "".join(rest)


if __name__ == "__main__":
    path = ROOT / "README.md"
    path.write_text(put_into(path.read_text(encoding="utf-8")), encoding="utf-8")
