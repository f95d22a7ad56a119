"""A reader's text in plotly's labels, which take some HTML."""

from __future__ import annotations

import html


def escaped(text: str) -> str:
    """A text as plotly shows it literally; plotly would show an escaped quote as `&quot;`.

    >>> escaped('<b> & "c"')
    '&lt;b&gt; &amp; "c"'
    """
    return html.escape(text, quote=False)
