"""The benchmark beside Hugging Face's model, with our own in its place."""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
import torch
from click.testing import CliRunner

from xlexplain.model import TransformerXL

OFF = {"by": 0.0}  # how far their hidden states are from ours


def ours_again(ours: TransformerXL, *, memory_length: int) -> Callable[..., Any]:
    def call(ids: torch.Tensor, memory: Any) -> Any:
        record: list[Any] = []
        _, memory = ours(ids, memory, memory_length=memory_length, record=record)
        return record[0].hidden + OFF["by"], memory

    return call


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    theirs = SimpleNamespace(Theirs=object, with_our_weights=ours_again)
    with patch.dict(sys.modules, {"benchmarks.hugging_face": theirs}):
        sys.modules.pop("benchmarks.model", None)
        module = importlib.import_module("benchmarks.model")
        monkeypatch.setattr(module, "CASES", (module.Case(1, 16, 2, 4, 8, 1),))
        figures = {"forward": 1.0, "step": 1.0, "recording": 1.0}
        monkeypatch.setattr(module, "measure", lambda case, rounds: figures)
        monkeypatch.setattr(torch, "set_num_threads", lambda count: None)
        yield module


@pytest.mark.parametrize(("by", "code"), [(0.0, 0), (9e-6, 0), (2e-5, 1), (math.nan, 1)])
def test_outputs_that_differ_end_the_benchmark(
    benchmark: ModuleType, monkeypatch: pytest.MonkeyPatch, by: float, code: int
) -> None:
    monkeypatch.setitem(OFF, "by", by)
    outcome = CliRunner().invoke(benchmark.main, ["--threads", "1"])
    assert outcome.exit_code == code, outcome.output
    assert ("need outputs within 1e-05 of Hugging Face's" in outcome.output) is bool(code)
