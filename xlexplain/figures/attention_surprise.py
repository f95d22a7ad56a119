"""The text, every character with what it cost in bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from xlexplain.figures.attention_scores import colours
from xlexplain.figures.theme import ColorScale, Palette, color_at, ink_on
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.surprise import mean_bits

FULL_HEIGHT_BITS = 8.0
RAMP_STEPS = 33


@dataclass(frozen=True)
class Surprise:
    """What each character of a text cost one model.

    Attributes:
        name: of the model, for a reader.
        bits: (T,), nan for the first character.
    """

    name: str
    bits: FloatArray


def surprise_panels(
    readings: Sequence[Surprise],
    *,
    tokens: Sequence[str],
    starts: Sequence[int],
    palette: Palette,
    is_difference_shown: bool = False,
) -> dict[str, Any]:
    """What the component draws: the same text once a reading.

    Args:
        tokens: (T,) as a reader sees them; starts: where segments begin.
        is_difference_shown: add a panel of second minus first reading, the bits that the first
            one saved.
    """
    panels = [
        {
            "name": reading.name,
            "figure": f"{mean_bits(reading.bits):.2f} bits a character",
            "bits": rounded(reading.bits),
            "kind": "cost",
        }
        for reading in readings
    ]
    if is_difference_shown:
        # Of the numbers as shown, so that they add up.
        saved = np.round(readings[1].bits, 2) - np.round(readings[0].bits, 2)
        panels.append(
            {
                "name": "Saved by memory",
                "figure": saved_words(saved),
                "bits": rounded(saved),
                "kind": "saved",
            }
        )
    return {
        "panels": panels,
        "tokens": list(tokens),
        "starts": list(starts),
        "full": FULL_HEIGHT_BITS,
        "ramps": {"cost": ramp(palette.sequential), "saved": ramp(palette.diverging)},
        "colours": colours(palette)
        | {
            "cost": color_at(palette.sequential, 0.75),
            "saved": color_at(palette.diverging, 0.75),
            "lost": color_at(palette.diverging, 0.25),
        },
    }


def ramp(scale: ColorScale) -> list[tuple[str, str]]:
    """A colour scale in steps, each a background and what is readable on it."""
    fills = [color_at(scale, place) for place in np.linspace(0, 1, RAMP_STEPS)]
    return [(fill, ink_on(fill)) for fill in fills]


def saved_words(saved: FloatArray) -> str:
    """The bits that memory saved over the whole text; negative when it cost some."""
    total = float(np.nansum(saved))
    verb = "saved" if total >= 0 else "lost"
    return f"{abs(total):.0f} bits {verb} over {len(saved) - 1} characters"


def rounded(bits: FloatArray) -> list[float | None]:
    """To a hundredth of a bit; None for what was not predicted."""
    return [None if np.isnan(one) else round(float(one), 2) for one in bits]
