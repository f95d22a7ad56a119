"""Start and stop the real app on a free port of the loopback address."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Server:
    """A running app: its address, its process id, and the file its log goes to."""

    url: str
    pid: int
    log: Path


@contextmanager
def serve(
    log: Path,
    *,
    script: str = "app.py",
    folder: Path = ROOT,
    base_path: str = "",
    seconds: float = 60,
) -> Iterator[Server]:
    """The app as readers get it, until the block ends. Raises: RuntimeError if it doesn't start."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", script, f"--server.port={port}"]
    command += [
        "--server.address=127.0.0.1",
        "--server.headless=true",
        "--server.fileWatcherType=none",
    ]
    settings = {"STREAMLIT_SERVER_BASE_URL_PATH": base_path}  # as a container is given it
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, stdout=output, stderr=subprocess.STDOUT, env=os.environ | settings
        )
        try:
            url = f"http://127.0.0.1:{port}/{base_path}".rstrip("/")
            wait_until_healthy(url, process, seconds=seconds, log=log)
            yield Server(url=url, pid=process.pid, log=log)
        finally:
            process.terminate()
            process.wait(timeout=20)


def wait_until_healthy(
    url: str, process: subprocess.Popen[bytes], *, seconds: float, log: Path
) -> None:
    """Return when the app says "ok"."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"the app did not start within {seconds} s:\n{log.read_text()[-2000:]}")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
