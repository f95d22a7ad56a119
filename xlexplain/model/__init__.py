"""A small Transformer-XL: the model, its training, its weights, and records of what it computes."""

from xlexplain.model.config import XLConfig
from xlexplain.model.corpus import Vocabulary
from xlexplain.model.tracing import trace_text
from xlexplain.model.transformer_xl import TransformerXL
from xlexplain.model.weights import VARIANTS, load_pretrained, read_pretrained

__all__ = [
    "VARIANTS",
    "TransformerXL",
    "Vocabulary",
    "XLConfig",
    "load_pretrained",
    "read_pretrained",
    "trace_text",
]
