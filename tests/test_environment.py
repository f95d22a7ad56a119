"""A broken environment is noticed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from scripts.environment import fingerprint, is_sound


def test_missing_moved_and_damaged_environments_are_noticed(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    assert not is_sound(venv)
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    assert is_sound(venv)
    moved = venv.rename(tmp_path / "moved")
    assert not is_sound(moved)
    moved.rename(venv)
    assert is_sound(venv)
    next(venv.glob("lib/*/site-packages/pip/__init__.py")).unlink()
    assert not is_sound(venv)


def test_an_environment_follows_its_requirements_and_those_they_include(tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner.txt", tmp_path / "outer.txt"
    inner.write_text("numpy==1\n")
    outer.write_text("-r inner.txt\npytest==1\n")
    before = fingerprint(outer)
    assert fingerprint(outer) == before
    inner.write_text("numpy==2\n")
    assert fingerprint(outer) != before
