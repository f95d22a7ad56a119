"""Numbers for the page's sentences, computed from what is on the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from xlexplain.figures.attention_scores import BOUND, against_bound
from xlexplain.figures.labels import listed, power_of_ten, signed
from xlexplain.maths import TERMS, AttentionTrace
from xlexplain.maths.cells import largest_residuals, row_terms
from xlexplain.ui import prose
from xlexplain.ui.attention.view import PAGE, View


def repeated_token(tokens: Sequence[str], is_seen: Sequence[bool]) -> list[int]:
    """The keys of the token that the query sees most often; [] if none is seen twice.

    >>> repeated_token("abcab", [True, True, True, True, False])
    [0, 3]
    """
    counts = Counter(token for token, seen in zip(tokens, is_seen, strict=True) if seen)
    token, count = max(counts.items(), key=lambda item: item[1])
    if count < 2:
        return []
    return [key for key, one in enumerate(tokens) if one == token and is_seen[key]]


def same_token(view: View) -> str:
    """What the first layer does with keys that hold the same token, as a sentence."""
    keys = repeated_token(view.tokens, view.row.is_seen.tolist())
    if not keys:
        return prose.section("relative_attention", "no token twice")
    layer = view.segment.layers[0]
    terms = row_terms(layer, head=view.choice.head, query=view.choice.query)
    what = (terms["a"] + terms["c"])[keys] * layer.scale
    how_far = (terms["b"] + terms["d"])[keys] * layer.scale
    distances = [view.row.cells[key].distance for key in keys]
    return prose.section(
        "relative_attention",
        "same token",
        count=len(keys),
        token=prose.literal(view.tokens[keys[0]]),
        distances=listed(shortened(distances)),
        what="not at all" if np.ptp(what) == 0 else f"by {power_of_ten(float(np.ptp(what)))}",
        how_far=f"{np.ptp(how_far):.2f}",
    )


def shortened(distances: Sequence[int], *, most: int = 5) -> list[str]:
    """Of many distances the farthest and the nearest.

    >>> shortened([9, 5, 2]), shortened([9, 7, 5, 4, 3, 1], most=4)
    (['9', '5', '2'], ['9', '…', '3', '1'])
    """
    words = [str(distance) for distance in distances]
    return words if len(words) <= most else [words[0], "…", *words[2 - most :]]


def agreement(layer: AttentionTrace, *, head: int) -> str:
    """How far the model is from NumPy at most, against the bound, and why if it is too far."""
    largest = largest_residuals(layer, head=head)
    is_seen = ~layer.is_masked
    sums = np.abs(layer.ac[head] + layer.bd[head])[is_seen]
    words = prose.section(
        PAGE,
        "agreement",
        cells=int(is_seen.sum()),
        score=against_bound(largest["score"]),
        weight=against_bound(largest["weight"]),
        bound=power_of_ten(BOUND),
    )
    if max(largest["score"], largest["weight"]) <= BOUND:
        return words
    step = float(np.spacing(np.float32(sums.max())))
    size = prose.section(PAGE, "rounding", reach=f"{sums.max():.0f}", step=power_of_ten(step))
    return f"{words} {size}"


def shared_by_all(view: View) -> dict[str, str]:
    """The mean of each term over the keys that the query sees, after ÷√d_head."""
    seen = [cell for cell in view.row.cells if not cell.is_masked]
    return {
        name: signed(float(np.mean([getattr(cell, name) * cell.scale for cell in seen])))
        for name in TERMS
    }


def border(view: View) -> dict[str, object]:
    """The distances at which the current segment ends and memory begins, for the chosen query."""
    return {
        "inside": view.choice.query,
        "outside": view.choice.query + 1,
        "farthest": view.choice.query + view.segment.memory_length,
    }
