"""The shape of a model."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

Position = Literal["relative", "absolute"]


@dataclass(frozen=True)
class XLConfig:
    """Everything that fixes a model's weights' shapes; lengths are given at call time instead.

    Attributes:
        vocab_size: V.
        d_model: C, even.
        n_layer, n_head: layers, and heads H a layer.
        d_head: width of one head; H·d_head need not equal C.
        d_inner: width of the feed-forward layer.
        position: "relative" (Dai et al. 2019) or "absolute" (sinusoids 0..L-1 added to the
            embeddings of every segment, section 3.3's naive scheme).
        has_memory: whether the model was trained to use memory; it runs with any either way.
        dropout: share of activations dropped in training.
    """

    vocab_size: int
    d_model: int = 128
    n_layer: int = 4
    n_head: int = 4
    d_head: int = 32
    d_inner: int = 512
    position: Position = "relative"
    has_memory: bool = True
    dropout: float = 0.0

    def __post_init__(self) -> None:
        for name in ("vocab_size", "d_model", "n_layer", "n_head", "d_head", "d_inner"):
            value = getattr(self, name)
            if not isinstance(value, int) or value < 1:
                raise ValueError(f"need a whole number {name} >= 1, got {value!r}")
        if self.d_model % 2:
            raise ValueError(f"need an even d_model for the sinusoids, got {self.d_model}")
        if self.position not in get_args(Position):
            raise ValueError(f"need position 'relative' or 'absolute', got {self.position!r}")
        if not 0.0 <= self.dropout < 1.0:
            raise ValueError(f"need 0 <= dropout < 1, got {self.dropout}")

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values; `XLConfig(**config.to_json())` is equal."""
        return asdict(self)
