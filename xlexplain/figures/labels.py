"""Numbers and a reader's text as figures and sentences write them."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Sequence

TAGS = re.compile("<[^>]+>")
TERM_WORDS = {  # formula, two words, a sentence
    "a": ("qᵢ·kⱼ", "what → what", "Does what this key is fit what the query is looking for?"),
    "b": ("qᵢ·r(i−j)", "what → how far", "Which distances does what the query is call for?"),
    "c": ("u·kⱼ", "this key matters", "How much any query wants a key like this one."),
    "d": ("v·r(i−j)", "this distance matters", "How much any query wants to look this far back."),
}


def escaped(text: str) -> str:
    """A text as plotly, whose labels take some HTML, shows it literally; not its quotes.

    >>> escaped('<b> & "c"')
    '&lt;b&gt; &amp; "c"'
    """
    return html.escape(text, quote=False)


def without_tags(text: str) -> str:
    """The words of some HTML.

    >>> without_tags("<b>a</b><br>&lt;")
    'a <'
    """
    return html.unescape(TAGS.sub("", text.replace("<br>", " ")))


def signed(value: float) -> str:
    """A number with its sign, two digits after the point.

    >>> signed(-1.0), signed(0.004)
    ('−1.00', '+0.00')
    """
    return f"{'−' if round(value, 2) < 0 else '+'}{abs(value):.2f}"


def minus(number: object) -> str:
    """A number as Python writes it, with a real minus sign.

    >>> minus(-3), minus("-0.5")
    ('−3', '−0.5')
    """
    return str(number).replace("-", "−")


def four_digits(value: float) -> str:
    """A score to four digits.

    >>> four_digits(-0.123456), four_digits(0.0)
    ('−0.1235', '0')
    """
    return minus(f"{value:.4g}")


def percent(share: float, digits: int = 0) -> str:
    """A share of 1 in percent; the sign stays on the number's line.

    >>> percent(0.917), percent(0.917, 1)
    ('92\\xa0%', '91.7\\xa0%')
    """
    return f"{100 * share:.{digits}f}\u00a0%"


def listed(items: Sequence[object], *, last_word: str = "and") -> str:
    """Items as a list in words.

    >>> listed([8]), listed([8, 0]), listed([16, 8, 0], last_word="or")
    ('8', '8 and 0', '16, 8 or 0')
    """
    *start, last = map(str, items)
    return f"{', '.join(start)} {last_word} {last}" if start else last


def bytes_in_words(count: int) -> str:
    """Bytes for a reader.

    >>> bytes_in_words(544), bytes_in_words(20480), bytes_in_words(2621440)
    ('544 B', '20.0 kB', '2.5 MB')
    """
    if count < 1024:
        return f"{count} B"
    return f"{count / 1024:.1f} kB" if count < 1024**2 else f"{count / 1024**2:.1f} MB"


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


def from_to(values: Sequence[float], *, sign: str = "") -> str:
    """The first and the last of a row of numbers: whole, to two digits below 10, one below 0.1.

    >>> from_to([2.1757, 53.3958])
    '2.2 → 53'
    """
    first, last = (
        f"{value:.0f}" if value >= 9.95 else f"{value:.{2 if value >= 0.095 else 1}g}"
        for value in (values[0], values[-1])
    )
    return f"{sign}{first} → {sign}{last}"


def share_words(share: float) -> str:
    """How often something is right, rounded down.

    >>> share_words(0.99996)
    'at least 99.9 % of the time'
    """
    if share == 1:
        return "every time"
    return f"at least {math.floor(share * 1000) / 10:.1f} % of the time"


def gap_words(gap: float) -> str:
    """A gap to three digits."""
    return f"{gap:.3f}" if gap >= 0.0005 else "less than 0.001"
