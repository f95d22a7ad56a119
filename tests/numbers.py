"""Numbers read back from the way that pages write them."""

from __future__ import annotations

import re

POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def number_in(text: str) -> float:
    """The number that a text begins with.

    >>> number_in("3·10⁻⁷ ✓"), number_in("−0.5"), number_in("92 % of it")
    (3e-07, -0.5, 92.0)
    """
    mantissa, power = re.findall(r"^([+−]?[\d.]+)(?:·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?", text)[0]
    return float(f"{mantissa.replace('−', '-')}e{power.translate(POWERS) or 0}")
