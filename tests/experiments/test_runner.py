"""The queue, with small stand-ins for the worker process; and the real worker process."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from xlexplain.experiments import work
from xlexplain.experiments.chop import ChopSettings
from xlexplain.experiments.record import make_record
from xlexplain.experiments.runner import COMMAND, Limits, QueueFullError, Runner, Status

RECORD = """
record = {"experiment": request["experiment"], "settings": request["settings"],
          "made": {"date": "2026-01-01", "machine": "a test", "seconds": 0.1}, "result": {"a": 1}}
"""
READ = "import json, sys, time, os; request = json.loads(sys.stdin.readline())" + RECORD
TELL = "print(json.dumps({'done': 0.5, 'result': {'half': True}}), flush=True); "
FINISH = "print(json.dumps({'record': record}), flush=True)"
QUICK = READ + FINISH
ENDLESS = READ + TELL + "time.sleep(60)"
LIMITS = Limits(absence=0.5, silence=1.5)
START = Callable[..., Runner]
TEXT = ChopSettings(text="ab", longest=2)
OTHER = replace(TEXT, text="abc")
THIRD = replace(TEXT, text="abcd")


@pytest.fixture
def start() -> Iterator[START]:
    runners: list[Runner] = []

    def make(script: str, limits: Limits = LIMITS, **options: object) -> Runner:
        runner = Runner(limits, command=(sys.executable, "-c", script), **options)  # type: ignore[arg-type]
        runners.append(runner)
        return runner

    yield make
    for runner in runners:
        runner.close()


def wait_for(
    runner: Runner,
    is_so: Callable[[Status], bool],
    *,
    settings: ChopSettings = TEXT,
    reader: str = "ann",
    seconds: float = 20,
) -> Status:
    """Look, as a page does, until it is so."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        view = runner.status("chop", settings, reader)
        if view is not None and is_so(view):
            return view
        time.sleep(0.05)
    raise AssertionError(f"not within {seconds} s; the last view was {view}")


def gone(runner: Runner, settings: ChopSettings, *, seconds: float = 20) -> bool:
    """Whether the run is dropped in time; asks without becoming one who waits for it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if ("chop", settings) not in runner._jobs:
            return True
        time.sleep(0.05)
    return False


def test_result_is_kept_under_its_settings(start: START) -> None:
    runner = start(QUICK)
    assert runner.kept("chop", TEXT) is None
    runner.ask("chop", TEXT, "ann")
    view = wait_for(runner, lambda view: view.state == "done")
    assert view.result == {"a": 1}
    record = runner.kept("chop", TEXT)
    assert record is not None
    assert record.result == {"a": 1}
    assert runner.kept("chop", OTHER) is None


def test_only_so_many_results_are_kept(start: START) -> None:
    runner = start(QUICK, replace(LIMITS, kept=2))
    for settings in (TEXT, OTHER, THIRD):
        runner.ask("chop", settings, "ann")
        wait_for(runner, lambda view: view.state == "done", settings=settings)
    assert runner.kept("chop", TEXT) is None
    assert runner.kept("chop", THIRD) is not None


def test_readers_see_their_place_and_move_up(start: START) -> None:
    runner = start(ENDLESS)
    readers = {"ann": TEXT, "bob": OTHER, "cy": THIRD}
    for reader, settings in readers.items():
        runner.ask("chop", settings, reader)
    wait_for(runner, lambda view: view.state == "running" and view.done == 0.5)
    assert wait_for(runner, bool, settings=OTHER, reader="bob").place == 1
    assert wait_for(runner, bool, settings=THIRD, reader="cy").place == 2
    stopped = runner.stop("chop", TEXT, "ann")
    assert stopped is not None
    assert stopped.result == {"half": True}
    moved = wait_for(runner, lambda view: view.state == "running", settings=OTHER, reader="bob")
    assert moved.place == 0
    assert wait_for(runner, bool, settings=THIRD, reader="cy").place == 1


def test_same_settings_are_one_run_that_ends_with_the_last_reader(start: START) -> None:
    runner = start(ENDLESS)
    runner.ask("chop", TEXT, "ann")
    assert runner.ask("chop", TEXT, "bob").others == 1
    runner.stop("chop", TEXT, "ann")
    view = wait_for(runner, lambda view: view.done == 0.5, reader="bob")
    assert (view.state, view.others) == ("running", 0)
    runner.stop("chop", TEXT, "bob")
    assert gone(runner, TEXT)


def test_no_process_is_left_after_a_stop(start: START) -> None:
    runner = start(ENDLESS)
    runner.ask("chop", TEXT, "ann")
    wait_for(runner, lambda view: view.done == 0.5)
    process = runner._jobs["chop", TEXT].process
    assert process is not None
    runner.stop("chop", TEXT, "ann")
    process.wait(timeout=10)
    assert not psutil.pid_exists(process.pid) or process.returncode is not None


def test_reader_who_left_does_not_count(start: START) -> None:
    here = {"ann", "bob"}
    runner = start(ENDLESS, is_here=lambda reader: reader in here)
    runner.ask("chop", TEXT, "ann")
    runner.ask("chop", OTHER, "bob")
    here.remove("ann")
    wait_for(runner, lambda view: view.state == "running", settings=OTHER, reader="bob")
    assert ("chop", TEXT) not in runner._jobs


def test_silent_reader_does_not_count(start: START) -> None:
    runner = start(ENDLESS)
    runner.ask("chop", TEXT, "ann")
    assert gone(runner, TEXT)


def test_asking_for_other_settings_leaves_the_first_run(start: START) -> None:
    runner = start(ENDLESS)
    runner.ask("chop", TEXT, "ann")
    runner.ask("chop", OTHER, "ann")
    assert ("chop", TEXT) not in runner._jobs
    wait_for(runner, lambda view: view.state == "running", settings=OTHER)


def test_time_limit_stops_and_keeps_what_there_is(start: START) -> None:
    runner = start(ENDLESS, replace(LIMITS, seconds=1.0))
    runner.ask("chop", TEXT, "ann")
    view = wait_for(runner, lambda view: view.state == "stopped")
    assert view.note == "The run reached the time limit of 1 s."
    assert view.result == {"half": True}
    assert runner.kept("chop", TEXT) is None


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (READ + "os._exit(3)", "The run ended without a result (code 3)"),
        (READ + "os.kill(os.getpid(), 9)", "ended by the system (signal 9)"),
        (READ + "print(json.dumps({'error': 'ValueError: no'}))", "The run failed: ValueError: no"),
        (READ + "print('not JSON', flush=True); time.sleep(60)", "that could not be read."),
        (READ + "print('[]', flush=True); time.sleep(60)", "that could not be read."),
        (READ + "print('{\"a', end='', flush=True); os.kill(os.getpid(), 9)", "(signal 9)"),
        ("import sys; sys.exit(1)", "The run ended without a result (code 1)"),
    ],
)
def test_crash_is_a_sentence_and_the_next_run_works(
    start: START, script: str, sentence: str
) -> None:
    runner = start(script)
    runner.ask("chop", TEXT, "ann")
    view = wait_for(runner, lambda view: not view.is_active)
    assert view.state == "failed"
    assert sentence in view.note
    runner._command = (sys.executable, "-c", QUICK)
    runner.ask("chop", TEXT, "ann")
    wait_for(runner, lambda view: view.state == "done")


def test_what_cannot_be_read_is_logged_and_its_worker_ended(
    start: START, caplog: pytest.LogCaptureFixture
) -> None:
    runner = start(READ + "print('not JSON', flush=True); time.sleep(60)")
    runner.ask("chop", TEXT, "ann")
    process = None
    while process is None:
        process = runner._jobs["chop", TEXT].process
    assert process.wait(timeout=20) == -9
    view = wait_for(runner, lambda view: view.state == "failed")
    assert view.note == "The run sent something that could not be read."
    assert "JSONDecodeError" in caplog.text


def test_command_that_does_not_exist_is_a_sentence(start: START) -> None:
    runner = start(QUICK)
    runner._command = ("/nonexistent/command",)
    runner.ask("chop", TEXT, "ann")
    view = wait_for(runner, lambda view: view.state == "failed")
    assert view.note == "The run could not be started on this machine."


def test_full_queue_refuses(start: START) -> None:
    runner = start(ENDLESS, replace(LIMITS, waiting=1))
    runner.ask("chop", TEXT, "ann")
    wait_for(runner, lambda view: view.state == "running")
    runner.ask("chop", OTHER, "bob")
    with pytest.raises(QueueFullError, match="1 runs are waiting already"):
        runner.ask("chop", THIRD, "cy")


def test_refusal_leaves_the_readers_other_run(start: START) -> None:
    runner = start(ENDLESS, replace(LIMITS, waiting=1, silence=60.0))
    runner.ask("chop", TEXT, "ann")
    runner.ask("chop", TEXT, "dan")
    runner.ask("chop", OTHER, "bob")
    with pytest.raises(QueueFullError):
        runner.ask("chop", THIRD, "ann")
    view = runner.status("chop", TEXT, "dan")
    assert view is not None
    assert view.is_active
    assert view.others == 1


def test_run_that_the_reader_leaves_makes_room(start: START) -> None:
    runner = start(ENDLESS, replace(LIMITS, waiting=1))
    runner.ask("chop", TEXT, "ann")
    runner.ask("chop", OTHER, "bob")
    assert runner.ask("chop", THIRD, "ann").is_active
    assert ("chop", TEXT) not in runner._jobs


def test_free_worker_takes_a_run_when_none_may_wait(start: START) -> None:
    runner = start(ENDLESS, replace(LIMITS, waiting=0))
    runner.ask("chop", TEXT, "ann")
    wait_for(runner, lambda view: view.state == "running")
    with pytest.raises(QueueFullError):
        runner.ask("chop", OTHER, "bob")


def test_two_workers_run_two(start: START) -> None:
    runner = start(ENDLESS, replace(LIMITS, workers=2))
    for reader, settings in {"ann": TEXT, "bob": OTHER}.items():
        runner.ask("chop", settings, reader)
    for reader, settings in {"ann": TEXT, "bob": OTHER}.items():
        wait_for(runner, lambda view: view.done == 0.5, settings=settings, reader=reader)


def test_limits_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XLEXPLAIN_WORKERS", "3")
    monkeypatch.setenv("XLEXPLAIN_SECONDS", "12.5")
    assert Limits.from_environment() == Limits(workers=3, seconds=12.5)
    monkeypatch.setenv("XLEXPLAIN_WORKERS", "-1")
    with pytest.raises(ValueError, match="need 0 to 64 workers"):
        Limits.from_environment()
    monkeypatch.setenv("XLEXPLAIN_WORKERS", "two")
    with pytest.raises(ValueError, match="need a whole number in XLEXPLAIN_WORKERS, got 'two'"):
        Limits.from_environment()


def test_worker_runs_where_the_system_knows_no_niceness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "nice")
    monkeypatch.setattr(work, "end_with", lambda descriptor: None)
    request, answers = tmp_path / "request.json", io.StringIO()
    request.write_text(json.dumps({"experiment": "chop", "settings": {"weights": "none"}}))
    with request.open() as requests:
        work.main(requests, answers)
    assert "need weights among" in json.loads(answers.getvalue())["error"]


def test_worker_process_gives_the_result_of_a_run_here() -> None:
    runner = Runner(Limits())
    try:
        runner.ask("chop", TEXT, "ann")
        view = wait_for(runner, lambda view: not view.is_active, seconds=60)
        assert view.state == "done", view.note
        assert view.result == make_record("chop", TEXT).result
    finally:
        runner.close()


def test_worker_process_says_what_is_wrong() -> None:
    request = {"experiment": "guess", "settings": {"back": 0}}
    worker = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with worker:  # its input stays open: a worker whose server is gone ends without an answer
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(json.dumps(request) + "\n")
        worker.stdin.flush()
        answer = json.loads(worker.stdout.readline())
        worker.stdin.close()
        worker.wait(timeout=20)
    assert answer["error"].startswith("ValueError: need a whole number back")


def test_worker_process_ends_when_its_server_is_gone() -> None:
    worker = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        request = {"experiment": "guess", "settings": {"layers": 2}}
        worker.stdin.write(json.dumps(request) + "\n")
        worker.stdin.flush()
        assert 0 < json.loads(worker.stdout.readline())["done"] < 1
        worker.stdin.close()
        worker.wait(timeout=20)
