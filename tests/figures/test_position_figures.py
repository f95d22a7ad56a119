"""Figures of the position page hold the numbers they are given."""

from __future__ import annotations

import base64
import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from xlexplain.figures.position_attention import twin_weights
from xlexplain.figures.position_book import MOST_PAGES, book, where
from xlexplain.figures.position_distances import distance_matrix, error_matrix
from xlexplain.figures.position_growth import growth, growth_table
from xlexplain.figures.position_vectors import similarity_matrix, vector_strip
from xlexplain.figures.theme import DARK, LIGHT, Palette, contrast
from xlexplain.maths import PositionConflict, position_conflict
from xlexplain.maths.vectors import key_vectors, similarity

SIZES = [(2, 0), (2, 4), (8, 1), (5, 3), (32, 0), (32, 4)]
PALETTES = [LIGHT, DARK]
both = pytest.mark.parametrize("palette", PALETTES, ids=["light", "dark"])
sizes = pytest.mark.parametrize(("L", "D"), SIZES)


def conflict_of(L: int, D: int) -> PositionConflict:
    return position_conflict(segment_length=L, memory_depth=D)


def polygon(figure: go.Figure) -> list[tuple[float, float]]:
    """The corners of the hatched area."""
    (area,) = [one for one in figure.data if one.name == "after the query"]
    assert area.fillpattern.shape == "/"
    return list(zip(area.x.tolist(), area.y.tolist(), strict=True))


def is_inside(x: float, y: float, corners: list[tuple[float, float]]) -> bool:
    """Ray casting: an odd number of borders to the right."""
    crossings = 0
    for (x1, y1), (x2, y2) in pairwise(corners):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            crossings += 1
    return crossings % 2 == 1


@sizes
@both
def test_matrices_hold_the_distances_and_hatch_what_is_hidden(
    L: int, D: int, palette: Palette
) -> None:
    conflict = conflict_of(L, D)
    query = L // 2
    told, true = (
        distance_matrix(values, conflict, query=query, title="t", says="is", palette=palette)
        for values in (conflict.encoded_distance, conflict.distance)
    )
    error = error_matrix(conflict, query=query, title="t", palette=palette)
    np.testing.assert_array_equal(told.data[0].z, conflict.encoded_distance)
    np.testing.assert_array_equal(true.data[0].z, conflict.distance)
    np.testing.assert_array_equal(true.data[0].z - told.data[0].z, error.data[0].z)
    assert (told.data[0].zmin, told.data[0].zmax) == (true.data[0].zmin, true.data[0].zmax)
    for figure in (told, true, error):
        heat = figure.data[0]
        offsets = heat.x0 + heat.dx * np.arange(conflict.key_count)
        np.testing.assert_array_equal(offsets, conflict.offset)
        *borders, row = figure.layout.shapes
        assert len(borders) == D
        assert (row.type, row.y0, row.y1) == ("rect", query - 0.5, query + 0.5)
        assert (row.x0, row.x1) == (offsets[0] - 0.5, offsets[-1] + 0.5)
    corners = polygon(true)
    assert corners == polygon(told) == polygon(error)
    for query in range(L):
        for offset in range(max(-2, -conflict.memory_length), L):
            assert is_inside(offset, query, corners) == (offset > query)


def color_of(value: float, figure: go.Figure) -> str:
    """The colour of a step scale at a value."""
    heat = figure.data[0]
    place = (value - heat.zmin) / (heat.zmax - heat.zmin)
    return str([color for stop, color in heat.colorscale if stop <= place][-1])


@sizes
@both
def test_an_error_has_the_colour_of_its_segment(L: int, D: int, palette: Palette) -> None:
    figure = error_matrix(conflict_of(L, D), query=0, title="t", palette=palette)
    for ago in range(D + 1):
        assert color_of(ago * L, figure) == palette.segment(ago)


@sizes
@pytest.mark.parametrize("encoding", ["sinusoidal", "learned", "relative"])
def test_similarities_and_vectors_are_drawn_to_a_percent(L: int, D: int, encoding: Any) -> None:
    conflict = conflict_of(L, D)
    vectors = key_vectors(conflict, encoding, query=L // 2, width=16)
    alike = similarity(vectors)
    matrix = similarity_matrix(alike, conflict, title="t", palette=LIGHT)
    strip = vector_strip(vectors, conflict, title="t", palette=LIGHT)
    np.testing.assert_allclose(matrix.data[0].z / 100, alike, atol=0.0051)
    largest = np.abs(vectors).max()
    np.testing.assert_allclose(strip.data[0].z / 100, vectors.T / largest, atol=0.0051)
    assert matrix.data[0].z.shape == (conflict.key_count, conflict.key_count)
    assert strip.data[0].z.shape == (16, conflict.key_count)


def test_the_largest_figures_stay_small() -> None:
    conflict = conflict_of(32, 4)
    vectors = key_vectors(conflict, "relative", query=5, width=64)
    drawn = similarity_matrix(similarity(vectors), conflict, title="t", palette=LIGHT)
    assert len(drawn.to_json()) < 45_000
    assert len(error_matrix(conflict, query=5, title="t", palette=LIGHT).to_json()) < 30_000
    packed = json.loads(drawn.to_json())["data"][0]["z"]
    assert len(base64.b64decode(packed["bdata"])) == 160 * 160  # a byte a cell


@sizes
def test_weights_are_drawn_as_given_and_twins_labelled(L: int, D: int) -> None:
    conflict = conflict_of(L, D)
    query, position = L // 2, 0
    weights = np.random.default_rng(L).random(conflict.key_count) * conflict.visible[query]
    tokens = ["<b>", "&", *["x"] * (conflict.key_count - 2)]
    figure = twin_weights(
        weights, conflict, tokens=tokens, position=position, query=query, title="t", palette=LIGHT
    )
    np.testing.assert_allclose(figure.data[0].y, weights, rtol=1e-6)
    twins = np.flatnonzero((conflict.encoded == position) & conflict.visible[query])
    labels = {int(one.x): one.text for one in figure.layout.annotations}
    assert labels == {int(key): f"{weights[key]:.4f}" for key in twins}
    outlined = np.flatnonzero(np.asarray(figure.data[0].marker.line.width) > 0)
    assert outlined.tolist() == np.flatnonzero(conflict.encoded == position).tolist()
    assert figure.data[0].customdata[0][0] == "&lt;b&gt;"
    assert figure.layout.xaxis.ticktext[0] == "&lt;b&gt;"


def test_all_zero_weights_are_drawn() -> None:
    conflict = conflict_of(4, 1)
    figure = twin_weights(
        np.zeros(8), conflict, tokens="abcdabcd", position=0, query=3, title="t", palette=DARK
    )
    assert figure.layout.yaxis.range[1] > 0


class Cells(HTMLParser):
    """The text of an HTML table's rows, cell by cell."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.current: list[int] = []
        self.is_open = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            if dict(attrs).get("aria-current") == "true":
                self.current.append(len(self.rows))
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.is_open = True

    def handle_endtag(self, tag: str) -> None:
        self.is_open = self.is_open and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.is_open:
            self.rows[-1][-1] += f"{data.strip()} "


@pytest.mark.parametrize(("L", "query"), [(2, 0), (2, 1), (8, 0), (8, 5), (32, 31)])
def test_growth_is_counted_key_by_key(L: int, query: int) -> None:
    for row in growth(segment_length=L, query=query, most_depth=4):
        D = row.memory_depth
        seen = range(D * L + query + 1)
        ambiguous = [
            key for key in seen if any(key != other and (key - other) % L == 0 for other in seen)
        ]
        assert (row.candidates, row.pairs) == (D + 1, L * D * (D + 1) // 2)
        assert (row.ambiguous, row.visible) == (len(ambiguous), len(seen))
        assert row.share == len(ambiguous) / len(seen)


@pytest.mark.parametrize("D", range(5))
def test_growth_table_says_the_numbers_and_marks_the_current_row(D: int) -> None:
    rows = growth(segment_length=8, query=5, most_depth=4)
    cells = Cells(growth_table(rows, memory_depth=D, query=5, palette=LIGHT))
    assert cells.current == [D + 1]
    for row, shown in zip(rows, cells.rows[1:], strict=True):
        assert shown[0].split()[0] == str(row.memory_depth)
        assert shown[1].split() == [str(row.candidates)]
        assert shown[2].split() == [f"{row.pairs:,}"]
        assert shown[3].split() == [
            f"{row.share:.0%}", *f"{row.ambiguous} of {row.visible}".split()
        ]  # fmt: skip


@sizes
def test_every_chapter_marks_the_same_page_and_says_where_it_is(L: int, D: int) -> None:
    conflict, query, position = conflict_of(L, D), L - 1, L // 2
    drawn = book(conflict, position=position, query=query, palette=LIGHT)
    assert drawn.count('xl-chapter"') == D + 1
    marked = re.findall(r'<li data-page=""[^>]*>(\d+)</li>', drawn)
    assert marked == [str(position + 1)] * (D + 1)
    assert drawn.count("your bookmark") == 1
    for ago in range(D + 1):
        back = int(conflict.distance[query, (D - ago) * L + position])
        assert f"<b>{where(back)}</b>" in drawn
    if L <= MOST_PAGES:
        assert drawn.count("<li") == conflict.key_count


def test_pages_after_the_bookmark_are_unread() -> None:
    drawn = book(conflict_of(8, 1), position=6, query=5, palette=DARK)
    assert drawn.count("not read yet") == 3  # pages 7 and 8, and where page 7 lies


@both
def test_everything_written_on_a_colour_is_legible(palette: Palette) -> None:
    for ago in range(5):
        assert contrast(palette.ink, palette.segment(ago)) >= 4.5
    assert contrast(palette.twin_ink, palette.twin) >= 4.5
    assert contrast(palette.query_ink, palette.query) >= 4.5
    for ground in (palette.masked, palette.background):
        assert contrast(palette.masked_ink, ground) >= 4.5
        assert contrast(palette.soft, ground) >= 4.5
