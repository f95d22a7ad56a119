"""The shipped models and their traces, built once for the whole server. Imports torch lazily."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from xlexplain.maths import ForwardTrace

if TYPE_CHECKING:
    from xlexplain.model.weights import Pretrained


@st.cache_resource(show_spinner="Loading the model…")
def pretrained(name: str) -> Pretrained:
    """A shipped model; one for all readers."""
    import torch

    from xlexplain.model import read_pretrained

    torch.set_num_threads(1)  # small models: more threads only get in each other's way
    return read_pretrained(name)


@st.cache_resource(max_entries=32, show_spinner="Running the model…")
def trace(name: str, text: str, *, segment_length: int, memory_depth: int) -> ForwardTrace:
    """The text streamed through a shipped model; one read-only trace for all who ask for it.

    A trace takes 3 MiB (L = 8, D = 1, a sample) to 17 MiB (L = 32, D = 4, the longest text); there
    is room for one text at every segment length.
    """
    from xlexplain.model import trace_text

    return trace_text(
        pretrained(name).model, text, segment_length=segment_length, memory_depth=memory_depth
    )
