"""Tables as maps: rows are segments, columns are positions, a cell is a key; all tables linked.

Pointing at a cell, or moving the focus to it, lights the keys of the same encoded position in every
table, in the browser. A click, Enter or Space chooses, and the server hears of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from xlexplain.figures.theme import Palette
from xlexplain.maths import PositionConflict, segment_name
from xlexplain.ui.component import register
from xlexplain.ui.controls import MEMORY_DEPTH

HTML = """
<div class="xlm">
  <div class="xlm-pair"></div>
  <div class="xlm-foot">
    <label class="xlm-choice" hidden>Key <select></select></label>
    <ul class="xlm-legend"></ul>
  </div>
  <p class="xlm-say"></p>
  <p class="xlm-spoken" aria-live="polite"></p>
  <dl class="xlm-facts"></dl>
</div>
"""
LEGEND = {
    "current": "τ, the current segment",
    "memory": "kept from before",
    "twin": "told the same position",
    "query": "the query, the token that asks",
    "ahead": "after the query: hidden from it",
}


mount = register(
    "position_maps",
    Path(__file__).parent,
    html=HTML,
    css="maps.css",
    js=["follow.js", "maps.js"],
    isolate_styles=False,
)


@dataclass(frozen=True)
class PositionMap:
    """One table: its name, a caption, and what each of the S keys shows.

    Attributes:
        spoken: what a screen reader says before a cell's value.
        counts: which number of a key the values are.
        template: the caption with [[query]] in it.
    """

    name: str
    caption: str
    spoken: str
    values: Sequence[str]
    counts: Literal["encoded", "distance", "offset", ""] = ""
    template: str = ""


@dataclass(frozen=True)
class Behaviour:
    """What cells do.

    Attributes:
        linked: light a key's whole column in all tables.
        picks: cells to click before the server hears of it; 0 for none.
        question: changes with what is asked; earlier picks are forgotten then.
        marks: "right" or "wrong" by key.
        legend: text by sign; what does not occur is left out.
        selects: offer the keys in a select box too.
    """

    linked: bool = True
    picks: int = 1
    question: str = ""
    marks: Mapping[int, str] = field(default_factory=dict)
    legend: Mapping[str, str] = field(default_factory=lambda: LEGEND)
    selects: bool = False


@dataclass(frozen=True)
class Follow:
    """What maps need to go with the page's sliders before the server has answered.

    Attributes:
        tokens: what stands in the cells of the longest segments and the deepest memory, a
            character each.
        position: where query and key stand by default, if there is such a position.
    """

    tokens: str
    position: int


def position_maps(
    conflict: PositionConflict,
    maps: Sequence[PositionMap],
    *,
    tokens: Sequence[str],
    query: int,
    chosen: int | None,
    palette: Palette,
    key: str,
    sentences: Sequence[Sequence[str]] = (),
    facts: Sequence[tuple[str, str]] = (),
    behaviour: Behaviour | None = None,
    follow: Follow | None = None,
    on_choose: Callable[[], None] = lambda: None,
) -> Any:
    """Draw linked maps of the S keys.

    Args:
        tokens: what stands in the cells, one a key; may be shorter than S.
        query: i; its cell is marked, and the keys after it are hatched.
        chosen: key j that is lit while nothing is pointed at.
        sentences: one a position, said below the maps; of each, every second part is marked.
        facts: numbers, each with what it counts, below the sentence.
        follow: without it, the maps wait for the server.
        on_choose: called after a choice, before the page runs again.
    Returns: the component's result; `chosen` is the key (or list of keys) just chosen, else None.
    """
    depth = conflict.memory_depth
    behaviour = behaviour or Behaviour()
    missing = absent_signs(conflict, query=query)
    data = {
        "columns": conflict.segment_length,
        "rows": [segment_name(ago) for ago in range(depth, -1, -1)],
        "fills": [palette.segment(ago) for ago in range(depth, -1, -1)],
        "maps": [asdict(one) for one in maps],
        "tokens": list(tokens),
        "ahead": (conflict.offset > query).tolist(),
        "query": conflict.memory_length + query,
        "chosen": chosen,
        "sentences": [list(parts) for parts in sentences],
        "facts": [list(fact) for fact in facts],
        "colours": palette.css | {"edge": palette.ink, "memory": palette.memory[0]},
        "follow": None
        if follow is None
        else {
            **asdict(follow),
            "ages": [
                (segment_name(ago), palette.segment(ago)) for ago in range(MEMORY_DEPTH.most + 1)
            ],
        },
        **asdict(behaviour),
        "legend": {sign: text for sign, text in behaviour.legend.items() if sign not in missing},
    }
    return mount(key=key, data=data, on_chosen_change=on_choose)


def absent_signs(conflict: PositionConflict, *, query: int) -> set[str]:
    """Signs of the legend that no cell has."""
    absent = set() if conflict.memory_depth else {"memory", "twin"}
    return absent | (set() if query < conflict.segment_length - 1 else {"ahead"})
