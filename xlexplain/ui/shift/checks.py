"""The shift against the direct look-up: the same scores, and the time both take here."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st

from xlexplain.maths import distance_lookup, rel_shift, relative_sinusoids
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.shift_cost import scores_by_pair, scores_by_shift
from xlexplain.maths.words import counted
from xlexplain.ui import models
from xlexplain.ui.shift.scores import MODEL, LiveScores

SECONDS = 0.12  # for both ways together
LEAST_RUNS, MOST_RUNS = 10, 100


@dataclass(frozen=True)
class Checked:
    """Shifted scores against direct look-up, over the visible pairs.

    Attributes:
        direct: (L, S) float64, each pair's R[M+i-j] projected and multiplied by itself.
        pairs: how many are visible.
        largest: the largest score among them.
        moved: largest difference between a score in its old and in its new place.
        computed: largest difference between the shifted scores and `direct`.
    """

    direct: FloatArray
    pairs: int
    largest: float
    moved: float
    computed: float


@st.cache_resource(max_entries=128, show_spinner=False)
def check(signature: str, _live: LiveScores) -> Checked:
    """Compare every visible pair; `signature` names the scores for the cache."""
    trace, head = _live.layer_trace, _live.settings.head
    if trace.v is None:
        raise ValueError(f"need a model with relative positions, got {MODEL!r}")
    L, S = _live.by_distance.shape
    weight = position_weight(layer=_live.settings.layer, head=head)
    query = trace.query[head].astype(np.float64) + trace.v[head]
    direct = scores_by_pair(query, relative_sinusoids(S, weight.shape[1]), weight)
    column = distance_lookup(segment_length=L, key_count=S)
    is_visible = column >= 0
    looked_up = np.take_along_axis(_live.by_distance, np.maximum(column, 0), axis=1)
    shifted = rel_shift(_live.by_distance)
    return Checked(
        direct=direct,
        pairs=int(is_visible.sum()),
        largest=float(np.abs(shifted[is_visible]).max()),
        moved=float(np.abs(shifted - looked_up)[is_visible].max()),
        computed=float(np.abs(shifted - direct)[is_visible].max()),
    )


def position_weight(*, layer: int, head: int) -> FloatArray:
    """(d_head, C) float64 the shipped model's projection of R for one head."""
    model = models.pretrained(MODEL).model
    d_head = model.config.d_head
    weight = model.get_parameter(f"layers.{layer}.attention.relative_key.weight").detach().numpy()
    rows: FloatArray = weight[head * d_head : (head + 1) * d_head].astype(np.float64)
    return rows


@dataclass(frozen=True)
class Timing:
    """Fastest runs of both ways, in seconds, and what each copies, in bytes."""

    by_pair: float
    by_shift: float
    runs: int
    gathered: int
    padded: int


@st.cache_data(max_entries=512, show_spinner=False)
def time_both(*, segment_length: int, key_count: int) -> Timing:
    """Time one head's b + d in float32 both ways, for L queries and S keys."""
    weight = position_weight(layer=0, head=0).astype(np.float32)
    table = relative_sinusoids(key_count, weight.shape[1]).astype(np.float32)
    query = np.random.default_rng(0).normal(size=(segment_length, weight.shape[0]))
    query = query.astype(np.float32)
    (by_pair, by_shift), runs = fastest(
        lambda: scores_by_pair(query, table, weight),
        lambda: scores_by_shift(query, table, weight),
    )
    return Timing(
        by_pair=by_pair,
        by_shift=by_shift,
        runs=runs,
        gathered=segment_length * key_count * weight.shape[1] * table.itemsize,
        padded=segment_length * (key_count + 1) * table.itemsize,
    )


def fastest(*ways: Callable[[], object]) -> tuple[list[float], int]:
    """Seconds of each way's fastest run, and how many runs it had.

    The ways take turns, so that whatever else the machine does slows all of them alike.
    """
    best, runs = [float("inf")] * len(ways), 0
    end = time.perf_counter() + SECONDS
    while runs < LEAST_RUNS or (runs < MOST_RUNS and time.perf_counter() < end):
        for number, work in enumerate(ways):
            start = time.perf_counter()
            work()
            best[number] = min(best[number], time.perf_counter() - start)
        runs += 1
    return best, runs


@st.cache_data(show_spinner=False)
def machine_name() -> str:
    """Processor, cores and NumPy of the machine that the timing ran on."""
    name = platform.processor() or platform.machine()
    cpu_info = Path("/proc/cpuinfo")
    if cpu_info.exists():
        lines = cpu_info.read_text(encoding="utf-8", errors="replace").splitlines()
        models_named = [line.partition(":")[2].strip() for line in lines if "model name" in line]
        name = models_named[0] if models_named else name
    cores = os.cpu_count() or 1
    return f"{name}, {counted(cores, 'core')}, NumPy {np.__version__}"
