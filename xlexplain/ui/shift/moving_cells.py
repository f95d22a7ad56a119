"""The first screen: the moving cells with their captions, the chosen cell, a score to change."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from xlexplain.figures.labels import bytes_in_words, four_digits, power_of_ten, without_tags
from xlexplain.figures.shift import ShiftScores, shift_animation
from xlexplain.figures.shift_layout import Window, window_around
from xlexplain.figures.theme import DARK, LIGHT
from xlexplain.maths import ShiftStage, rel_shift, rel_shift_steps
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.shift_cost import written_bytes
from xlexplain.ui import address, controls, figure, frame, prose
from xlexplain.ui.shift.checks import check
from xlexplain.ui.shift.scores import LiveScores

PAGE = "relative_shift"
FORMS = {"slide": "Sliding rows", "code": "Five lines"}
LAST_FRAME = {"slide": 3, "code": 5}
SPEEDS = {"1": "1×", "0.5": "½×", "2": "2×", "4": "4×"}  # as the player shows them
CHANGED = "changed score"  # in the session: signature, row, column

Place = tuple[int, int]


def show(live: LiveScores) -> None:
    """The figure, and below it what belongs to the chosen cell."""
    figure_place = st.container()
    settings = live.settings
    with st.container(horizontal=True, vertical_alignment="center", key="below-cells"):
        form = choose_form()
        st.html(chosen_words(live), width="stretch")
        st.button("Change this value", on_click=take_change, args=(live,))
    changed = current_change(live)
    if changed is not None:
        st.markdown(change_words(live, changed))
    checked = check(live.signature, live)
    difference = power_of_ten(checked.computed, digits=2)
    st.caption(
        prose.section(PAGE, "checked", pairs=f"{checked.pairs:,}", difference=difference),
    )
    moving = cells_figure(
        live.signature,
        changed,
        form,
        settings.palette.is_dark,
        chosen_cell(live),
        _live=live,
    )
    stage = controls.hidden_number(controls.Range("Frame", "stage", 0, LAST_FRAME[form], 0))
    figure.show(
        moving,
        key="moving-cells",
        alt=f"{prose.section(PAGE, 'alt')} {without_tags(chosen_words(live))}",
        on_choose=take_cell,
        frame=stage,
        on_frame=lambda number: address.choose("stage", number),
        speed=controls.hidden_option("Speed", "speed", list(SPEEDS), label_of=SPEEDS.__getitem__),
        on_speed=lambda speed: address.choose("speed", speed),
        lists_frames=True,
        place=figure_place,
    )
    notices(live)


def choose_form() -> str:
    """Rows that slide, or the five lines; bound to `shown`."""
    label = "Shown as"
    controls.load_option("shown", list(FORMS))
    form = st.segmented_control(
        label,
        list(FORMS),
        format_func=FORMS.__getitem__,
        required=True,
        key="shown",
        label_visibility="collapsed",
        on_change=start_again,
    )
    return controls.save_option(label, "shown", form or "slide", label_of=FORMS.__getitem__)


def start_again() -> None:
    """The other form begins with its first frame."""
    address.forget_bad_value("shown")
    address.choose("stage", 0)


def chosen_cell(live: LiveScores) -> Place:
    """The query and key that are looked at."""
    return live.settings.query, live.settings.key or 0


@st.cache_resource(max_entries=64, show_spinner=False)
def cells_figure(
    signature: str,
    changed: Place | None,
    form: str,
    is_dark: bool,
    cell: Place,
    *,
    _live: LiveScores,
) -> figure.Prepared:
    """The figure, once for all readers; `signature` names the scores for the cache."""
    scores = _live.by_distance if changed is None else changed_scores(_live, changed)
    stages = rel_shift_steps(scores)
    numbers = stage_numbers(stages)
    count = LAST_FRAME[form] + 1
    written = [
        f"writes {bytes_in_words(one) if one else 'nothing'}" for one in written_bytes(stages)
    ]
    notes = ["given", *written[1:]]
    if form == "slide":
        notes = [
            "given",
            *(prose.section(PAGE, f"slide cost {n}", **numbers) for n in (1, 2)),
            notes[-1],
        ]
    window = shown_window(_live)
    part = "" if window.is_whole else f" {shown_words(_live, window)}"
    captions = [prose.section(PAGE, f"{form} {n}", **numbers).split("\n", 1) for n in range(count)]
    moving = shift_animation(
        ShiftScores(
            scores,
            _live.query_tokens,
            _live.key_tokens,
            _live.segments_ago,
            query=cell[0],
            key=cell[1],
            changed=changed,
        ),
        palette=DARK if is_dark else LIGHT,
        is_sliding=form == "slide",
        captions=[(title, f"{why}{part}") for title, why in captions],
        notes=notes,
    )
    return figure.prepare(moving)


def shown_window(live: LiveScores) -> Window:
    """The part of the matrix that is drawn."""
    query, key = chosen_cell(live)
    return window_around(
        query=query, key=key, segment_length=live.query_count, key_count=live.key_count
    )


def shown_words(live: LiveScores, window: Window) -> str:
    """How many of the matrix's cells the window holds."""
    cells = live.query_count * live.key_count
    shown = len(window.queries) * len(window.keys)
    return prose.section(PAGE, "shown", shown=shown, cells=f"{cells:,}")


def stage_numbers(stages: tuple[ShiftStage, ...]) -> dict[str, object]:
    """The numbers that the captions name."""
    L, S = stages[0].source.shape
    left_over = int(stages[-1].is_masked.sum())
    return {
        "L": L,
        "S": S,
        "S1": S + 1,
        "M": S - L,
        "last": L - 1,
        "distances": distances_in_words(S),
        "padded": L * (S + 1),
        "cells": L * S,
        "left_over": left_over,
        "left_overs": left_overs_in_words(left_over),
    }


def distances_in_words(count: int) -> str:
    """All distances from the farthest to 0; of many only the ends.

    >>> distances_in_words(1), distances_in_words(3), distances_in_words(16)
    ('0', '2, 1, 0', '15, …, 1, 0')
    """
    shown = range(count - 1, -1, -1) if count <= 4 else [count - 1, "…", 1, 0]
    return ", ".join(map(str, shown))


def left_overs_in_words(count: int) -> str:
    """What the mask hides, as the end of a title.

    >>> left_overs_in_words(1)
    'the left-over belongs to the next query'
    """
    if count == 0:
        return "nothing is left over"
    if count == 1:
        return "the left-over belongs to the next query"
    return f"the {count} left-overs belong to the next query"


def chosen_words(live: LiveScores) -> str:
    """The chosen cell: whose it is, its score, and where it lands, as HTML."""
    query, key = chosen_cell(live)
    L, S = live.by_distance.shape
    row, distance = query, S - L + query - key
    is_left_over = distance < 0
    if is_left_over:  # from the next query's list, behind the zero in front of it
        row, distance = query + 1, S + distance + 1
    words: dict[str, Any] = {
        "query": row,
        "token": live.query_tokens[row],
        "distance": distance,
        "row": query,
        "column": key,
        "key_token": live.key_tokens[key],
    }
    if distance == S:
        return prose.section_html(PAGE, "chosen pad", **words)
    words["value"] = four_digits(float(live.by_distance[row, S - 1 - distance]))
    return prose.section_html(PAGE, "chosen left-over" if is_left_over else "chosen", **words)


def take_cell(chosen: dict[str, Any]) -> None:
    """A click on a cell chooses the query and key where it ends; a dropped one ends nowhere."""
    query, key = chosen["point"][:2]
    if min(query, key) >= 0:
        address.choose("query", int(query))
        address.choose("key", int(key))


def take_change(live: LiveScores) -> None:
    """Change the chosen cell's score, and show from the first frame on where that lands."""
    query, key = chosen_cell(live)
    source = rel_shift_steps(live.by_distance)[-1].source[query, key]
    if source >= 0:
        st.session_state[CHANGED] = (live.signature, *divmod(int(source), live.key_count))


def current_change(live: LiveScores) -> Place | None:
    """Row and column of the score among these that the reader has changed."""
    signature, row, column = st.session_state.get(CHANGED, ("", 0, 0))
    return (row, column) if signature == live.signature else None


def changed_scores(live: LiveScores, place: Place) -> FloatArray:
    """(L, S) the scores with one value changed by as much as the largest of them, towards 0."""
    changed = live.by_distance.copy()
    largest = float(np.abs(changed).max()) or 1.0
    changed[place] += largest if changed[place] <= 0 else -largest
    return changed


def change_words(live: LiveScores, place: Place) -> str:
    """What the change did: shifted before and after, compared cell by cell."""
    scores = changed_scores(live, place)
    landed = np.argwhere(rel_shift(scores) != rel_shift(live.by_distance))
    words: dict[str, Any] = {
        "before": four_digits(float(live.by_distance[place])),
        "after": four_digits(float(scores[place])),
    }
    if len(landed) == 1:
        row, column = landed[0]
        return prose.section(PAGE, "changed", row=row, column=column, **words)
    return prose.section(PAGE, "changed hidden", **words)


def notices(live: LiveScores) -> None:
    """Say what is not as chosen: a short segment, a window instead of the whole."""
    if live.is_short:
        prose.notice(
            prose.section(
                PAGE,
                "short memory",
                segment=live.settings.segment,
                m=live.memory_present,
                M=live.settings.memory_length,
                L=live.query_count,
            )
        )
    window = shown_window(live)
    if not window.is_whole:
        prose.notice(
            prose.section(
                PAGE,
                "window",
                L=live.query_count,
                S=live.key_count,
                cells=f"{live.query_count * live.key_count:,}",
                shown=len(window.queries) * len(window.keys),
                first_query=window.queries[0],
                last_query=window.queries[-1],
                first_key=window.keys[0],
                last_key=window.keys[-1],
                how="" if frame.is_embedded() else prose.section(PAGE, "window moves"),
            )
        )
