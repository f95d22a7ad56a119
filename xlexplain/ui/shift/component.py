"""The moving cells as a component of the page, and what happens when a reader touches one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from xlexplain.figures.labels import power_of_ten
from xlexplain.figures.theme import DARK, LIGHT
from xlexplain.maths import rel_shift
from xlexplain.maths.arrays import FloatArray
from xlexplain.ui import address, controls, frame, prose
from xlexplain.ui.component import register, reported
from xlexplain.ui.shift.checks import check
from xlexplain.ui.shift.payload import PAGE, moving_cells_data, number_in_words
from xlexplain.ui.shift.scores import LiveScores

KEY = "moving cells"
SPEEDS = ("0.5", "1", "2", "4")
CHANGED = "changed score"  # in the session: signature, row, column, turn

moving_cells = register(
    "moving_cells",
    Path(__file__).parent,
    html="moving_cells.html",
    css="moving_cells.css",
    js=["moving_cells.js"],
)


@dataclass(frozen=True)
class Change:
    """One score that the reader has changed, and what the shift makes of it."""

    row: int
    column: int
    before: float
    after: float
    landed: tuple[tuple[int, int], ...]
    turn: int

    @property
    def cell(self) -> str:
        """The changed cell's name in the moving cells."""
        return f"{self.row},{self.column}"


def show_moving_cells(live: LiveScores, *, query: int, key: int) -> None:
    """Draw the cells; clicks on them come back as the chosen query and key."""
    change, palette = current_change(live), frame.palette()
    changed: dict[str, Any] | None = None
    if change is None:
        cells = cells_as_computed(live.signature, live, palette.is_dark, query=query, key=key)
    else:
        scores = changed_scores(live.by_distance, change)
        cells = moving_cells_data(live, scores, palette, query=query, key=key)
        changed = {"cell": change.cell, "turn": change.turn, "text": change_words(live, change)}
    start = opened(last_stages={view: len(stages) - 1 for view, stages in cells["views"].items()})
    moving_cells(
        key=KEY,
        data=cells | {"changed": changed, "checked": checked_words(live), "start": start},
        on_chosen_change=lambda: take_choice(live),
        on_changed_change=lambda: take_change(live),
        on_replaced_change=take_replaced,
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def cells_as_computed(
    signature: str, _live: LiveScores, is_dark: bool, *, query: int, key: int
) -> dict[str, Any]:
    """The cells of scores that nobody has changed; one for all readers, who must not change it."""
    palette = DARK if is_dark else LIGHT
    return moving_cells_data(_live, _live.by_distance, palette, query=query, key=key)


def opened(*, last_stages: Mapping[str, int]) -> dict[str, Any]:
    """Where the animation stands when the page is opened, by the address; then it is left alone.

    What the address held and can't be used is said in a line, until the reader changes it.

    Args: last_stages: by view.
    """
    state = st.session_state
    controls.load_option("speed", SPEEDS, default="1")
    controls.load_option("shown", list(last_stages))
    stages = controls.Range("Stage", "stage", 0, last_stages[state["shown"]], 0)
    controls.load_number(stages)
    controls.show_bad_value(stages, value=state["stage"])
    bad = [name for name in ("stage", "speed", "shown") if address.bad_value(name) is not None]
    for label, name in (("Speed", "speed"), ("Shown as", "shown")):
        if name in bad:  # a good one is the browser's to put into the address
            controls.save_option(label, name, state[name])
    return {
        "picture": address.current().picture,
        "stage": state["stage"],
        "speed": float(state["speed"]),
        "shown": state["shown"],
        "bad": bad,
    }


def checked_words(live: LiveScores) -> str:
    """The check's outcome in one line."""
    checked = check(live.signature, live)
    return prose.section(
        PAGE,
        "checked",
        pairs=f"{checked.pairs:,}",
        difference=power_of_ten(checked.computed, digits=2),
    )


def take_choice(live: LiveScores) -> None:
    """A click on a cell moves the two sliders to the query and key it ends at."""
    chosen = reported(KEY, "chosen")
    if not isinstance(chosen, dict):
        return
    for name, count in (("query", live.query_count), ("key", live.key_count)):
        place = chosen.get(name)
        if isinstance(place, int) and 0 <= place < count:
            address.choose(name, place)


def take_replaced() -> None:
    """The reader has changed what stands in the place of something unusable in the address."""
    for name in reported(KEY, "replaced") or []:
        address.forget_bad_value(str(name))


def take_change(live: LiveScores) -> None:
    """Remember which score the reader has changed."""
    name = str((reported(KEY, "changed") or {}).get("cell", ""))
    row, _, column = name.partition(",")
    if row.isdigit() and column.isdigit():
        turn = st.session_state.get(CHANGED, ("", 0, 0, 0))[3] + 1
        st.session_state[CHANGED] = (live.signature, int(row), int(column), turn)


def current_change(live: LiveScores) -> Change | None:
    """The reader's change to these very scores: shifted before and after, compared cell by cell."""
    signature, row, column, turn = st.session_state.get(CHANGED, ("", 0, 0, 0))
    if signature != live.signature or row >= live.query_count or column >= live.key_count:
        return None
    before = float(live.by_distance[row, column])
    largest = float(np.abs(live.by_distance).max())
    after = before + (largest or 1.0) * (1 if before <= 0 else -1)
    change = Change(row, column, before, after, (), turn)
    differs = rel_shift(live.by_distance) != rel_shift(changed_scores(live.by_distance, change))
    landed = tuple((int(i), int(j)) for i, j in np.argwhere(differs))
    return Change(row, column, before, after, landed, turn)


def changed_scores(scores: FloatArray, change: Change) -> FloatArray:
    """(L, S) the scores with the one value changed."""
    changed = scores.copy()
    changed[change.row, change.column] = change.after
    return changed


def change_words(live: LiveScores, change: Change) -> str:
    """What the reader's change did to the result."""
    words: dict[str, Any] = {
        "before": number_in_words(change.before),
        "after": number_in_words(change.after),
    }
    if len(change.landed) == 1:
        row, column = change.landed[0]
        return prose.section(PAGE, "changed", row=row, column=column, **words)
    return prose.section(PAGE, "changed hidden", **words)
