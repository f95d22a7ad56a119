"""Small models in float64 for the laws."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from xlexplain.model import TransformerXL, XLConfig


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """As in the app: on several threads equal rows may be rounded differently."""
    torch.set_num_threads(1)


def small_model(seed: int = 0, **changes: Any) -> TransformerXL:
    """Two layers, every weight random (biases and u, v too), float64, evaluation mode."""
    sizes: dict[str, Any] = {
        "vocab_size": 13,
        "d_model": 16,
        "n_layer": 2,
        "n_head": 2,
        "d_head": 6,
        "d_inner": 24,
    }
    torch.manual_seed(seed)
    model = TransformerXL(XLConfig(**{**sizes, **changes})).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.3)
    return model.eval().requires_grad_(False)


def some_ids(*shape: int, seed: int = 1, vocab_size: int = 13) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(vocab_size, shape, generator=generator)


@pytest.fixture
def model() -> TransformerXL:
    return small_model()
