"""A closer look at the conflict, in tabs of which only the open one is drawn."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, islice

import numpy as np
import streamlit as st

from xlexplain.figures.labels import listed
from xlexplain.figures.position_attention import twin_table, twin_weights, weight_gap
from xlexplain.figures.position_distances import distance_matrix, error_matrix, row_table
from xlexplain.figures.position_growth import growth, growth_table
from xlexplain.figures.position_vectors import repeats, similarity_matrix, vector_strip
from xlexplain.maths import ForwardTrace, rel_shift
from xlexplain.maths.limits import MEMORY_DEPTHS
from xlexplain.maths.twins import most_attended, twin_difference
from xlexplain.maths.vectors import Encoding, equal_pairs, key_vectors, similarity
from xlexplain.maths.words import counted
from xlexplain.ui import controls, figure, models, prose
from xlexplain.ui.position.sections import PAGE, numbers
from xlexplain.ui.settings import Settings
from xlexplain.ui.texts import notice_unknown, visible

WIDTHS = (4, 8, 16, 32, 64)
DEFAULT_WIDTH = 16
MOST_KEYS_BESIDE = 48
ABSOLUTE: tuple[Encoding, ...] = ("sinusoidal", "learned")
RUNS = ("one segment repeated", "the text above")
TWINS = ("most attended", "chosen")


def closer_look(settings: Settings) -> None:
    """The tabs."""
    st.header(prose.section(PAGE, "closer title"), anchor="closer-look")
    sections: dict[str, Callable[[Settings], None]] = {
        "How bad it gets": how_bad,
        "Distances": distances,
        "Position vectors": vectors,
        "Attention": attention,
    }
    for tab, show in controls.bound_tabs("closer", sections):
        with tab:
            show(settings)


def how_bad(settings: Settings) -> None:
    """Candidates, pairs and the ambiguous share as the memory grows."""
    rows = growth(
        segment_length=settings.segment_length,
        query=settings.query,
        most_depth=MEMORY_DEPTHS[-1],
    )
    row = rows[settings.memory_depth]
    prose.show(
        PAGE,
        "how bad",
        **numbers(settings),
        ambiguous=row.ambiguous,
        visible=row.visible,
        share=f"{row.share:.0%}",
    )
    st.html(
        growth_table(
            rows,
            memory_depth=settings.memory_depth,
            query=settings.query,
            palette=settings.palette,
        )
    )


def distances(settings: Settings) -> None:
    """What absolute encodings say, what is true, and the difference, for every pair."""
    conflict, query, palette = settings.conflict, settings.query, settings.palette
    D, L, S = settings.memory_depth, settings.segment_length, conflict.key_count
    named = rel_shift(np.broadcast_to(np.arange(S - 1.0, -1, -1), (L, S)))
    gap = int(np.abs(named - conflict.distance)[conflict.visible].max())
    prose.show(PAGE, "distances", **numbers(settings), relative_gap=gap)
    errors = listed([ago * L for ago in range(D, -1, -1)])
    told, true = conflict.encoded_distance, conflict.distance
    figures = {
        "told": (
            distance_matrix(
                told,
                conflict,
                query=query,
                title=f"Told: never more than {L - 1} back",
                says="told",
                palette=palette,
            ),
            f"Encoded distance i − encoded(j) for {L} queries and {S} keys, from {told.min()} to "
            f"{told.max()}. The same {L} × {L} block stands there {counted(D + 1, 'time')}.",
        ),
        "true": (
            distance_matrix(
                true,
                conflict,
                query=query,
                title="True, and what relative ones say",
                says="true",
                palette=palette,
            ),
            f"True distance M + i − j, from {true.max()} down to 0 for visible keys, constant "
            "along diagonals. Relative positions give exactly this matrix.",
        ),
        "error": (
            error_matrix(conflict, query=query, title=f"True − told: {errors}", palette=palette),
            f"The difference: bands of constant value {errors}, one a segment.",
        ),
    }
    places = st.columns(3) if S <= MOST_KEYS_BESIDE else [st.container()] * 3
    for place, (name, (drawn, alt)) in zip(places, figures.items(), strict=True):
        figure.show(drawn, key=f"distances-{name}", alt=alt, place=place)
    prose.show(PAGE, "distances of the query", **numbers(settings))
    st.table(row_table(conflict, query=query), border="horizontal")


def vectors(settings: Settings) -> None:
    """How alike the keys' position vectors are: absolute beside relative."""
    conflict, palette = settings.conflict, settings.palette
    D, L = settings.memory_depth, settings.segment_length
    left, right = st.columns(2)
    with left:
        chosen = controls.bound_option("Absolute table", "table", ABSOLUTE)
    encoding: Encoding = "learned" if chosen == "learned" else "sinusoidal"
    with right:
        width = choose_width()
    kinds: tuple[Encoding, Encoding] = (encoding, "relative")
    tables = {
        kind: key_vectors(conflict, kind, query=settings.query, width=width) for kind in kinds
    }
    prose.show(
        PAGE,
        f"vectors {encoding}",
        **numbers(settings),
        width=width,
        equal=f"{equal_pairs(tables[encoding]):,}",
        equal_relative=equal_pairs(tables["relative"]),
    )
    titles = {
        encoding: f"Absolute: one {L} × {L} block, {(D + 1) ** 2} times" if D else "Absolute",
        "relative": "Relative: one band, no repeats",
    }
    for place, kind in zip(st.columns(2), kinds, strict=True):
        title, finding, table = titles[kind], repeats(tables[kind]), tables[kind]
        figure.show(
            similarity_matrix(similarity(table), conflict, title=title, palette=palette),
            key=f"similarity-{kind}",
            alt=f"{title}. Dot products of the position vectors of {conflict.key_count} keys, "
            f"divided by their lengths; pairs of keys with equal vectors: {equal_pairs(table)}.",
            place=place,
        )
        counted = f"distance from query {settings.query}" if kind == "relative" else "told position"
        figure.show(
            vector_strip(table, conflict, title=finding, palette=palette),
            key=f"strip-{kind}",
            alt=f"{finding}. The vectors themselves, one column of {width} numbers for each of "
            f"{conflict.key_count} keys, by its {counted}.",
            place=place,
        )


def choose_width() -> int:
    """C, bound to `width`."""
    words = list(map(str, WIDTHS))
    controls.load_option("width", words, default=str(DEFAULT_WIDTH))
    label = "Vector width C"
    width = st.select_slider(label, words, key="width", on_change=controls.chosen("width"))
    return int(controls.save_option(label, "width", width))


def attention(settings: Settings) -> None:
    """Layer 1 of the two shipped models on the same text: what twins get."""
    conflict, L = settings.conflict, settings.segment_length
    if settings.memory_depth == 0:
        prose.show(PAGE, "attention without memory", **numbers(settings))
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
    text, S = settings.text, conflict.key_count
    if run != RUNS[0] and len(text) < S:
        prose.notice(prose.section(PAGE, "too short for this run", characters=len(text), S=S))
    if run == RUNS[0] or len(text) < S:
        text = "".join(islice(cycle(text), L)) * (settings.memory_depth + 1)
    traces = {
        name: models.trace(name, text, segment_length=L, memory_depth=settings.memory_depth)
        for name in ("absolute", "relative")
    }
    vocabulary = models.pretrained("absolute").vocabulary
    notice_unknown(traces["absolute"].unknown, vocab_size=len(vocabulary))
    attended = traces["absolute"].segments[-1].layers[0].probs[head, settings.query]
    most = most_attended(attended, conflict, query=settings.query) if twins == TWINS[0] else None
    show_attention(
        settings,
        traces,
        text,
        head=head,
        position=settings.position if most is None else most,
    )


def show_attention(
    settings: Settings, traces: dict[str, ForwardTrace], text: str, *, head: int, position: int
) -> None:
    """Both models' weights from the chosen query, and the differences between twins."""
    conflict, query = settings.conflict, settings.query
    tokens = [visible(char) for char in text]
    ids = list(map(str, np.concatenate([one.ids for one in traces["absolute"].segments])))
    probs = {name: trace.segments[-1].layers[0].probs for name, trace in traces.items()}
    found = {name: twin_difference(one, conflict, tokens=ids) for name, one in probs.items()}
    prose.show(
        PAGE,
        "attention",
        **numbers(settings),
        shown=position,
        pairs_compared=f"{found['absolute'].pairs:,}",
        heads=len(probs["absolute"]),
        absolute=weight_gap(found["absolute"].largest),
        relative=weight_gap(found["relative"].largest),
    )
    weights = {name: one[head, query] for name, one in probs.items()}
    twins = np.flatnonzero((conflict.encoded == position) & conflict.visible[query])
    for name, mine in weights.items():
        gap = weight_gap(float(np.ptp(mine[twins])) if len(twins) else 0.0)
        title = f"{name.capitalize()} model: weights on position {position} differ by {gap}"
        figure.show(
            twin_weights(
                mine,
                conflict,
                tokens=tokens,
                position=position,
                query=query,
                title=title,
                palette=settings.palette,
            ),
            key=f"attention-{name}",
            alt=f"{title}. "
            + "; ".join(f"key {key}: weight {mine[key]:.6f}" for key in twins.tolist()),
        )
    st.html(twin_table(twins, conflict, weights, tokens=tokens, query=query))
