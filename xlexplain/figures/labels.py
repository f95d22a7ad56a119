"""Numbers and a reader's text as figures and sentences write them."""

from __future__ import annotations

import html
from collections.abc import Sequence


def escaped(text: str) -> str:
    """A text as plotly, whose labels take some HTML, shows it literally; not its quotes.

    >>> escaped('<b> & "c"')
    '&lt;b&gt; &amp; "c"'
    """
    return html.escape(text, quote=False)


def listed(items: Sequence[object], *, last_word: str = "and") -> str:
    """Items as a list in words.

    >>> listed([8]), listed([8, 0]), listed([16, 8, 0], last_word="or")
    ('8', '8 and 0', '16, 8 or 0')
    """
    *start, last = map(str, items)
    return f"{', '.join(start)} {last_word} {last}" if start else last


def raised(power: int) -> str:
    """An exponent in full-size signs of its own; `<sup>` would be too small to read.

    >>> raised(-12)
    '⁻¹²'
    """
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def power_of_ten(value: float, *, digits: int = 1) -> str:
    """A number in few signs: plain from 0.01 to 1000, else `digits` digits and a power of ten.

    >>> power_of_ten(4.6e-15), power_of_ten(2.26), power_of_ten(9.96), power_of_ten(0.0)
    ('5·10⁻¹⁵', '2.3', '10', '0')
    >>> power_of_ten(3e-6, digits=2)
    '3.0·10⁻⁶'
    """
    if value == 0:
        return "0"
    if 0.01 <= abs(value) < 1000:
        return f"{value:#.2g}" if abs(value) < 9.95 else f"{value:.0f}"
    mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
    return f"{mantissa}·10{raised(int(power))}"
