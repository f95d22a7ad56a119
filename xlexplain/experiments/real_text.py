"""On real text: what the model cards measured, and the reader's own text, streamed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xlexplain
from xlexplain.experiments.experiment import (
    SAMPLE,
    Experiment,
    Result,
    Settings,
    Update,
    Variant,
    need,
)

CARDS = Path(xlexplain.__file__).parent / "model" / "pretrained"
MODELS: tuple[Variant, ...] = (
    "relative",
    "absolute",
    "relative-no-memory",
    "absolute-no-memory",
)
DEPTHS = (0, 1, 2, 3, 4)
LONGEST_TEXT = 2000


@dataclass(frozen=True)
class HeldOut:
    """Held-out bits per character of one variant at one L and D: the mean, and each seed's."""

    mean: float
    seeds: tuple[float, ...]


CardTable = dict[Variant, dict[int, dict[int, HeldOut]]]  # variant → L → D


def card_table(folder: Path = CARDS) -> CardTable:
    """What the model cards say; what a card lacks, or says in another form, is left out."""
    table: CardTable = {}
    for variant in MODELS:
        lengths = {
            int(length): {
                int(depth): figure
                for depth, value in depths.items()
                if (figure := held_out(value)) is not None
            }
            for length, depths in (card(variant, folder).get("held_out_bits") or {}).items()
        }
        table[variant] = {length: depths for length, depths in lengths.items() if depths}
    return {variant: lengths for variant, lengths in table.items() if lengths}


def held_out(value: Any) -> HeldOut | None:
    """One entry of a card: {"mean": …, "seeds": […]}, or a bare number from a single run."""
    if isinstance(value, int | float):
        return HeldOut(mean=float(value), seeds=(float(value),))
    if isinstance(value, dict) and isinstance(value.get("mean"), int | float):
        return HeldOut(mean=float(value["mean"]), seeds=tuple(map(float, value.get("seeds", ()))))
    return None


def card(variant: Variant, folder: Path = CARDS) -> dict[str, Any]:
    """The card of a shipped model; empty if there is none."""
    path = folder / f"{variant}.json"
    read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return read


@dataclass(frozen=True)
class TextSettings(Settings):
    """Which text, cut how.

    Attributes:
        text: 2 to 2,000 characters.
        segment_length: L; the memory is 0 to 4 segments.
    """

    text: str = SAMPLE
    segment_length: int = 8

    def __post_init__(self) -> None:
        need(self, seed=(0, 2**31), segment_length=(1, 64))
        if not isinstance(self.text, str) or not 2 <= len(self.text) <= LONGEST_TEXT:
            raise ValueError(
                f"need a text of 2 to {LONGEST_TEXT} characters, got {self.text!r:.40}"
            )


def run(settings: TextSettings) -> Iterator[Update]:
    """Stream the text through the four shipped models at every memory depth.

    The result maps each variant to
        depths; bits: mean bits a character, the first one not counted;
        unknown: characters that the model does not know;
        weights_sha256: of the shipped weights.
    """
    from xlexplain.model.evaluate import loss_bits
    from xlexplain.model.weights import read_pretrained

    L = settings.segment_length
    result: Result = {}
    total = len(MODELS) * len(DEPTHS)
    for place, variant in enumerate(MODELS):
        shipped = read_pretrained(variant)
        ids = shipped.vocabulary.encode(settings.text)
        found: Result = {
            "depths": [],
            "bits": [],
            "weights_sha256": shipped.card["weights_sha256"],
            "unknown": len(shipped.vocabulary.unknown(settings.text)),
        }
        result[variant] = found
        for depth in DEPTHS:
            bits = loss_bits(shipped.model, ids, segment_length=L, memory_length=depth * L)
            found["depths"].append(depth)
            found["bits"].append(round(float(bits.mean(dtype="float64")), 5))
            yield Update(done=(place * len(DEPTHS) + depth + 1) / total, result=result)


EXPERIMENT = Experiment(
    name="text",
    claim="More memory helps relative positions and hurts absolute ones",
    settings=TextSettings,
    run=run,
    stored=(TextSettings(),),
)
