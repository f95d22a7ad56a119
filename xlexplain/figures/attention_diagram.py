"""Every operation of the forward pass, in order, with its shapes for the current settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from xlexplain.figures.theme import MONO, TYPE, Palette
from xlexplain.maths import SegmentTrace

NOT_DRAWN = "not drawn in detail"


@dataclass(frozen=True)
class Operation:
    """One step: its name, its formula, the shape of its result, and where it is shown.

    Attributes:
        uses_last: whether it works on the result of the step before it.
    """

    name: str
    formula: str
    shape: tuple[int, ...]
    shown: str = NOT_DRAWN
    uses_last: bool = True


def stages(segment: SegmentTrace, *, inner_width: int) -> dict[str, tuple[Operation, ...]]:
    """The forward pass in three parts: before the layers, one layer, after the layers."""
    H, L, S = segment.layers[0].ac.shape
    m, d = segment.memory_length, segment.layers[0].query.shape[-1]
    C, vocabulary_size = segment.embedded.shape[1], segment.logits.shape[1]
    before = (
        Operation("characters", "ids", (L,), "the tokens of the segment"),
        Operation("embedding", "x = E[ids] · √C", (L, C)),
        Operation(
            "distances",
            "R: sines and cosines of S−1 … 0",
            (S, C),
            "The relative shift",
            uses_last=False,
        ),
    )
    layer = (
        Operation("memory in front", "[mem ; x], no gradient into mem", (S, C), "the film above"),
        Operation("queries", "q = x W_q", (H, L, d)),
        Operation("keys and values", "k, v = [mem ; x] W_kv", (H, S, d), uses_last=False),
        Operation("relative keys", "r = R W_r", (H, S, d), uses_last=False),
        Operation("terms a + c", "(q + u) · k", (H, L, S), "Matrices", uses_last=False),
        Operation("terms b + d", "(q + v) · r", (H, L, S), "Matrices", uses_last=False),
        Operation("relative shift", "columns from distances to keys", (H, L, S), "Matrices"),
        Operation("score", "(a + b + c + d) ÷ √d_head", (H, L, S), "Matrices"),
        Operation("mask", "−∞ where j > i + m", (H, L, S), "hatched"),
        Operation("weights", "softmax over keys", (H, L, S), "Matrices"),
        Operation("mix of values", "weights · values", (H, L, d)),
        Operation("output of attention", "heads side by side · W_o", (L, C)),
        Operation("residual, LayerNorm", "x = LN(x + attention)", (L, C)),
        Operation("feed-forward, inside", "relu(x W₁ + b₁)", (L, inner_width)),
        Operation("feed-forward, out", "… W₂ + b₂", (L, C)),
        Operation("residual, LayerNorm", "x = LN(x + feed-forward)", (L, C)),
        Operation(
            "kept for the next segment",
            "the layer's input x, last M rows",
            (m, C),
            "the film above",
            uses_last=False,
        ),
    )
    after = (
        Operation("logits", "x W_out + b_out", (L, vocabulary_size), "Next character"),
        Operation("probabilities", "softmax", (L, vocabulary_size), "Next character"),
    )
    return {
        "Before the layers": before,
        f"Each of the {len(segment.layers)} layers": layer,
        "After the layers": after,
    }


def diagram(segment: SegmentTrace, *, inner_width: int, palette: Palette) -> str:
    """HTML: the operations as ordered lists of boxes; what is not drawn elsewhere is dashed."""
    parts = "".join(
        f"<section><h2>{escape(name)}</h2><ol>{boxes(operations)}</ol></section>"
        for name, operations in stages(segment, inner_width=inner_width).items()
    )
    return f"<style>{diagram_style(palette=palette)}</style><div class='xl-pass'>{parts}</div>"


def boxes(operations: Sequence[Operation]) -> str:
    """Operations as list items, with an arrow to each that uses the one before it."""
    is_used = [*(following.uses_last for following in operations[1:]), False]
    return "".join(map(box, operations, is_used))


def box(operation: Operation, is_used: bool) -> str:
    """One operation as a list item. Args: is_used: whether the next one uses its result."""
    is_drawn = operation.shown != NOT_DRAWN
    kind = ("drawn" if is_drawn else "plain") + (" used" if is_used else "")
    shape = " × ".join(map(str, operation.shape))
    shown = f"see: {operation.shown}" if is_drawn else operation.shown
    return (
        f"<li class='{kind}'><b>{escape(operation.name)}</b>"
        f"<code>{escape(operation.formula)}</code>"
        f"<span>{shape}</span><small>{escape(shown)}</small></li>"
    )


def diagram_style(*, palette: Palette) -> str:
    """The look of the boxes."""
    return f"""
.xl-pass {{container-type: inline-size;}}
.xl-pass section {{margin: 0 0 14px;}}
.xl-pass h2 {{font-size: {TYPE["lead"]}px; margin: 0 0 6px; padding: 0;}}
.xl-pass ol {{display: grid; gap: 14px 22px; list-style: none; margin: 0; padding: 0 20px 0 0;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 200px), 1fr));}}
.xl-pass li {{display: grid; gap: 2px; border: 1px solid {palette.soft}; border-radius: 8px;
  padding: 7px 10px; margin: 0; position: relative; font-size: {TYPE["text"]}px; line-height: 1.3;
  align-content: start;}}
.xl-pass li.drawn {{background: {palette.panel};}}
.xl-pass li.plain {{border-style: dashed; border-color: {palette.soft};}}
.xl-pass li.used::after {{content: "→"; position: absolute; right: -19px; top: 50%;
  transform: translateY(-50%); color: {palette.soft};}}
@container (max-width: 441px) {{  /* one column */
  .xl-pass ol {{padding-right: 0; row-gap: 18px;}}
  .xl-pass li.used::after {{content: "↓"; right: 50%; top: 100%; transform: translateX(50%);
    line-height: 18px;}}
}}
.xl-pass code {{font: {TYPE["small"]}px/1.35 {MONO}; color: {palette.ink}; background: none;
  padding: 0;}}
.xl-pass span {{font: {TYPE["small"]}px/1.3 {MONO}; color: {palette.accent};}}
.xl-pass small {{font-size: {TYPE["fine"]}px; color: {palette.soft};}}
"""
