"""The text the models learn from, and characters as tokens."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from xlexplain.maths.arrays import IntArray

UNKNOWN = "▢"
HELD_OUT_EVERY = 10
STRETCH = 5_000
LEAST_CHARACTERS = 5_000
LEAST_HELD_OUT = 64  # two for each of the lanes that bits per character are measured in


@dataclass(frozen=True)
class Vocabulary:
    """Characters as token ids. Id 0 stands for every character that is not among them.

    >>> vocabulary = Vocabulary("▢abc")
    >>> vocabulary.encode("cab!").tolist(), vocabulary.decode([3, 0]), vocabulary.unknown("?a?!")
    ([3, 1, 2, 0], 'c▢', ('?', '!'))
    """

    characters: str

    def __post_init__(self) -> None:
        if not self.characters.startswith(UNKNOWN):
            raise ValueError(f"need {UNKNOWN} as the first character, got {self.characters[:1]!r}")
        if len(set(self.characters)) != len(self.characters):
            raise ValueError("need distinct characters")

    @classmethod
    def of(cls, text: str, *, least_count: int = 3) -> Vocabulary:
        """The characters that occur at least `least_count` times in `text`, sorted."""
        known = sorted({char for char in set(text) if text.count(char) >= least_count} - {UNKNOWN})
        return cls(UNKNOWN + "".join(known))

    def __len__(self) -> int:
        return len(self.characters)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {char: index for index, char in enumerate(self.characters)}

    def encode(self, text: str) -> IntArray:
        """(T,) ids, one a character; 0 for an unknown one."""
        return np.array([self._ids.get(char, 0) for char in text], dtype=np.int64)

    def decode(self, ids: IntArray | list[int]) -> str:
        """The characters of `ids`, ▢ for 0."""
        return "".join(self.characters[index] for index in ids)

    def unknown(self, text: str) -> tuple[str, ...]:
        """The distinct characters of `text` that are not known, in order of appearance."""
        return tuple(dict.fromkeys(char for char in text if char not in self._ids))


@dataclass(frozen=True)
class Corpus:
    """A text cut into a part to train on and a held-out part."""

    name: str
    train: str
    held_out: str

    @property
    def sha256(self) -> str:
        """Of the two parts, joined, in UTF-8."""
        return hashlib.sha256((self.train + self.held_out).encode()).hexdigest()


def split(name: str, text: str) -> Corpus:
    """Hold out every tenth stretch of 5,000 characters, less paragraphs that the rest holds too.

    Stretches from all over the text, because a reference manual's last chapter is not like the
    others. The language reference prints some passages under several headings; left in, one in
    nine 50-character windows of the held-out part could be read in the training part.

    Raises: ValueError if the text is too short for both parts to mean anything, or repeats itself
        so much that nearly nothing can be held out.
    """
    if len(text) < LEAST_CHARACTERS:
        raise ValueError(
            f"need at least {LEAST_CHARACTERS:,} characters to train on, "
            f"got {len(text):,} in {name}"
        )
    length = min(STRETCH, len(text) // HELD_OUT_EVERY)
    stretches = [text[start : start + length] for start in range(0, len(text), length)]
    held_out = stretches[HELD_OUT_EVERY - 1 :: HELD_OUT_EVERY]
    del stretches[HELD_OUT_EVERY - 1 :: HELD_OUT_EVERY]
    train = "".join(stretches)
    seen = {_without_white_space(paragraph) for paragraph in train.split("\n\n")}
    fresh = [
        one for one in "".join(held_out).split("\n\n") if _without_white_space(one) not in seen
    ]
    corpus = Corpus(name=name, train=train, held_out="\n\n".join(fresh))
    if len(corpus.held_out) < LEAST_HELD_OUT:
        raise ValueError(
            f"need at least {LEAST_HELD_OUT} characters to measure on, in paragraphs that the "
            f"training part does not hold too, got {len(corpus.held_out)} in {name}: "
            "it repeats its paragraphs"
        )
    return corpus


def _without_white_space(paragraph: str) -> str:
    return "".join(paragraph.split())


def python_reference() -> Corpus:
    """The Python language reference that CPython carries as `pydoc_data.topics`."""
    from pydoc_data.topics import topics

    return split("Python language reference", "\n".join(topics.values()))


def from_file(path: Path) -> Corpus:
    """Any UTF-8 text.

    Raises: ValueError for a file that is not UTF-8 or is too short; OSError if it can't be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"need UTF-8 text, but {path} is not: {error.reason} at byte {error.start}"
        ) from error
    return split(path.name, text)
