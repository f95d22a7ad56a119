"""Where memory is short, nothing runs unless somebody says so."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from xlexplain.experiments import memory
from xlexplain.experiments.memory import ENOUGH_FOR_RUNS, memory_limit
from xlexplain.experiments.runner import Limits


def lay_out(root: Path, **files: str) -> Path:
    """A system's files: `lay_out(tmp_path, **{"proc/self/cgroup": "0::/a"})`."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize(
    ("files", "limit"),
    [
        ({}, None),
        ({"sys/fs/cgroup/memory/memory.limit_in_bytes": "9000\n"}, 9000),
        ({"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "5000\n"}, 5000),
        ({"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/memory.max": "7000\n"}, 7000),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, None),
    ],
)
def test_the_least_limit_holds(tmp_path: Path, files: dict[str, str], limit: int | None) -> None:
    whole = psutil.virtual_memory().total
    found = memory_limit(lay_out(tmp_path, **files))
    assert found is not None
    assert found == limit if limit else abs(found - whole) < 0.01 * whole


@pytest.mark.parametrize(
    ("limit", "workers"), [(ENOUGH_FOR_RUNS, 1), (ENOUGH_FOR_RUNS - 1, 0), (None, 1)]
)
def test_runs_are_off_where_memory_is_short_and_on_if_somebody_says_so(
    limit: int | None, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "memory_limit", lambda: limit)
    monkeypatch.delenv("XLEXPLAIN_WORKERS", raising=False)
    assert Limits.from_environment().workers == workers
    monkeypatch.setenv("XLEXPLAIN_WORKERS", "2")
    assert Limits.from_environment().workers == 2
