"""Where the moving cells stand, and what the figure of them holds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xlexplain.figures.shift import shift_animation
from xlexplain.figures.shift_layout import (
    MOST_CELLS,
    NOWHERE,
    code_placements,
    shown_cells,
    slide_placements,
    window_around,
)
from xlexplain.figures.theme import DARK, LIGHT, Palette, color_at, contrast, ink_on
from xlexplain.maths import rel_shift_steps
from xlexplain.maths.arrays import FloatArray

SIZES = [(1, 1), (2, 2), (2, 10), (5, 13), (8, 16), (20, 25), (32, 160), (31, 95)]


def some_scores(L: int, S: int) -> FloatArray:
    return np.random.default_rng(L * S).normal(size=(L, S)).astype(np.float32)


@settings(deadline=None)
@given(st.integers(1, 32), st.integers(0, 128), st.data())
def test_cells_stand_where_the_steps_say(L: int, M: int, data: st.DataObject) -> None:
    S = L + M
    query, key = data.draw(st.integers(0, L - 1)), data.draw(st.integers(0, S - 1))
    stages = rel_shift_steps(some_scores(L, S))
    window = window_around(query=query, key=key, segment_length=L, key_count=S)
    cells = shown_cells(stages, window)
    for stage, placement in zip(stages, code_placements(stages, cells), strict=True):
        is_there = placement.is_present
        row, column = placement.row[is_there], placement.column[is_there]
        np.testing.assert_array_equal(stage.source[row, column], cells.source[is_there])
        np.testing.assert_array_equal(stage.is_masked[row, column], placement.is_masked[is_there])
        assert not np.isin(cells.source[~is_there], stage.source).any()


@settings(deadline=None)
@given(st.integers(1, 32), st.integers(0, 128), st.data())
def test_a_window_holds_the_chosen_cell_and_not_too_many(
    L: int, M: int, data: st.DataObject
) -> None:
    S = L + M
    query, key = data.draw(st.integers(0, L - 1)), data.draw(st.integers(0, S - 1))
    window = window_around(query=query, key=key, segment_length=L, key_count=S)
    assert query in window.queries
    assert key in window.keys
    assert window.queries[-1] < L
    assert window.keys[-1] < S
    assert window.is_whole == (L * S <= MOST_CELLS)
    cells = shown_cells(rel_shift_steps(some_scores(L, S)), window)
    assert len(cells.source) <= MOST_CELLS + L
    final = {(int(i), int(j)) for i, j in zip(cells.final_row, cells.final_column, strict=True)}
    assert final - {(NOWHERE, NOWHERE)} == {(i, j) for i in window.queries for j in window.keys}


@settings(deadline=None)
@given(st.integers(1, 20), st.integers(0, 60))
def test_rows_slide_by_what_they_lack_and_end_in_the_same_place(L: int, M: int) -> None:
    S = L + M
    stages = rel_shift_steps(some_scores(L, S))
    window = window_around(query=0, key=M, segment_length=L, key_count=S)
    cells = shown_cells(stages, window)
    given_place, slid, wrapped, masked = slide_placements(stages, cells)
    is_score = ~cells.is_pad
    moved = given_place.column[is_score] - slid.column[is_score]
    np.testing.assert_array_equal(moved, L - 1 - cells.query[is_score])
    np.testing.assert_array_equal(slid.row, cells.query)
    stays = slid.column >= 0
    np.testing.assert_array_equal(wrapped.column[stays], slid.column[stays])
    goes = ~stays & wrapped.is_present
    np.testing.assert_array_equal(wrapped.column[goes], slid.column[goes] + S)
    np.testing.assert_array_equal(wrapped.row[goes], slid.row[goes] - 1)
    assert (cells.query[~wrapped.is_present] == 0).all()
    last = code_placements(stages, cells)[-1]
    np.testing.assert_array_equal(masked.row, last.row)
    np.testing.assert_array_equal(masked.column, last.column)
    np.testing.assert_array_equal(masked.is_masked, last.is_masked)


@pytest.mark.parametrize("is_sliding", [False, True])
@pytest.mark.parametrize(("L", "S"), SIZES)
def test_drawn_cells_never_lie_on_one_another(L: int, S: int, is_sliding: bool) -> None:
    stages = rel_shift_steps(some_scores(L, S))
    cells = shown_cells(
        stages, window_around(query=L - 1, key=S - 1, segment_length=L, key_count=S)
    )
    for placement in (slide_placements if is_sliding else code_placements)(stages, cells):
        drawn = list(zip(placement.drawn_row, placement.drawn_column, strict=True))
        shown = [one for one, there in zip(drawn, placement.is_present, strict=True) if there]
        assert len(shown) == len(set(shown))
        assert all(
            0 <= row < len(placement.rows) and 0 <= column < len(placement.columns)
            for row, column in shown
        )


@pytest.mark.parametrize(("L", "S"), SIZES)
def test_figure_moves_its_markers_to_where_the_steps_say(L: int, S: int) -> None:
    scores = some_scores(L, S)
    stages = rel_shift_steps(scores)
    figure = shift_animation(scores, LIGHT, query=L - 1, key=S - 1)
    assert [frame.name for frame in figure.frames] == [str(n) for n in range(len(stages))]
    assert figure.data[0].ids == figure.frames[0].data[0].ids
    cells = shown_cells(
        stages, window_around(query=L - 1, key=S - 1, segment_length=L, key_count=S)
    )
    for stage, frame, placement in zip(
        stages, figure.frames, code_placements(stages, cells), strict=True
    ):
        markers = frame.data[0]
        assert markers.ids == figure.data[0].ids
        for n, (x, y, opacity) in enumerate(
            zip(markers.x, markers.y, markers.marker.opacity, strict=True)
        ):
            source = int(markers.ids[n])
            if opacity:
                row, column = placement.rows[y], placement.columns[x]
                assert stage.source[row, column] == source
                text = "pad" if source < 0 else str(S - 1 - source % S)
                assert markers.text[n] == text
                value = 0 if source < 0 else scores.reshape(-1)[source]
                assert markers.customdata[n][1] == value
                is_crossed = markers.marker.symbol[n] == "square-x"
                assert is_crossed == stage.is_masked[row, column]
            else:
                assert source not in stage.source


def test_figure_stays_small() -> None:
    assert len(shift_animation(some_scores(8, 16), LIGHT).to_json()) < 150_000


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("fill", [0.0, -3.0])
def test_equal_scores_have_a_color_and_legible_text(palette: Palette, fill: float) -> None:
    figure = shift_animation(np.full((3, 5), fill), palette)
    for frame in figure.frames:
        markers = frame.data[0]
        for color, ink in zip(markers.marker.color, markers.textfont.color, strict=True):
            assert contrast(color, ink) >= 4.5


@settings(deadline=None)
@given(st.sampled_from([LIGHT, DARK]), st.floats(0, 1))
def test_ink_is_legible_on_every_score(palette: Palette, place: float) -> None:
    color = color_at(palette.diverging, place)
    assert contrast(color, ink_on(color)) >= 4.5
