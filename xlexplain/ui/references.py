"""Which messages a run may send by reference to what the browser has kept.

Streamlit's browser side keeps large messages. It says with each request which it has, and the run
sends no more than the hash of those. But what was not used in the last `global.maxCachedMessageAge`
runs is forgotten, also while the request is on its way; then the page stops for good with "Cached
ForwardMsg MISS". Quick Back and Forward meet just that. So a run refers only to what the run before
it used too, which cannot be old yet. To keep nothing at all (`global.minCachedMessageSize`) costs
up to nine times the bytes of a change.
"""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

USED = "messages of the last run"


class Kept(frozenset[str]):
    """Hashes that may be referred to; notes which a run asks about, those of its large messages."""

    used: set[str]

    @classmethod
    def of(cls, hashes: Iterable[str], *, used: set[str]) -> Kept:
        """`used`: where the notes go."""
        kept = cls(hashes)
        kept.used = used
        return kept

    def __contains__(self, item: object) -> bool:
        self.used.add(str(item))
        return super().__contains__(item)


def limit() -> None:
    """At the start of a run: refer only to what the run before used too."""
    context = get_script_run_ctx()
    before: set[str] = st.session_state.get(USED, set())
    used: set[str] = set()
    st.session_state[USED] = used
    if context is not None:
        kept = before.intersection(context.cached_message_hashes)
        context.cached_message_hashes = Kept.of(kept, used=used)
