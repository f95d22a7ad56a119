"""Numbers before nouns."""

from __future__ import annotations


def counted(count: object, singular: str, plural: str = "") -> str:
    """A count and what it counts, in the singular where it is one.

    Args: count: a number, or one that is written out already. plural: with an s by default.

    >>> counted(1, "key"), counted("1,024", "key"), counted(0, "query is", "queries are")
    ('1 key', '1,024 keys', '0 queries are')
    """
    return f"{count} {singular if str(count) == '1' else plural or f'{singular}s'}"
