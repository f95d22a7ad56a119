"""The predictions as numbers, and whether a result is as predicted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from xlexplain.experiments.guess import GuessSettings

ROUNDING = 1e-12  # float64 keeps 16 digits; a few hundred operations lose two or three of them
ORDER_ONE = 0.1
LEARNED = 0.99
FLAT = 0.005  # bits; what two decimals do not show


def law_tolerance(settings: GuessSettings) -> float:
    """How close to the law training should come: more keys are harder to weigh evenly."""
    return 0.03 if settings.memory_depth <= 1 else 0.06


def chop_holds(result: Mapping[str, Any]) -> bool:
    """Relative outputs moved by rounding only, absolute ones by something of order 1."""
    return bool(
        max(result["relative"]["difference"]) <= ROUNDING
        and min(result["absolute"]["difference"]) >= ORDER_ONE
    )


def law_gap(settings: GuessSettings, variant: str, accuracy: Sequence[float]) -> float:
    """The largest distance from the law at any position."""
    return float(np.abs(np.subtract(accuracy, settings.best_accuracies[variant])).max())


def guess_holds(settings: GuessSettings, result: Mapping[str, Any]) -> bool:
    """Relative knows all that is in sight, absolute guesses as well as the law allows."""
    return law_gap(settings, "relative", result["relative"]["accuracy"]) <= 1 - LEARNED and law_gap(
        settings, "absolute", result["absolute"]["accuracy"]
    ) <= law_tolerance(settings)


def setbacks(bits: Mapping[str, Sequence[float]]) -> dict[str, int]:
    """For each variant that goes against the prediction, the first depth that does.

    Relative bits are to fall with each segment of memory, absolute ones to rise. Steps of less than
    `FLAT` are none, either way. Variants that were trained without memory are left out.

    >>> setbacks({"relative": [2.2, 1.7, 1.7], "absolute": [2.96, 2.83, 3.0]})
    {'absolute': 1}
    """
    found = {}
    for variant, sign in (("relative", 1), ("absolute", -1)):
        against = np.flatnonzero(sign * np.diff(bits.get(variant, ())) > FLAT)
        if against.size:
            found[variant] = int(against[0]) + 1
    return found


def text_holds(bits: Mapping[str, Sequence[float]]) -> bool:
    """Relative saves bits by memory and absolute pays some, and no segment does the opposite."""
    return bool(
        bits["relative"][-1] < bits["relative"][0]
        and bits["absolute"][-1] > bits["absolute"][0]
        and not setbacks(bits)
    )


def slope(lengths: Sequence[int], milliseconds: Sequence[float], *, least: int = 128) -> float:
    """The slope on log axes where the length is at least `least`; below it, overhead dominates.

    >>> round(slope([128, 256, 512], [2.0, 4.0, 8.0]), 6)
    1.0
    """
    used = [place for place, length in enumerate(lengths) if length >= least]
    if len(used) < 2:
        raise ValueError(f"need two lengths from {least} tokens on, got {list(lengths)}")
    x = np.log([lengths[place] for place in used])
    y = np.log([milliseconds[place] for place in used])
    return float(np.polyfit(x, y, 1)[0])


def gains(timing: Mapping[str, Sequence[float]], method: str) -> list[float]:
    """How many times less a token takes by `method` than with a sliding window."""
    return [
        sliding / reused for sliding, reused in zip(timing["sliding"], timing[method], strict=False)
    ]


def reuse_holds(result: Mapping[str, Any]) -> bool:
    """One layer is the same function both ways, and the gain grows from end to end."""
    gain = gains(result["timing"], "segment")
    return result["difference"][0] <= ROUNDING and gain[-1] > gain[0] > 1
