"""Large messages are sent by reference only where the browser cannot have forgotten them."""

from __future__ import annotations

import asyncio
from pathlib import Path

from benchmarks.sessions import Session
from tests.serving import serve


async def walk(url: str) -> None:
    async with Session(url, "position-conflict") as reader:
        first = reader.whole
        assert first
        reader.kept = set(first)
        await reader.run()
        assert (reader.referred, reader.whole) == (first, set())
        reader.page, reader.page_hash = "segment-recurrence", ""
        await reader.run()
        shared = reader.referred
        assert reader.whole
        reader.kept |= reader.whole
        reader.page, reader.page_hash = "position-conflict", ""
        await reader.run()  # what the browser says it has may be too old when the answer comes
        assert reader.referred == shared < first
        assert reader.whole == first - shared


def test_a_run_refers_only_to_what_the_run_before_used(tmp_path: Path) -> None:
    with serve(tmp_path / "log.txt") as server:
        asyncio.run(walk(server.url))
