"""The part of the page that follows a chosen cell: the moving cells and their addresses."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from xlexplain.maths.shift_cost import shift_view, shift_view_address
from xlexplain.ui import controls, prose
from xlexplain.ui.shift.checks import check
from xlexplain.ui.shift.component import show_moving_cells
from xlexplain.ui.shift.payload import PAGE, chosen_window, number_in_words
from xlexplain.ui.shift.scores import LiveScores


@st.fragment
def explore(live: LiveScores, below: DeltaGenerator | None) -> None:
    """Moving cells; `below` them the zero-copy form for the cell that the reader has chosen.

    Args: below: where; None shows the cells only.
    """
    cells = st.container()
    if below is None:
        query, key = cell_in_address(live)
    else:
        with below:
            query, key = address_section(live)
    with cells:
        show_moving_cells(live, query=query, key=key)
        notices(live, query=query, key=key, can_move=below is not None)


def default_cell(live: LiveScores) -> tuple[int, int]:
    """A query and a key near the border to the left-overs, so that a window shows both sides."""
    query = 10 if live.query_count >= 16 else live.query_count // 3
    return query, live.memory_present + max(0, query - 1)


def cell_in_address(live: LiveScores) -> tuple[int, int]:
    """The query and key of the address, where no widget shows them; clicks on cells set them."""
    L, S = live.by_distance.shape
    query, key = default_cell(live)
    cell = []
    for limits in (
        controls.Range("Query", "query", 0, L - 1, query),
        controls.Range("Key", "key", 0, S - 1, key),
    ):
        controls.settle_number(limits)
        cell.append(controls.told_number(limits, st.session_state[limits.name]))
    return cell[0], cell[1]


def notices(live: LiveScores, *, query: int, key: int, can_move: bool) -> None:
    """Say what is not as chosen: a short segment, a window instead of the whole."""
    if live.is_short:
        caption(
            "short memory",
            segment=live.segment,
            m=live.memory_present,
            M=live.memory_length,
            L=live.query_count,
        )
    window = chosen_window(live, query=query, key=key)
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


def address_section(live: LiveScores) -> tuple[int, int]:
    """The zero-copy form, and its address arithmetic for a chosen query and key."""
    L, S = live.by_distance.shape
    default_query, default_key = default_cell(live)
    prose.show(PAGE, "zero-copy")
    code, arithmetic = st.columns(2, gap="large")
    with code:
        view = shift_view(live.by_distance)
        st.code(zero_copy_code(view.strides, L=L, S=S, itemsize=view.itemsize), language="python")
        left, right = st.columns(2)
        with left:
            query = controls.bounded_slider("Query", "query", most=L - 1, default=default_query)
        with right:
            key = controls.bound_choice(controls.Range("Key", "key", 0, S - 1, default_key))
    with arithmetic:
        words = address_words(live, query=query, key=key)
        prose.show(PAGE, "zero-copy cell", **words)
        is_left_over = key > query + live.memory_present
        prose.show(PAGE, "zero-copy left-over" if is_left_over else "zero-copy valid", **words)
    return query, key


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
