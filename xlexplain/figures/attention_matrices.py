"""L × S matrices of one head: the terms, before and after the shift, the score, the weights."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from xlexplain.figures.attention_scores import (
    against_bound,
    colours,
    segment_groups,
)
from xlexplain.figures.labels import percent, signed
from xlexplain.figures.theme import Palette
from xlexplain.maths import AttentionTrace
from xlexplain.maths.arrays import BoolArray, FloatArray
from xlexplain.maths.cells import CellCheck

Scale = Literal["diverging", "sequential"]
Columns = Literal["keys", "distances"]


@dataclass(frozen=True)
class MatrixPanel:
    """One matrix to draw.

    Attributes:
        name, caption: what the heading starts with, and a line under it.
        values: (L, S).
        is_masked: (L, S) True for cells that are hatched; they have no value.
        columns: what a column is. "distances": column r is distance S-1-r.
    """

    name: str
    caption: str
    values: FloatArray
    is_masked: BoolArray
    scale: Scale = "diverging"
    columns: Columns = "keys"

    @property
    def limit(self) -> float:
        """The end of the colour scale: the largest absolute value that is not masked, or 0."""
        seen = np.abs(self.values[~self.is_masked])
        return float(seen.max()) if seen.size else 0.0

    @property
    def finding(self) -> str:
        """What the matrix shows, in words: its value farthest from 0, and where."""
        size = np.where(self.is_masked, -1, np.abs(self.values))
        query, column = np.unravel_index(int(size.argmax()), size.shape)
        if size[query, column] < 0:
            return "every cell is masked"
        if size[query, column] == 0:
            return "every value is 0"
        value = float(self.values[query, column])
        shown = percent(value, 1) if self.scale == "sequential" else signed(value)
        place = (
            f"key {column}"
            if self.columns == "keys"
            else (f"distance {self.values.shape[1] - 1 - column}")
        )
        what = "the largest" if self.scale == "sequential" else "farthest from 0"
        return f"{what} is {shown}, at query {query} and {place}"


def head_panels(layer: AttentionTrace, *, head: int) -> list[MatrixPanel]:
    """What one head computed, in the order of the computation; an absolute model has no b + d."""
    is_masked = layer.is_masked
    panels = [
        MatrixPanel("a + c", "what the key is", layer.ac[head], is_masked),
    ]
    if layer.bd_by_distance is not None:
        panels += [
            MatrixPanel(
                "b + d by distance",
                "before the shift: distances",
                layer.bd_by_distance[head],
                is_unused(layer.ac.shape[1], layer.ac.shape[2]),
                columns="distances",
            ),
            MatrixPanel(
                "b + d by key",
                "after the shift: keys",
                layer.bd[head],
                is_masked,
            ),
        ]
    return [
        *panels,
        MatrixPanel(
            f"score: sum ÷ √{layer.query.shape[-1]}",
            "(a + b + c + d) ÷ √d_head",
            (layer.ac[head] + layer.bd[head]) * np.float32(layer.scale),
            is_masked,
        ),
        weights_panel(layer, head=head),
    ]


def weights_panel(
    layer: AttentionTrace, *, head: int, name: str = "weights", caption: str = "softmax of a row"
) -> MatrixPanel:
    """The probabilities of one head."""
    return MatrixPanel(name, caption, layer.probs[head], layer.is_masked, scale="sequential")


def is_unused(query_count: int, key_count: int) -> BoolArray:
    """(L, S) True where column r of query i is a distance at which there is no key."""
    query = np.arange(query_count)[:, None]
    return np.asarray(np.arange(key_count)[None, :] < query_count - 1 - query)


def matrices(
    panels: Sequence[MatrixPanel],
    *,
    tokens: Sequence[str],
    memory_length: int,
    ages: Sequence[int],
    query: int,
    key: int,
    palette: Palette,
    check: Sequence[Sequence[str]] = (),
    note: str = "",
    is_for_choosing: bool = True,
) -> dict[str, Any]:
    """What the matrix component draws.

    Args:
        tokens: (S,) the keys' tokens; the last L of them are the queries'.
        ages: (S,) segments ago.
        check: rows of the table beside the matrices; note: a line under it.
        is_for_choosing: whether a click on a cell means something to the page.
    """
    return {
        "panels": [panel_data(panel) for panel in panels],
        "tokens": list(tokens),
        "memory": memory_length,
        "groups": segment_groups(ages, palette=palette),
        "query": query,
        "key": key,
        "check": [list(row) for row in check],
        "note": note,
        "choosing": is_for_choosing,
        "colours": colours(palette),
        "scales": {
            "diverging": [list(stop) for stop in palette.diverging],
            "sequential": [list(stop) for stop in palette.sequential],
        },
    }


def panel_data(panel: MatrixPanel) -> dict[str, Any]:
    """A panel as plain values: numbers as float32, the mask as bytes, both in base64."""
    return {
        "name": panel.name,
        "caption": panel.caption,
        "finding": panel.finding,
        "scale": panel.scale,
        "columns": panel.columns,
        "limit": panel.limit,
        "values": encode(panel.values.astype("<f4")),
        "masked": encode(panel.is_masked.astype(np.uint8)),
    }


def encode(array: np.ndarray[Any, Any]) -> str:
    """An array's bytes in base64, row by row."""
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")


def check_table(cell: CellCheck, *, d_head: int) -> list[list[str]]:
    """A cell computed twice: name, how, NumPy's float64, the model's float32, the difference.

    Differences of a + c, b + d and the sum are given ÷ √d_head, in the unit of the score.
    """
    if cell.is_masked:
        return []
    residuals = cell.residuals()

    def row(name: str, how: str, value: float, model: float | None, residual: str) -> list[str]:
        unit = 1.0 if residual in ("", "score", "weight") else cell.scale
        difference = against_bound(residuals[residual] * unit) if residual else ""
        return [name, how, number(value), "" if model is None else number(model), difference]

    far = f"R[{cell.distance}]"
    model_total = cell.model_ac + cell.model_bd
    return [
        row("a", "q · k", cell.a, None, ""),
        row("c", "u · k", cell.c, None, ""),
        row("a + c", "", cell.a + cell.c, cell.model_ac, "ac"),
        row("b", f"q · W {far}", cell.b, None, ""),
        row("d", f"v · W {far}", cell.d, None, ""),
        row("b + d", "", cell.b + cell.d, cell.model_bd, "bd"),
        row("sum", "", cell.total, model_total, "total"),
        row("score", f"sum ÷ √{d_head}", cell.score, model_total * cell.scale, "score"),
        row("weight", "softmax", cell.weight, cell.model_weight, "weight"),
    ]


def number(value: float) -> str:
    """Five digits after the point, with a true minus."""
    return f"{value:.5f}".replace("-", "−")
