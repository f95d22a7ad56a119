"""The study takes up what is its own, and nothing else that lies in the folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.model.test_training import TEXT, TINY
from xlexplain.model import corpus as corpora
from xlexplain.model import study
from xlexplain.model.train import Run, finish, train

RATE = 1e-3
OTHER_TEXT = TEXT.replace("fox", "cat")


@pytest.fixture(autouse=True)
def small_study(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    threads = torch.get_num_threads()
    monkeypatch.setattr(study, "TrainConfig", lambda: TINY)
    monkeypatch.setattr(study, "SEARCH_STEPS", 16)
    monkeypatch.setattr(corpora, "python_reference", lambda: corpora.split("fox", TEXT))
    monkeypatch.setattr("xlexplain.model.train.EVALUATED_LENGTHS", (4,))
    yield
    torch.set_num_threads(threads)


def store(run: Run) -> None:
    for model, vocabulary, progress in train(run):  # noqa: B007
        pass
    finish(run, model, vocabulary, progress, command="by hand")


def card(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "relative-seed0.json").read_text())
    return read


def test_finished_run_is_left_alone(tmp_path: Path) -> None:
    study.full_run("relative", 0, RATE, tmp_path)
    weights = tmp_path / "relative-seed0.safetensors"
    written = weights.stat().st_mtime_ns
    study.full_run("relative", 0, RATE, tmp_path)
    assert weights.stat().st_mtime_ns == written
    assert card(tmp_path)["command"] == "python -m xlexplain.model.study"


@pytest.mark.parametrize(("steps", "text"), [(8, TEXT), (TINY.steps, OTHER_TEXT)])
def test_model_of_other_steps_or_text_is_not_taken(tmp_path: Path, steps: int, text: str) -> None:
    config = replace(TINY, steps=steps, learning_rate=RATE)
    run = Run("relative", 0, config, corpora.split("other", text), tmp_path)
    store(run)
    with pytest.raises(ValueError, match="other settings or another text; give another --out"):
        study.full_run("relative", 0, RATE, tmp_path)
    run.checkpoint.unlink()
    study.full_run("relative", 0, RATE, tmp_path)
    assert card(tmp_path)["training"]["steps"] == TINY.steps
    assert card(tmp_path)["corpus"]["sha256"] == corpora.split("fox", TEXT).sha256


def test_search_takes_a_result_of_its_own_run_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = study.search_run("relative", RATE, tmp_path)
    (result,) = (tmp_path / "search-0.001").glob("relative.json")
    result.write_text(json.dumps({**json.loads(result.read_text()), "bits": 0.5}))
    assert study.search_run("relative", RATE, tmp_path) == {"learning_rate": RATE, "bits": 0.5}
    result.write_text(json.dumps({"learning_rate": RATE, "bits": 0.5}))
    assert study.search_run("relative", RATE, tmp_path) == found
    monkeypatch.setattr(study, "SEARCH_STEPS", 24)
    with pytest.raises(ValueError, match="other settings"):
        study.search_run("relative", RATE, tmp_path)
