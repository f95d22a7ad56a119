"""Letters that a console's encoding lacks, spelled out instead of an error."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata

PLAIN = {
    "−": "-",
    "–": "-",
    "·": "*",
    "×": "x",
    "≤": "<=",
    "≥": ">=",
    "→": "->",
    "…": "...",
    "√": "sqrt",
}


def spell_out_what_is_lacking() -> None:
    """Let both output streams write every text, whatever their encoding."""
    codecs.register_error("spelled", spelled)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="spelled")


def spelled(error: UnicodeError) -> tuple[str, int]:
    """What stands for the letters that could not be encoded, and where to go on.

    >>> codecs.register_error("spelled", spelled)
    >>> "Δ of τ−1, ₁ß".encode("ascii", errors="spelled")
    b'Delta of tau-1, 1?'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(in_ascii, error.object[error.start : error.end])), error.end


def in_ascii(letter: str) -> str:
    """One letter in letters that every encoding has: its name if it is Greek, its like, or "?"."""
    name = unicodedata.name(letter, "")
    if letter in PLAIN:
        return PLAIN[letter]
    if name.startswith("GREEK"):
        word = name.split(" WITH ")[0].split()[-1]
        return word.capitalize() if "CAPITAL" in name else word.lower()
    like = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return like or "?"
