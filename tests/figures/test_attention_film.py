"""The film of a head holds the trace's numbers in every frame, and says what they show."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plotly.io.json import to_json_plotly

from tests.titles import plain
from tests.traces import ALPHABET, trace_of
from xlexplain.figures.attention_film import Colored, attention_film
from xlexplain.figures.labels import percent
from xlexplain.figures.theme import DARK, LIGHT, Palette, color_at, contrast
from xlexplain.maths import AttentionTrace, ForwardTrace
from xlexplain.maths.attention_views import memory_share

KINDS: tuple[Colored, ...] = get_args(Colored)
texts = st.text(alphabet=ALPHABET[1:], min_size=1, max_size=20)


@pytest.fixture(scope="module")
def trace() -> ForwardTrace:
    return trace_of("abcabdabeabfgh", segment_length=4, memory_depth=2)


def film_of(trace: ForwardTrace, colored: Colored = "weight", **changes: Any) -> go.Figure:
    options: dict[str, Any] = {"layer": 1, "head": 1, "query": 1, "key": None}
    options |= {"tokens": trace.tokens, "palette": LIGHT} | changes
    return attention_film(trace, colored=colored, **options)


def row_of(layer: AttentionTrace, colored: Colored, *, query: int) -> list[float]:
    """What the cells of head 1 should show for the keys that a query sees, one by one."""
    seen = [key for key in range(layer.ac.shape[2]) if not layer.is_masked[query, key]]
    if colored == "weight":
        return [float(layer.probs[1, query, key]) for key in seen]
    ac, bd = layer.ac[1, query], layer.bd[1, query]
    parts = {"ac": ac, "score": ac + bd}.get(colored, bd)
    scores = [float(parts[key]) * layer.scale for key in seen]
    return [score - sum(scores) / len(scores) for score in scores]


@pytest.mark.parametrize("colored", KINDS)
@settings(deadline=None, max_examples=5)
@given(text=texts, length=st.integers(1, 6), depth=st.integers(0, 3))
def test_every_frame_shows_its_segment(
    colored: Colored, text: str, length: int, depth: int
) -> None:
    trace = trace_of(text, segment_length=length, memory_depth=depth)
    film = film_of(trace, colored)
    assert len(film.frames) == len(trace.segments)
    for frame, segment in zip(film.frames, trace.segments, strict=True):
        rows, m = len(segment.ids), segment.memory_length
        expected = np.full((length, length * (depth + 1)), np.nan)
        for query in range(rows):
            for key, shown in enumerate(row_of(segment.layers[1], colored, query=query)):
                distance = m + query - key
                column = length - 1 - distance if colored == "bd_by_distance" else key - m
                expected[query, column + length * depth] = shown
        assert frame.data[0].z.dtype == np.float32
        np.testing.assert_allclose(frame.data[0].z, expected, atol=1e-6)
    np.testing.assert_array_equal(film.data[0].z, film.frames[0].data[0].z)


@pytest.mark.parametrize("colored", KINDS)
def test_one_scale_serves_all_frames(trace: ForwardTrace, colored: Colored) -> None:
    film = film_of(trace, colored)
    heatmap = film.data[0]
    largest = max(float(np.nanmax(np.abs(frame.data[0].z))) for frame in film.frames)
    assert heatmap.zmax >= largest
    assert heatmap.zmin == (0 if colored == "weight" else -heatmap.zmax)
    parts = {film_of(trace, part).data[0].zmax for part in ("score", "ac", "bd", "bd_by_distance")}
    assert len(parts) == 1  # so that the parts of a score can be compared


@pytest.mark.parametrize("colored", KINDS)
def test_frames_set_the_same_things_and_name_their_characters(
    trace: ForwardTrace, colored: Colored
) -> None:
    film = film_of(trace, colored)
    names = ["Segment 0 (0–3)", "Segment 1 (4–7)", "Segment 2 (8–11)", "Segment 3 (12–13)"]
    assert [frame.name for frame in film.frames] == names
    changed = {
        tuple(tuple(sorted(trace.to_plotly_json())) for trace in frame.data)
        for frame in film.frames
    }
    assert len(changed) == 1
    assert {tuple(frame.traces) for frame in film.frames} == {(0, 1, 2, 3, 4, 5)}


def test_memory_fills_rolls_and_forgets(trace: ForwardTrace) -> None:
    film = film_of(trace)
    said = [plain(frame.layout.title.subtitle.text) for frame in film.frames]
    assert said[0] == "Segment 0 finds an empty memory"
    for number, length, lost in ((1, 4, 0), (2, 8, 0), (3, 8, 4)):
        share = float(memory_share(trace.segments[number].layers[1])[1].mean())
        assert said[number].startswith(f"Segment {number} reads {length} tokens of memory, with")
        assert percent(share) in said[number]
        assert said[number].endswith("; 4 more are forgotten") == bool(lost)
    ages = [frame.data[1].z[0] for frame in film.frames]
    assert [np.isfinite(row).sum() for row in ages] == [4, 8, 12, 10]
    np.testing.assert_array_equal(ages[2], np.repeat([2, 1, 0], 4))
    bare = trace_of("abcabd", segment_length=4, memory_depth=0)
    said = plain(film_of(bare).frames[1].layout.title.subtitle.text)
    assert said == "Segment 1 has no memory to read"


@pytest.mark.parametrize("colored", KINDS)
def test_the_finding_names_the_largest_value_of_the_query(
    trace: ForwardTrace, colored: Colored
) -> None:
    for number, frame in enumerate(film_of(trace, colored).frames):
        segment, here = trace.segments[number], trace.key_tokens(number)
        m = segment.memory_length
        values = row_of(segment.layers[1], colored, query=1)
        best = int(np.argmax(values))
        found = plain(frame.layout.title.text)
        where = f"“{here[best]}”, {m + 1 - best} back" if best < m + 1 else "itself"
        assert where in found
        assert (", in memory" in found) == (best < m)
        shown = percent(max(values)) if colored == "weight" else f"{max(values):.2f} above average"
        assert shown in found


def test_tokens_stand_on_both_axes_the_chosen_ones_bold(trace: ForwardTrace) -> None:
    film = film_of(trace, key=5)
    axes = film.frames[2].layout
    assert axes.xaxis.tickvals == tuple(range(-8, 4))
    assert "".join(axes.xaxis.ticktext) == "abcab<b>d</b>abeabf"
    assert "".join(axes.yaxis.ticktext) == "e<b>a</b>bf"
    distances = film_of(trace, "bd_by_distance", key=5).frames[2].layout.xaxis
    assert "<b>4</b>" in distances.ticktext
    for place, word in zip(distances.tickvals, distances.ticktext, strict=True):
        assert word in (f"{3 - place}", "<b>4</b>")


@pytest.mark.parametrize("colored", KINDS)
def test_the_chosen_cell_is_outlined_where_its_value_stands(
    trace: ForwardTrace, colored: Colored
) -> None:
    film = film_of(trace, colored, key=5)
    for frame, segment in zip(film.frames, trace.segments, strict=True):
        layer, m = segment.layers[1], segment.memory_length
        key = 5 if m + len(segment.ids) > 5 else int(layer.probs[1, 1].argmax())
        box = np.array(frame.data[3].x[:5]), np.array(frame.data[3].y[:5])
        column, row = (int(side.min() + side.max()) // 2 for side in box)
        shown = frame.data[0].z[row, column + 8]
        seen = row_of(layer, colored, query=1)
        assert row == 1
        assert shown == pytest.approx(seen[key], abs=1e-6) if key < len(seen) else np.isnan(shown)


@pytest.mark.parametrize("colored", KINDS)
def test_hatching_covers_what_has_no_key_and_nothing_else(
    trace: ForwardTrace, colored: Colored
) -> None:
    for frame, segment in zip(film_of(trace, colored).frames, trace.segments, strict=True):
        outline = [(x, y) for x, y in zip(frame.data[2].x, frame.data[2].y, strict=True)]
        for row in range(len(segment.ids)):
            for column in range(-8, 4):
                is_hatched = encloses(outline, column, row)
                has_value = bool(np.isfinite(frame.data[0].z[row, column + 8]))
                first, last = -segment.memory_length, len(segment.ids)
                if colored == "bd_by_distance":
                    first, last = 4 - len(segment.ids) - segment.memory_length, 4
                assert is_hatched == (first <= column < last and not has_value)


def encloses(outline: list[tuple[float, float]], x: float, y: float) -> bool:
    """Whether a point lies within a closed line, by counting how often a ray crosses it."""
    crossings = 0
    for (x1, y1), (x2, y2) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            crossings += 1
    return crossings % 2 == 1


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_weights_are_written_where_there_is_room(trace: ForwardTrace, palette: Palette) -> None:
    film = film_of(trace, palette=palette)
    for frame in film.frames:
        z, numbers = frame.data[0].z, frame.data[5]
        written = {
            (row, column + 8): text
            for row, column, text in zip(numbers.y, numbers.x, numbers.text, strict=True)
        }
        for place, weight in np.ndenumerate(np.nan_to_num(z)):
            assert written.get(place, "0") == f"{100 * weight:.0f}"
        for place, ink in zip(written, numbers.textfont.color, strict=True):
            behind = color_at(palette.sequential, float(z[place]) / film.data[0].zmax)
            assert contrast(ink, behind) >= 4.5
    wide = trace_of("abcdefghijkl" * 8, segment_length=32, memory_depth=1)
    assert not film_of(wide).frames[0].data[5].text
    assert not film_of(trace, "score").frames[0].data[5].text


@pytest.mark.parametrize(
    ("count", "length", "depth", "most"),
    [(170, 8, 2, 130_000), (170, 32, 4, 300_000), (320, 32, 4, 420_000)],
)
def test_a_film_weighs_little(count: int, length: int, depth: int, most: int) -> None:
    # Weights of a random model are so even that every cell has a number; the page's weigh less.
    trace = trace_of(("abcdefghijkl" * 27)[:count], segment_length=length, memory_depth=depth)
    for colored in ("weight", "score"):
        assert len(to_json_plotly(film_of(trace, colored, palette=DARK))) < most


def test_html_in_the_text_is_text(trace: ForwardTrace) -> None:
    film = film_of(trace, tokens=["<b>"] * len(trace.tokens))
    for frame in film.frames:
        assert "“&lt;b&gt;”" in frame.layout.title.text
        assert "&lt;b&gt;" in frame.layout.yaxis.ticktext
