"""How much memory this process may use, read from the system."""

from __future__ import annotations

import os
from pathlib import Path

GIB = 2**30  # bytes
ENOUGH_FOR_RUNS = 1 * GIB  # for every page visited and one run beside it, with some to spare


def memory_limit(root: Path = Path("/")) -> int | None:
    """Bytes: the machine's memory, or what its container or service may use if that is less.

    Args: root: where the system's files are.
    Returns: None where none of it can be read, as on Windows.
    """
    files = [root / "sys/fs/cgroup/memory/memory.limit_in_bytes"]  # control groups, version 1
    groups = root / "proc/self/cgroup"
    if groups.is_file():
        for line in groups.read_text().splitlines():
            if line.startswith("0::/"):  # version 2: a group's limit holds for all in it
                own = root / "sys/fs/cgroup" / line.removeprefix("0::/")
                files += [folder / "memory.max" for folder in (own, *own.parents)]
    texts = [file.read_text().strip() for file in files if file.is_file()]
    found = [int(text) for text in texts if text.isdecimal()]  # or it is "max"
    if hasattr(os, "sysconf"):
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return min(found, default=None)


def default_workers() -> int:
    """Runs at a time, if nobody says how many: none where they would take the pages' memory."""
    limit = memory_limit()
    return 1 if limit is None or limit >= ENOUGH_FOR_RUNS else 0
