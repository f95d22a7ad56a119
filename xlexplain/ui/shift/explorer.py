"""What follows a chosen cell: the moving cells, and their addresses in memory."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from xlexplain.maths.shift_cost import shift_view, shift_view_address
from xlexplain.ui import address, controls, frame, prose
from xlexplain.ui.shift.checks import check
from xlexplain.ui.shift.component import show_moving_cells
from xlexplain.ui.shift.payload import PAGE, chosen_window, number_in_words
from xlexplain.ui.shift.scores import LiveScores

QUERY, KEY = "Query", "Key"


@dataclass(frozen=True)
class Explored:
    """The scores, and the query and key that are looked at."""

    live: LiveScores
    query: int
    key: int


def explore(explored: Explored) -> None:
    """The moving cells, and what is not as chosen."""
    show_moving_cells(explored.live, query=explored.query, key=explored.key)
    notices(explored, can_move=not frame.is_embedded())


def default_cell(live: LiveScores) -> tuple[int, int]:
    """A query and a key near the border to the left-overs, so that a window shows both sides."""
    query = 10 if live.query_count >= 16 else live.query_count // 3
    return query, live.memory_present + max(0, query - 1)


def choose_cell(live: LiveScores) -> Explored:
    """The query and key of the address; clicks on cells and two widgets further down set them."""
    L, S = live.by_distance.shape
    query, key = default_cell(live)
    cell = []
    for limits in (
        controls.Range(QUERY, "query", 0, L - 1, query),
        controls.Range(KEY, "key", 0, S - 1, key),
    ):
        controls.load_number(limits)
        cell.append(controls.save_number(limits, st.session_state[limits.name]))
    return Explored(live, query=cell[0], key=cell[1])


def notices(explored: Explored, *, can_move: bool) -> None:
    """Say what is not as chosen: a short segment, a window instead of the whole."""
    live = explored.live
    if live.is_short:
        caption(
            "short memory",
            segment=live.segment,
            m=live.memory_present,
            M=live.memory_length,
            L=live.query_count,
        )
    window = chosen_window(live, query=explored.query, key=explored.key)
    if not window.is_whole:
        caption(
            "window",
            L=live.query_count,
            S=live.key_count,
            cells=f"{live.query_count * live.key_count:,}",
            shown=len(window.queries) * len(window.keys),
            first_query=window.queries[0],
            last_query=window.queries[-1],
            first_key=window.keys[0],
            last_key=window.keys[-1],
            how=prose.section(PAGE, "window moves") if can_move else "",
        )


def caption(section: str, **values: object) -> None:
    """A line of the page's prose, small."""
    st.caption(f":material/info: {prose.section(PAGE, section, **values)}")


def zero_copy(explored: Explored) -> None:
    """The zero-copy form, and its address arithmetic for the query and key."""
    live, query, key = explored.live, explored.query, explored.key
    L, S = live.by_distance.shape
    prose.show(PAGE, "zero-copy")
    code, arithmetic = st.columns(2, gap="large")
    with code:
        view = shift_view(live.by_distance)
        st.code(zero_copy_code(view.strides, L=L, S=S, itemsize=view.itemsize), language="python")
        left, right = st.columns(2)
        with left:
            slide(QUERY, "query", query, count=L)
        with right:
            pick(KEY, "key", key, count=S)
    with arithmetic:
        words = address_words(live, query=query, key=key)
        prose.show(PAGE, "zero-copy cell", **words)
        is_left_over = key > query + live.memory_present
        prose.show(PAGE, "zero-copy left-over" if is_left_over else "zero-copy valid", **words)


def slide(label: str, name: str, value: int, *, count: int) -> None:
    """A slider that shows and moves a value of the first screen; nothing to choose, no slider."""
    if count > 1:
        show_here(name, value)
        st.select_slider(label, range(count), key=f"{name} here", on_change=take_here, args=(name,))


def pick(label: str, name: str, value: int, *, count: int) -> None:
    """The same as a select box."""
    show_here(name, value)
    st.selectbox(label, range(count), key=f"{name} here", on_change=take_here, args=(name,))


def show_here(name: str, value: int) -> None:
    """Before the widget is made: let it show a value.

    What it shows already is left alone: it may be a few presses ahead in the browser.
    """
    if st.session_state.get(f"{name} here") != value:
        st.session_state[f"{name} here"] = value


def take_here(name: str) -> None:
    """The widget's value becomes the page's.

    It has a key of its own because it may lag behind: with every message the browser sends the
    values of all widgets, and would undo what was chosen by a click on a cell.
    """
    address.choose(name, st.session_state[f"{name} here"])


def zero_copy_code(strides: tuple[int, ...], *, L: int, S: int, itemsize: int) -> str:
    """The zero-copy form for these lengths, with the strides that NumPy reports."""
    start = shift_view_address(query=0, key=0, segment_length=L, key_count=S)
    return (
        f"flat = x.ravel()[L - 1:]  # from number {start} on\n"
        "x = as_strided(\n"
        f"    flat,\n    shape=(L, S),  # ({L}, {S})\n"
        f"    strides=((S - 1) * {itemsize}, {itemsize}),  # {tuple(strides)} bytes\n)"
    )


def address_words(live: LiveScores, *, query: int, key: int) -> dict[str, object]:
    """Every number of the address arithmetic."""
    L, S = live.by_distance.shape
    itemsize = live.by_distance.itemsize
    start = shift_view_address(query=0, key=0, segment_length=L, key_count=S)
    address = shift_view_address(query=query, key=key, segment_length=L, key_count=S)
    row, column = divmod(address, S)
    return {
        "query": query,
        "key": key,
        "start": start,
        "stride": S - 1,
        "address": address,
        "itemsize": itemsize,
        "start_bytes": start * itemsize,
        "stride_bytes": (S - 1) * itemsize,
        "address_bytes": address * itemsize,
        "row": row,
        "column": column,
        "S": S,
        "M": S - L,
        "farthest": S - 1,
        "distance": S - 1 - column,
        "ahead": key - query - (S - L),
        "direct": number_in_words(float(check(live.signature, live).direct[query, key])),
        "value": number_in_words(float(shift_view(live.by_distance)[query, key])),
    }
