"""The command line, alone and on a real cluster; and what it stores."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.serving import ROOT, free_port
from xlexplain.__main__ import main
from xlexplain.experiments import EXPERIMENTS, record, verdicts
from xlexplain.experiments.commands import asked_tasks, stored_tasks
from xlexplain.experiments.experiment import without_timing
from xlexplain.experiments.guess import TARGETS, GuessSettings
from xlexplain.experiments.record import Record, find_stored, make_record, stored_records
from xlexplain.experiments.reuse import ReuseSettings

SMALL = ["--set", "segment_length=4", "--set", "back=2", "--set", "steps=30"]


def invoke(*arguments: str) -> str:
    outcome = CliRunner().invoke(main, ["experiments", *arguments])
    assert outcome.exit_code == 0, outcome.output
    return outcome.output


def read(folder: Path) -> dict[str, dict[str, Any]]:
    return {path.name: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}


def results(folder: Path) -> dict[str, Any]:
    return {name: without_timing(values["result"]) for name, values in read(folder).items()}


def test_list_names_all_and_their_settings() -> None:
    listing = invoke("list")
    for one in EXPERIMENTS:
        assert one.name in listing
        assert one.claim in listing
    assert "memory_depth" in listing
    assert "x86_64" not in listing
    assert len(invoke("list", "--all").splitlines()) > len(stored_records())


def test_listing_needs_no_torch() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from xlexplain.__main__ import main; "
        "print(CliRunner().invoke(main, ['experiments', 'list']).exit_code, 'torch' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert answer.stdout.split() == ["0", "False"], answer.stderr


def test_run_stores_each_variant_and_seed(tmp_path: Path) -> None:
    output = invoke("run", "guess", *SMALL, "--seeds", "2", "--out", str(tmp_path))
    stored = read(tmp_path)
    assert len(stored) == 4
    assert output.count("stored ") == 4
    seen = {(one["settings"]["seed"], *one["result"]) for one in stored.values()}
    assert seen == {(0, "relative"), (0, "absolute"), (1, "relative"), (1, "absolute")}
    for one in stored.values():
        assert one["made"]["machine"].split(", ")[1] == "1 thread"
        assert time.strptime(one["made"]["date"], "%Y-%m-%d")
        again = Record.from_json(one)
        assert without_timing(make_record("guess", again.settings).result) == without_timing(
            again.result
        )


def test_several_values_of_a_setting_are_a_grid() -> None:
    pairs = ["back=2", "layers=1", "back=4", "layers=2", "back=2"]
    tasks = asked_tasks(["guess"], pairs, seeds=2)
    assert len(tasks) == len(set(tasks)) == 2 * 2 * 2 * 2
    seen = {
        (one.back, one.layers, one.seed, *one.variants)
        for _, one in tasks
        if isinstance(one, GuessSettings)
    }
    assert seen == set(product((2, 4), (1, 2), (0, 1), ("relative", "absolute")))


def test_all_takes_seeds_and_runs_nothing_twice() -> None:
    usual = stored_tasks(["guess"], seeds=1)
    assert {settings.seed for _, settings in usual} == {0, 1, 2}
    tasks = stored_tasks(["guess"], seeds=5)
    assert set(tasks) == {
        (name, replace(settings, seed=seed)) for name, settings in usual for seed in range(5)
    }
    assert len(tasks) == len(set(tasks))


def test_list_reads_another_folder(tmp_path: Path) -> None:
    invoke("run", "guess", *SMALL, "--out", str(tmp_path))
    listing = invoke("list", "--all", "--out", str(tmp_path))
    assert all(path.name in listing for path in tmp_path.glob("*.json"))
    assert listing.count("nothing stored") == len(EXPERIMENTS) - 1


@pytest.mark.parametrize("content", ["", "{}", "[]", "{", '{"experiment": "other", "made": 3}'])
def test_a_file_that_is_no_result_is_named_and_the_others_stand(
    tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    invoke("run", "guess", *SMALL, "--out", str(tmp_path))
    (tmp_path / "a-broken-one.json").write_text(content)
    outcome = CliRunner().invoke(main, ["experiments", "list", "--out", str(tmp_path)])
    assert outcome.exit_code == 1
    assert "2 runs stored" in outcome.output
    assert "a-broken-one.json: " in outcome.output
    assert "a-broken-one.json is no result" in caplog.text
    settings = GuessSettings(segment_length=4, back=2, steps=30)
    assert find_stored("guess", settings, folder=tmp_path) is not None


def test_parts_are_put_together(tmp_path: Path) -> None:
    invoke("run", "guess", *SMALL, "--out", str(tmp_path))
    settings = GuessSettings(segment_length=4, back=2, steps=30)
    found = find_stored("guess", settings, folder=tmp_path)
    assert found is not None
    assert tuple(found.result) == ("relative", "absolute")
    assert find_stored("guess", GuessSettings(seed=99), folder=tmp_path) is None


def test_result_of_other_weights_is_not_shown(tmp_path: Path) -> None:
    invoke("run", "text", "--set", "text=abcd", "--set", "segment_length=2", "--out", str(tmp_path))
    (path,) = tmp_path.glob("*.json")
    values = json.loads(path.read_text())
    kept = Record.from_json(values)
    assert record.is_current(kept)
    values["result"]["absolute"]["weights_sha256"] = "0" * 64
    assert not record.is_current(Record.from_json(values))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run"], "need --all or some of"),
        (["run", "nothing"], "is not one of"),
        (["run", "guess", "--set", "depth=2"], "need settings among"),
        (["run", "guess", "--set", "back=0"], "need a whole number back"),
        (["run", "guess", "--set", "learning_rate=fast"], "need 0 < learning_rate < 1, got 'fast'"),
        (["run", "guess", "--set", "learning_rate=null"], "need 0 < learning_rate < 1, got None"),
        (["run", "guess", "--set", "variants=5"], "need variants among relative, absolute, got 5"),
        (["run", "guess", "--set", 'variants=[["a"]]'], "need variants among"),
        (["run", "chop", "--set", 'variants={"relative": 1}'], "need variants among"),
        (["run", "reuse", "--set", "lengths=5"], "need attention lengths from 1 to 4000, got 5"),
        (["run", "reuse", "--set", "lengths=[true]"], "need attention lengths from 1 to 4000"),
        (["run", "text", "--set", "seed=[1]"], "need a whole number seed"),
        (["run", "guess", "--set", "seed=1", "--seeds", "2"], "need --seeds or --set seed"),
        (["run", "--all", "--set", "back=2"], "--all has its own settings"),
        (["list", "--out", "nowhere"], "Directory 'nowhere' does not exist"),
        (["run", "chop", "--distributed", "tcp://127.0.0.1:1"], "need a Dask scheduler at"),
    ],
)
def test_mistakes_are_sentences(
    arguments: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xlexplain.experiments.distribute.SECONDS_TO_CONNECT", 1)
    outcome = CliRunner().invoke(main, ["experiments", *arguments])
    assert outcome.exit_code != 0
    assert sentence in outcome.output
    assert "Traceback" not in outcome.output


@contextmanager
def started(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends with the block."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd=ROOT,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(timeout=20)


def wait_for_files(folder: Path, *, count: int, seconds: float) -> None:
    end = time.monotonic() + seconds
    while len(list(folder.glob("*.json"))) < count:
        assert time.monotonic() < end, f"{count} results did not come within {seconds} s"
        time.sleep(0.05)


def test_cluster_that_loses_a_worker_gives_all_results(tmp_path: Path) -> None:
    """A scheduler and two workers, each a process; one is killed when some results are there."""
    alone, spread = tmp_path / "alone", tmp_path / "spread"
    arguments = ["run", "guess", *SMALL, "--seeds", "6"]
    invoke(*arguments, "--out", str(alone))
    address = f"tcp://127.0.0.1:{free_port()}"
    port = address.rpartition(":")[2]
    local = ["--host", "127.0.0.1", "--no-dashboard"]
    with ExitStack() as stack:
        scheduler = ["distributed.cli.dask_scheduler", "--port", port, *local]
        stack.enter_context(started(*scheduler))
        worker = [
            "distributed.cli.dask_worker", address, *local, "--no-nanny", "--nthreads", "1",
            "--local-directory", str(tmp_path / "scratch"),
        ]  # fmt: skip
        first, second = (stack.enter_context(started(*worker)) for _ in range(2))
        command = ["xlexplain", "experiments", *arguments, "--out", str(spread)]
        run = stack.enter_context(started(*command, "--distributed", address))
        wait_for_files(spread, count=2, seconds=120)
        assert run.poll() is None
        first.kill()
        assert run.wait(timeout=180) == 0
        assert second.poll() is None
    assert results(spread) == results(alone)
    assert len(results(spread)) == 12


def test_stored_results_are_all_there_and_of_the_shipped_weights() -> None:
    for one in EXPERIMENTS:
        for settings in one.stored:
            assert find_stored(one.name, settings) is not None, (
                f"need a stored result for {one.name} {settings}: python -m xlexplain experiments "
                f"run {one.name} --all --out xlexplain/experiments/stored"
            )
    known = {(one.name, part) for one in EXPERIMENTS for s in one.stored for part in s.parts()}
    assert set(stored_records()) == known, "there are stored results that nobody shows"


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(("L", "D", "K"), TARGETS)
def test_stored_training_meets_the_law(L: int, D: int, K: int, seed: int) -> None:
    settings = GuessSettings(segment_length=L, memory_depth=D, back=K, seed=seed)
    found = find_stored("guess", settings)
    assert found is not None
    assert verdicts.guess_holds(settings, found.result)
    assert min(found.result["relative"]["accuracy"]) > 0.99
    assert found.result["relative"]["timing"]["seconds_to_99"] < 15


def test_stored_reuse_is_the_same_function_for_one_layer_only() -> None:
    found = find_stored("reuse", ReuseSettings())
    assert found is not None
    assert found.result["difference"][0] <= 1e-12
    assert min(found.result["difference"][1:]) > 0.1
    assert verdicts.reuse_holds(found.result)


def test_stored_commands_make_the_same_settings() -> None:
    for (name, settings), one in stored_records().items():
        words = shlex.split(one.command)
        assert words[:6] == ["python", "-m", "xlexplain", "experiments", "run", name]
        pairs = dict(pair.split("=", 1) for pair in words[7::2])
        assert type(settings)().with_text_values(pairs) == settings


def test_stored_results_name_the_machine_in_general_words_only() -> None:
    for one in stored_records().values():
        words = one.machine.split(", ")
        assert len(words) == 3
        assert words[2].startswith("torch ")
