"""Weights drawn from a seed, whatever else the process does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

import torch

Made = TypeVar("Made")
ONE_AT_A_TIME = threading.Lock()  # torch draws initial weights from one generator for all threads


def seeded(seed: int, make: Callable[[], Made]) -> Made:
    """What `make` makes right after the seed is set; the generator's state is put back."""
    with ONE_AT_A_TIME, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return make()
