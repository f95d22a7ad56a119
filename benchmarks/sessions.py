"""Readers without a browser: they speak to a Streamlit server over its websocket."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import psutil
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider

FINISHED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
TIMEOUT = 120  # s


@dataclass
class Session:
    """One reader on one page.

    Attributes:
        page: the page's address, "" for the first page.
        received: bytes that came from the server so far.
        failures: exceptions that the page showed.
        kept: hashes of large messages that it says it has.
        whole, referred: hashes of the large messages of the last run, by how they were sent.
    """

    url: str
    page: str = ""
    received: int = 0
    failures: int = 0
    sliders: dict[str, Slider] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=dict)
    page_hash: str = ""
    kept: set[str] = field(default_factory=set)
    whole: set[str] = field(default_factory=set)
    referred: set[str] = field(default_factory=set)

    async def __aenter__(self) -> Self:
        address = self.url.replace("http", "ws", 1) + "/_stcore/stream"
        self.socket = await websockets.connect(
            address, subprotocols=[websockets.Subprotocol("streamlit")], max_size=None, origin=None
        )
        await self.run()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.socket.close()

    async def run(self) -> float:
        """Let the page run with the present values; returns seconds until it has."""
        message = BackMsg()
        script = message.rerun_script
        script.page_script_hash = self.page_hash
        script.page_name = "" if self.page_hash else self.page
        script.cached_message_hashes.extend(self.kept)
        self.whole, self.referred = set(), set()
        for name, value in self.values.items():
            state = script.widget_states.widgets.add()
            state.id = name
            state.double_array_value.data.append(value)
        began = time.perf_counter()
        await self.socket.send(message.SerializeToString())
        while not self.take(await asyncio.wait_for(self.socket.recv(), TIMEOUT)):
            pass
        return time.perf_counter() - began

    def take(self, raw: str | bytes) -> bool:
        """Take note of one message; returns whether it is the last of a run."""
        assert isinstance(raw, bytes)
        self.received += len(raw)
        message = ForwardMsg.FromString(raw)
        kind = message.WhichOneof("type")
        if message.metadata.cacheable:
            self.whole.add(message.hash)
        if kind == "ref_hash":
            self.referred.add(message.ref_hash)
        if kind == "new_session":
            self.page_hash = message.new_session.page_script_hash or self.page_hash
        elif kind == "navigation":
            self.page_hash = message.navigation.page_script_hash or self.page_hash
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            if element.WhichOneof("type") == "slider":
                self.sliders[element.slider.label] = element.slider
            self.failures += element.WhichOneof("type") == "exception"
        return kind == "script_finished" and message.script_finished in FINISHED

    async def change(self, label: str, draw: random.Random) -> float:
        """Move a slider somewhere else; returns seconds until the page has run."""
        slider = self.sliders[label]
        now = self.values.get(slider.id, slider.default[0])
        steps = round((slider.max - slider.min) / slider.step) + 1
        places = [slider.min + slider.step * step for step in range(steps)]
        self.values[slider.id] = draw.choice([place for place in places if place != now])
        return await self.run()


async def many(
    url: str, page: str, label: str, *, sessions: int, changes: int, pause: float
) -> list[float]:
    """Seconds of every change, when so many readers make so many changes each, all at once.

    Each pauses about `pause` seconds between two changes. Raises: RuntimeError if a page failed.
    """
    readers = [Session(url, page) for _ in range(sessions)]

    async def read(number: int, reader: Session) -> list[float]:
        draw = random.Random(number)
        seconds = []
        async with reader:
            for _ in range(changes):
                await asyncio.sleep(pause * draw.uniform(0.5, 1.5))
                seconds.append(await reader.change(label, draw))
        return seconds

    lists = await asyncio.gather(*(read(*one) for one in enumerate(readers)))
    if failures := sum(reader.failures for reader in readers):
        raise RuntimeError(f"{failures} times a page showed an exception")
    return [one for several in lists for one in several]


def resident(pid: int) -> float:
    """MiB of resident memory of a process and its children."""
    process = psutil.Process(pid)
    family = [process, *process.children(recursive=True)]
    return sum(one.memory_info().rss for one in family) / 2**20
