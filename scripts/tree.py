"""The file tree with a line a file, for README: `python -m scripts.tree`."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("pages", "xlexplain", "benchmarks", "scripts", "tests")


def tree() -> str:
    """Every Python file with the first line of its docstring; folders with those of theirs."""
    lines = [line(ROOT / "app.py")]
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py"), key=order):
            if path.name == "__init__.py":
                lines.append(line(path, name=f"{path.parent.relative_to(ROOT)}/"))
            elif not path.name.startswith("test_"):
                lines.append(line(path))
    return "\n".join(lines)


def order(path: Path) -> tuple[str, bool, str]:
    """Folders one after the other, each opened by its own line."""
    return str(path.parent), path.name != "__init__.py", path.name


def line(path: Path, *, name: str = "") -> str:
    """The file's path and what its docstring begins with."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    depth = len(path.relative_to(ROOT).parts) - 1
    shown = ("    " * depth + path.name) if not name else "    " * (depth - 1) + name
    return f"{shown:<44} {docstring.splitlines()[0] if docstring else ''}".rstrip()


if __name__ == "__main__":
    print(tree())
