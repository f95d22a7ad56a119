"""The reader's text: samples, and what to do with one that a page cannot take as it is."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import streamlit as st

from xlexplain.ui import prose
from xlexplain.ui.controls import chosen, load_option, save_option
from xlexplain.ui.half_characters import SIGN

SAMPLES = {
    "Python reference": (
        "The assert statement is a convenient way to insert debugging assertions into a program. "
        "The simple form is equivalent to a test that raises an exception when it is false."
    ),
    "Two equal halves": "the cat sat on the mat. the cat sat on the mat. ",
    "A story": (
        "Every chapter of the book began at page one. When the reader asked for page five, "
        "the librarian could only answer: which page five do you mean?"
    ),
}
OWN = "My own text"
VISIBLE_SIGNS = {" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍"}


def visible(char: str) -> str:
    """A character as something to see: white space and control characters get a sign.

    >>> [visible(char) for char in ("a", " ", "\\x00", "\\u202e")]
    ['a', '␣', '␀', '▢']
    """
    if char in VISIBLE_SIGNS:
        return VISIBLE_SIGNS[char]
    if ord(char) < 32:
        return chr(0x2400 + ord(char))
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Mn", "Me"):
        return "▢"
    return char


@dataclass(frozen=True)
class ReaderText:
    """What the page works on, and what to tell the reader about it, or ""."""

    text: str
    notice: str


def fit(text: str, *, most: int) -> ReaderText:
    """Cut a text to what the page can show, and say where; replace an empty one by a sample."""
    if not text:
        sample = next(iter(SAMPLES.values()))
        return ReaderText(sample[:most], "There is no text yet; this is a sample.")
    if len(text) > most:
        ending = "".join(map(visible, text[most - 12 : most]))
        return ReaderText(
            text[:most],
            f"Your text has {len(text):,} characters; the page shows the first {most:,}, "
            f"up to “…{ending}”.",
        )
    return ReaderText(text, "")


def choose_text(*, most: int) -> ReaderText:
    """Let the reader pick a sample or type a text of their own; notices are printed here."""
    row = st.container(key="text-row", horizontal=True, vertical_alignment="bottom")
    load_option("sample", [*SAMPLES, OWN])
    sample = row.selectbox("Text", [*SAMPLES, OWN], key="sample", on_change=chosen("sample"))
    save_option("Text", "sample", sample)
    if sample != OWN:
        return fit(SAMPLES[sample], most=most)
    with row:
        written = st.text_area(
            "Your text", key="text", persist_state="session", height=68, on_change=chosen("text")
        )
    reader_text = fit(written, most=most)
    if SIGN in reader_text.text:
        prose.notice(f"“{SIGN}” stands where your text has half a character.")
    if reader_text.notice:
        prose.notice(reader_text.notice)
    return reader_text


def notice_unknown(unknown: tuple[str, ...], *, vocab_size: int) -> None:
    """Name the characters that a model does not know."""
    if not unknown:
        return
    names = ", ".join(f"“{visible(char)}” (U+{ord(char):04X})" for char in unknown[:8])
    more = f" and {len(unknown) - 8} more" if len(unknown) > 8 else ""
    verb = "are" if len(unknown) > 1 else "is"
    prose.notice(
        f"{names}{more} {verb} not among this model's {vocab_size} characters; "
        "the model reads ▢ instead."
    )
