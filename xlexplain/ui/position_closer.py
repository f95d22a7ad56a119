"""A closer look at the conflict, in tabs of which only the open one is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle, islice

import numpy as np
import streamlit as st

from xlexplain.figures.labels import listed
from xlexplain.figures.position_attention import twin_weights
from xlexplain.figures.position_distances import distance_matrix, error_matrix
from xlexplain.figures.position_growth import growth, growth_table
from xlexplain.figures.position_vectors import similarity_matrix, vector_strip
from xlexplain.maths import ForwardTrace, PositionConflict, rel_shift, segment_name
from xlexplain.maths.arrays import FloatArray, IntArray
from xlexplain.maths.twins import most_attended, twin_difference
from xlexplain.maths.vectors import Encoding, equal_pairs, key_vectors, similarity
from xlexplain.ui import controls, models, prose
from xlexplain.ui.position_view import PositionView
from xlexplain.ui.position_words import PAGE, quoted, signed
from xlexplain.ui.texts import notice_unknown, visible

WIDTHS = (4, 8, 16, 32, 64)
DEFAULT_WIDTH = 16
MOST_KEYS_BESIDE = 48
ABSOLUTE: tuple[Encoding, ...] = ("sinusoidal", "learned")
RUNS = ("one segment repeated", "the text above")
TWINS = ("most attended", "chosen")


def closer_look(view: PositionView) -> None:
    """The tabs."""
    st.header(prose.section(PAGE, "closer title"), anchor="closer-look")
    sections: dict[str, Callable[[PositionView], None]] = {
        "How bad it gets": how_bad,
        "Distances": distances,
        "Position vectors": vectors,
        "Attention": attention,
    }
    controls.load_option("closer", list(sections))
    controls.save_option("View", "closer", st.session_state["closer"])
    tabs = st.tabs(list(sections), key="closer", on_change=controls.chosen("closer"))
    for tab, show in zip(tabs, sections.values(), strict=True):
        if tab.open:
            with tab:
                show(view)


def how_bad(view: PositionView) -> None:
    """Candidates, pairs and the ambiguous share as the memory grows."""
    conflict = view.conflict
    rows = growth(
        segment_length=conflict.segment_length,
        query=view.query,
        most_depth=controls.MEMORY_DEPTH.most,
    )
    row = rows[conflict.memory_depth]
    prose.show(
        PAGE,
        "how bad",
        **view.numbers,
        ambiguous=row.ambiguous,
        visible=row.visible,
        share=f"{row.share:.0%}",
    )
    st.html(
        growth_table(
            rows, memory_depth=conflict.memory_depth, query=view.query, palette=view.palette
        )
    )


def distances(view: PositionView) -> None:
    """What absolute encodings say, what is true, and the difference, for every pair."""
    conflict, palette = view.conflict, view.palette
    D, L = conflict.memory_depth, conflict.segment_length
    gap = int(np.abs(relative_distance(conflict) - conflict.distance)[conflict.visible].max())
    prose.show(PAGE, "distances", **view.numbers, relative_gap=gap)
    errors = listed([ago * L for ago in range(D, -1, -1)])
    figures = {
        "told": (
            distance_matrix(
                conflict.encoded_distance,
                conflict,
                palette,
                query=view.query,
                title=f"Told: never more than {L - 1} back",
                says="told",
            ),
            f"Encoded distance i − encoded(j) for {L} queries and {conflict.key_count} keys, from "
            f"{conflict.encoded_distance.min()} to {conflict.encoded_distance.max()}. The same "
            f"{L} × {L} block stands there {D + 1} times.",
        ),
        "true": (
            distance_matrix(
                conflict.distance,
                conflict,
                palette,
                query=view.query,
                title="True, and what relative ones say",
                says="true",
            ),
            f"True distance M + i − j, from {conflict.distance.max()} down to 0 for visible keys, "
            "constant along diagonals. Relative positions give exactly this matrix.",
        ),
        "error": (
            error_matrix(conflict, palette, query=view.query, title=f"True − told: {errors}"),
            f"The difference: bands of constant value {errors}, one a segment.",
        ),
    }
    places = st.columns(3) if conflict.key_count <= MOST_KEYS_BESIDE else [st.container()] * 3
    for place, (name, (figure, alt)) in zip(places, figures.items(), strict=True):
        place.plotly_chart(figure, key=f"distances {name}", alt=alt)
    prose.show(PAGE, "distances of the query", **view.numbers)
    st.markdown(row_table(conflict, query=view.query))


def row_table(conflict: PositionConflict, *, query: int) -> str:
    """A query's row of the three matrices as a Markdown table: what it sees, segment by segment."""
    lines = ["| segment | told | true | off by |", "|---|---|---|---:|"]
    for ago in range(conflict.memory_depth, -1, -1):
        keys = np.flatnonzero((conflict.segments_ago == ago) & conflict.visible[query])
        told, true, error = (
            matrix[query, keys]
            for matrix in (conflict.encoded_distance, conflict.distance, conflict.error)
        )
        cells = (
            ", ".join(map(signed, values.tolist())) for values in (told, true, np.unique(error))
        )
        lines.append(f"| {segment_name(ago)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def relative_distance(conflict: PositionConflict) -> IntArray:
    """(L, S) the distance that a relative encoding names, by way of the shift; 0 where masked."""
    L, S = conflict.segment_length, conflict.key_count
    by_distance = np.broadcast_to(np.arange(S - 1.0, -1, -1), (L, S))
    return np.asarray(rel_shift(by_distance), np.int64)


def vectors(view: PositionView) -> None:
    """How alike the keys' position vectors are: absolute beside relative."""
    conflict, palette, L = view.conflict, view.palette, view.conflict.segment_length
    left, right = st.columns(2)
    with left:
        chosen = controls.bound_option("Absolute table", "table", ABSOLUTE)
    encoding: Encoding = "learned" if chosen == "learned" else "sinusoidal"
    with right:
        width = choose_width()
    kinds: tuple[Encoding, Encoding] = (encoding, "relative")
    tables = {kind: key_vectors(conflict, kind, query=view.query, width=width) for kind in kinds}
    prose.show(
        PAGE,
        f"vectors {encoding}",
        **view.numbers,
        width=width,
        equal=f"{equal_pairs(tables[encoding]):,}",
        equal_relative=equal_pairs(tables["relative"]),
    )
    D = conflict.memory_depth
    titles = {
        encoding: f"Absolute: one {L} × {L} block, {(D + 1) ** 2} times" if D else "Absolute",
        "relative": "Relative: one band, no repeats",
    }
    for place, kind in zip(st.columns(2), kinds, strict=True):
        alike = similarity(tables[kind])
        figure = similarity_matrix(alike, conflict, palette, title=titles[kind])
        place.plotly_chart(
            figure,
            key=f"similarity {kind}",
            alt=f"{titles[kind]}. Dot products of the position vectors of {conflict.key_count} "
            "keys, divided by their lengths; pairs of keys with equal vectors: "
            f"{equal_pairs(tables[kind])}.",
        )
        finding = repeats(tables[kind])
        counted = f"distance from query {view.query}" if kind == "relative" else "told position"
        place.plotly_chart(
            vector_strip(tables[kind], conflict, palette, title=finding),
            key=f"strip {kind}",
            alt=f"{finding}. The vectors themselves, one column of {width} numbers for each of "
            f"{conflict.key_count} keys, by its {counted}.",
        )


def repeats(vectors: FloatArray) -> str:
    """How often the columns of a strip come back.

    >>> repeats(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]))
    '2 columns 2 times: 2 equal pairs'
    >>> repeats(np.eye(3))
    '3 columns, no two equal'
    """
    different, pairs = len(np.unique(vectors, axis=0)), equal_pairs(vectors)
    if pairs == 0:
        return f"{different} columns, no two equal"
    times = len(vectors) // different
    return f"{different} columns {times} times: {pairs:,} equal pairs"


def choose_width() -> int:
    """C, bound to `width`."""
    words = list(map(str, WIDTHS))
    controls.load_option("width", words, default=str(DEFAULT_WIDTH))
    width = st.select_slider(
        "Vector width C", words, key="width", on_change=controls.chosen("width")
    )
    return int(controls.save_option("Vector width", "width", width))


def attention(view: PositionView) -> None:
    """Layer 1 of the two shipped models on the same text: what twins get."""
    conflict = view.conflict
    if conflict.memory_depth == 0:
        prose.show(PAGE, "attention without memory", **view.numbers)
        return
    text_place, twins_place, head_place = st.columns([3, 2, 2])
    with head_place:
        head = controls.head_index()
    with twins_place:
        twins = controls.bound_option(
            "Twins in yellow",
            "twins",
            TWINS,
            help="The position that the absolute model looks at most, or that of the chosen key.",
        )
    with text_place:
        run = controls.bound_option("Text for this run", "run", RUNS)
    L, S = conflict.segment_length, conflict.key_count
    text = view.text
    if run != RUNS[0] and len(text) < S:
        st.caption(
            f":material/info: Your text has {len(text)} of the {S} characters needed; "
            "its beginning is repeated instead."
        )
    if run == RUNS[0] or len(text) < S:
        text = "".join(islice(cycle(view.text), L)) * (conflict.memory_depth + 1)
    traces = {
        name: models.trace(name, text, segment_length=L, memory_depth=conflict.memory_depth)
        for name in ("absolute", "relative")
    }
    vocabulary = models.pretrained("absolute").vocabulary
    notice_unknown(traces["absolute"].unknown, vocab_size=len(vocabulary))
    attended = traces["absolute"].segments[-1].layers[0].probs[head, view.query]
    most = most_attended(attended, conflict, query=view.query) if twins == TWINS[0] else None
    show_attention(
        view,
        traces,
        tokens=[visible(char) for char in text],
        head=head,
        position=view.position if most is None else most,
    )


def show_attention(
    view: PositionView,
    traces: dict[str, ForwardTrace],
    *,
    tokens: Sequence[str],
    head: int,
    position: int,
) -> None:
    """Both models' weights from the chosen query, and the differences between twins."""
    conflict = view.conflict
    ids = list(map(str, np.concatenate([one.ids for one in traces["absolute"].segments])))
    weights = {name: trace.segments[-1].layers[0].probs for name, trace in traces.items()}
    differences = {
        name: twin_difference(probs, conflict, tokens=ids) for name, probs in weights.items()
    }
    head_count = weights["absolute"].shape[0]
    prose.show(
        PAGE,
        "attention",
        **view.numbers,
        shown=position,
        pairs_compared=f"{differences['absolute'].pairs:,}",
        heads=head_count,
        absolute=exact(differences["absolute"].largest),
        relative=exact(differences["relative"].largest),
    )
    twins = visible_twins(conflict, position=position, query=view.query)
    for name, probs in weights.items():
        mine = probs[head, view.query]
        gap = float(np.ptp(mine[twins])) if len(twins) else 0.0
        title = f"{name.capitalize()} model: weights on position {position} differ by {exact(gap)}"
        st.plotly_chart(
            twin_weights(
                mine,
                conflict,
                view.palette,
                tokens=tokens,
                position=position,
                query=view.query,
                title=title,
            ),
            key=f"attention {name}",
            alt=f"{title}. "
            + "; ".join(f"key {key}: weight {mine[key]:.6f}" for key in twins.tolist()),
        )
    st.markdown(twin_table(view, twins, weights, tokens=tokens, head=head))


def visible_twins(conflict: PositionConflict, *, position: int, query: int) -> IntArray:
    """The keys at a position that the query sees."""
    return np.flatnonzero((conflict.encoded == position) & conflict.visible[query])


def twin_table(
    view: PositionView,
    twins: IntArray,
    weights: dict[str, FloatArray],
    *,
    tokens: Sequence[str],
    head: int,
) -> str:
    """The twins' weights as a Markdown table."""
    conflict = view.conflict
    lines = ["| key | segment | tokens back | absolute | relative |", "|---|---|---:|---:|---:|"]
    for key in twins.tolist():
        cells = [f"{weights[name][head, view.query, key]:.8f}" for name in ("absolute", "relative")]
        lines.append(
            f"| {prose.literal(quoted(tokens[key]))} "
            f"| {segment_name(int(conflict.segments_ago[key]))} "
            f"| {conflict.distance[view.query, key]} | {' | '.join(cells)} |"
        )
    return "\n".join(lines)


def exact(difference: float) -> str:
    """A difference: exactly 0, or its size.

    >>> exact(0.0), exact(0.25), exact(3e-9)
    ('exactly 0', '0.2500', '3.0e-09')
    """
    if difference == 0:
        return "exactly 0"
    return f"{difference:.4f}" if difference >= 5e-5 else f"{difference:.1e}"
