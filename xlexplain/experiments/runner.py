"""The queue of experiments: worker processes for the whole server, and who waits for what.

A run is a process of its own: it can be ended at any moment, it cannot slow the pages by holding
the interpreter, and if it dies it takes nothing with it. Everything here is guarded by one lock and
returns at once.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import xlexplain
from xlexplain.experiments.experiment import Result, Settings
from xlexplain.experiments.memory import default_workers
from xlexplain.experiments.record import Record

State = Literal["waiting", "running", "done", "stopped", "failed"]
Key = tuple[str, Settings]
COMMAND = (sys.executable, "-m", "xlexplain.experiments.work")
LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """What the server gives to experiments. Each can be set by a variable of the environment.

    Attributes:
        workers: runs at a time (XLEXPLAIN_WORKERS); 0 switches running off, which is the default
            where memory is short.
        seconds: a run may take so long (XLEXPLAIN_SECONDS).
        waiting: so many may wait for a worker (XLEXPLAIN_WAITING).
        absence: seconds after which a reader who has left no longer counts.
        silence: seconds after which a reader who is here, but whose page has stopped asking, no
            longer counts. Browsers ask once a minute for a tab that is long out of sight.
        kept: so many results are kept.
    """

    workers: int = field(default_factory=default_workers)
    seconds: float = 300.0
    waiting: int = 20
    absence: float = 5.0
    silence: float = 90.0
    kept: int = 64

    def __post_init__(self) -> None:
        for name in ("workers", "waiting"):
            if not 0 <= getattr(self, name) <= 64:
                raise ValueError(f"need 0 to 64 {name}, got {getattr(self, name)}")
        if not self.seconds > 0:
            raise ValueError(f"need a time limit above 0 seconds, got {self.seconds}")

    @classmethod
    def from_environment(cls) -> Limits:
        """Raises: ValueError for a variable that is no number or out of range."""
        given: dict[str, Any] = {}
        for name, kind in (("workers", int), ("seconds", float), ("waiting", int)):
            variable = f"XLEXPLAIN_{name.upper()}"
            text = os.environ.get(variable)
            if not text:
                continue
            try:
                given[name] = kind(text)
            except ValueError as error:
                what = "a whole number" if kind is int else "a number"
                raise ValueError(f"need {what} in {variable}, got {text!r}") from error
        return cls(**given)


@dataclass(frozen=True)
class Status:
    """What a reader is told about a run.

    Attributes:
        state: of the run.
        place: in the queue, from 1; 0 unless it is waiting.
        done: share of the work.
        seconds_left: by the pace since the first update, as loading is no work; None before it.
        result: what is known so far, or None.
        note: why it ended, if not by being done: a sentence.
        others: readers who wait for the same run.
    """

    state: State
    place: int
    done: float
    seconds_left: float | None
    result: Result | None
    note: str
    others: int

    @property
    def is_active(self) -> bool:
        return self.state in ("waiting", "running")


@dataclass
class Job:
    """One run, for all who asked for it. `seen` has the last sign of each reader."""

    name: str
    settings: Settings
    state: State = "waiting"
    done: float = 0.0
    result: Result | None = None
    record: Record | None = None
    note: str = ""
    began: float = 0.0
    ended: float = 0.0
    first: tuple[float, float] | None = None  # when the first update came, and the share done then
    process: subprocess.Popen[str] | None = None
    seen: dict[str, float] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        return self.name, self.settings

    @property
    def is_active(self) -> bool:
        return self.state in ("waiting", "running")


class QueueFullError(RuntimeError):
    """No more runs are taken for now."""


class Runner:
    """The runs of one server.

    Args:
        limits: see there.
        is_here: whether a reader's page is still connected.
        command: what starts a worker.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        is_here: Callable[[str], bool] = lambda reader: True,
        command: tuple[str, ...] = COMMAND,
    ) -> None:
        self.limits = limits or Limits()
        self._is_here = is_here
        self._command = command
        self._lock = threading.Condition(threading.RLock())
        self._queue: list[Job] = []
        self._jobs: dict[Key, Job] = {}
        self._kept: OrderedDict[Key, Record] = OrderedDict()
        self._is_closed = False
        threads = [self._work] * self.limits.workers + [self._end_overdue]
        for target in threads:
            threading.Thread(target=target, daemon=True, name=f"experiments {target}").start()

    def ask(self, name: str, settings: Settings, reader: str) -> Status:
        """Start a run, or wait for the one that is under way.

        The reader no longer waits for any other run of this experiment.

        Raises: QueueFullError if too many wait already; then nothing has changed.
        """
        with self._lock:
            self._drop_unwanted()
            others = [
                job
                for job in self._jobs.values()
                if job.name == name and job.settings != settings and reader in job.seen
            ]
            job = self._jobs.get((name, settings))
            if job is None or not job.is_active:
                self._need_room(leaving=[other for other in others if len(other.seen) == 1])
                job = self._jobs[name, settings] = Job(name, settings)
                self._queue.append(job)
                self._lock.notify_all()
            job.seen[reader] = time.monotonic()
            for other in others:
                del other.seen[reader]
            self._drop_unwanted()
            return self._status(job)

    def _need_room(self, *, leaving: list[Job]) -> None:
        """Raises: QueueFullError if no worker and no place is free, `leaving` not counted."""
        staying = sum(job.is_active and job not in leaving for job in self._jobs.values())
        if staying >= self.limits.workers + self.limits.waiting:
            raise QueueFullError(f"{self.limits.waiting} runs are waiting already")

    def status(self, name: str, settings: Settings, reader: str) -> Status | None:
        """How the run with these settings stands; the reader waits for it from now on."""
        with self._lock:
            job = self._jobs.get((name, settings))
            if job is None:
                return None
            job.seen[reader] = time.monotonic()
            return self._status(job)

    def stop(self, name: str, settings: Settings, reader: str) -> Status | None:
        """Wait no longer; what there is, is returned. The run ends if nobody else waits for it."""
        with self._lock:
            job = self._jobs.get((name, settings))
            if job is None:
                return None
            status = self._status(job)
            job.seen.pop(reader, None)
            self._drop_unwanted()
            return status

    def kept(self, name: str, settings: Settings) -> Record | None:
        """The result of an earlier run with these settings on this server."""
        with self._lock:
            record = self._kept.get((name, settings))
            if record is not None:
                self._kept.move_to_end((name, settings))
            return record

    def close(self) -> None:
        """End everything."""
        with self._lock:
            self._is_closed = True
            for job in self._jobs.values():
                self._end(job, "stopped", "The server is stopping.")
            self._queue.clear()
            self._lock.notify_all()

    def _status(self, job: Job) -> Status:
        seconds_left = None
        if job.first is not None and job.done > job.first[1]:
            now = time.monotonic() if job.state == "running" else job.ended
            pace = (job.done - job.first[1]) / max(0.1, now - job.first[0])
            seconds_left = (1 - job.done) / pace
        return Status(
            state=job.state,
            place=self._queue.index(job) + 1 if job in self._queue else 0,
            done=job.done,
            seconds_left=seconds_left,
            result=job.result,
            note=job.note,
            others=max(0, len(job.seen) - 1),
        )

    def _work(self) -> None:
        """One worker's life: take the first job, see it through, again."""
        while True:
            with self._lock:
                while not self._queue and not self._is_closed:
                    self._lock.wait()
                if self._is_closed:
                    return
                job = self._queue.pop(0)
                job.state, job.began = "running", time.monotonic()
            try:
                self._run(job)
            except Exception:
                LOG.exception("the run of %s was lost", job.name)
                with self._lock:
                    self._end(job, "failed", "The run could not be started on this machine.")

    def _run(self, job: Job) -> None:
        with self._lock:
            if job.state != "running":
                return
            process = job.process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                cwd=Path(xlexplain.__file__).parents[1],  # where Python finds this package
            )
        assert process.stdin is not None
        assert process.stdout is not None
        with process:
            try:
                request = {"experiment": job.name, "settings": job.settings.to_json()}
                process.stdin.write(json.dumps(request) + "\n")
                process.stdin.flush()
                for line in process.stdout:
                    if line.endswith("\n"):  # or the worker was ended in the middle of it
                        self._read_answer(job, json.loads(line))
            except BrokenPipeError:
                process.kill()
            except (ValueError, LookupError, TypeError):
                LOG.exception("the run of %s sent what could not be read", job.name)
                with self._lock:
                    self._end(job, "failed", "The run sent something that could not be read.")
                process.kill()
            code = process.wait()
            with suppress(BrokenPipeError):
                process.stdin.close()
        with self._lock:
            self._end(job, "failed", exit_message(code))

    def _read_answer(self, job: Job, answer: dict[str, Any]) -> None:
        with self._lock:
            if job.state != "running":
                return
            if "record" in answer:
                job.record = Record.from_json(answer["record"])
                job.result, job.done = job.record.result, 1.0
                self._kept[job.key] = job.record
                self._kept.move_to_end(job.key)
                while len(self._kept) > self.limits.kept:
                    self._kept.popitem(last=False)
                self._end(job, "done", "")
            elif "error" in answer:
                LOG.error("the run of %s failed: %s", job.name, answer["error"])
                self._end(job, "failed", f"The run failed: {answer['error']}")
            else:
                job.done, job.result = answer["done"], answer["result"]
                job.first = job.first or (time.monotonic(), job.done)

    def _end(self, job: Job, state: State, note: str) -> None:
        """Give a job its last state; later calls change nothing."""
        if not job.is_active:
            return
        job.state, job.note, job.ended = state, note, time.monotonic()
        if job in self._queue:
            self._queue.remove(job)
        if job.process is not None and state != "done":
            job.process.kill()

    def _end_overdue(self) -> None:
        """Once a second: end what takes too long, and what nobody waits for."""
        while True:
            with self._lock:
                if self._is_closed:
                    return
                now = time.monotonic()
                for job in self._jobs.values():
                    if job.state == "running" and now - job.began > self.limits.seconds:
                        limit = f"{self.limits.seconds:g} s"
                        self._end(job, "stopped", f"The run reached the time limit of {limit}.")
                self._drop_unwanted()
                self._lock.wait(timeout=1.0)

    def _drop_unwanted(self) -> None:
        now = time.monotonic()
        for key, job in list(self._jobs.items()):
            for reader, last in list(job.seen.items()):
                is_here = self._is_here(reader)
                if now - last > (self.limits.silence if is_here else self.limits.absence):
                    del job.seen[reader]
            if not job.seen:
                self._end(job, "stopped", "Nobody waited for this run any more.")
                del self._jobs[key]


def exit_message(code: int) -> str:
    """A sentence about a worker that ended without an answer."""
    if code < 0:
        return (
            f"The run was ended by the system (signal {-code}), perhaps for lack of memory. "
            "You can run it again."
        )
    return f"The run ended without a result (code {code}). You can run it again."
