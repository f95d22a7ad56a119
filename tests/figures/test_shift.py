"""Where the moving cells stand, and what the figure of them holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xlexplain.figures.shift import ShiftScores, shift_animation
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

SIZES = [(1, 1), (2, 2), (2, 10), (5, 13), (8, 16), (20, 25), (32, 160), (31, 95)]


def some_scores(L: int, S: int) -> ShiftScores:
    """Random ones, the last query and key chosen."""
    return ShiftScores(
        by_distance=np.random.default_rng(L * S).normal(size=(L, S)).astype(np.float32),
        query_tokens=["q"] * L,
        key_tokens=["k"] * S,
        segments_ago=[int(key < S - L) for key in range(S)],
        query=L - 1,
        key=S - 1,
    )


@settings(deadline=None)
@given(st.integers(1, 32), st.integers(0, 128), st.data())
def test_cells_stand_where_the_steps_say(L: int, M: int, data: st.DataObject) -> None:
    S = L + M
    query, key = data.draw(st.integers(0, L - 1)), data.draw(st.integers(0, S - 1))
    stages = rel_shift_steps(some_scores(L, S).by_distance)
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
    cells = shown_cells(rel_shift_steps(some_scores(L, S).by_distance), window)
    assert len(cells.source) <= MOST_CELLS + L
    final = {(int(i), int(j)) for i, j in zip(cells.final_row, cells.final_column, strict=True)}
    assert final - {(NOWHERE, NOWHERE)} == {(i, j) for i in window.queries for j in window.keys}


@settings(deadline=None)
@given(st.integers(1, 20), st.integers(0, 60))
def test_rows_slide_by_what_they_lack_and_end_in_the_same_place(L: int, M: int) -> None:
    S = L + M
    stages = rel_shift_steps(some_scores(L, S).by_distance)
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
    stages = rel_shift_steps(some_scores(L, S).by_distance)
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


def drawn(figure: go.Figure, number: int, name: str) -> go.Scatter:
    """A trace as a frame has it."""
    place = [trace.name for trace in figure.data].index(name)
    trace = go.Scatter(figure.data[place])
    trace.update(figure.frames[number].data[place].to_plotly_json())
    return trace


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize(("L", "S"), SIZES)
def test_figure_moves_its_markers_to_where_the_steps_say(L: int, S: int, palette: Palette) -> None:
    scores = some_scores(L, S)
    stages = rel_shift_steps(scores.by_distance)
    figure = shift_animation(scores, palette=palette, is_sliding=False)
    window = window_around(query=L - 1, key=S - 1, segment_length=L, key_count=S)
    placements = code_placements(stages, shown_cells(stages, window))
    assert len(figure.frames) == len(stages)
    for number, (stage, placement) in enumerate(zip(stages, placements, strict=True)):
        cells = drawn(figure, number, "cells")
        assert figure.frames[number].name.startswith(f"{placement.code}  # ")
        for n, (x, y, text) in enumerate(zip(cells.x, cells.y, cells.text, strict=True)):
            source = int(cells.ids[n])
            if not text:
                assert cells.marker.opacity[n] == 0
                assert source not in stage.source
                continue
            row, column = placement.rows[int(y)], placement.columns[int(x)]
            assert stage.source[row, column] == source
            if stage.is_masked[row, column]:
                assert text == "−∞"
            else:
                assert text == ("pad" if source < 0 else str(S - 1 - source % S))
            value = 0 if source < 0 else scores.by_distance.reshape(-1)[source]
            assert cells.marker.color[n] == value


@pytest.mark.parametrize("is_sliding", [True, False])
@pytest.mark.parametrize(("L", "S"), SIZES)
def test_left_overs_are_outlined_before_the_mask_and_hatched_after(
    L: int, S: int, is_sliding: bool
) -> None:
    figure = shift_animation(some_scores(L, S), palette=LIGHT, is_sliding=is_sliding)
    last = len(figure.frames) - 1
    hidden = drawn(figure, last, "cells").text.count("−∞")
    assert len(drawn(figure, last - 1, "left over").x) == hidden * 6
    assert len(drawn(figure, last, "masked").x) == hidden * 9
    for number in range(last):
        assert len(drawn(figure, number, "masked").x) == 0


def test_every_frame_sets_what_every_other_sets() -> None:
    def attributes(change: dict[str, Any]) -> set[str]:
        parts = {name: set(one) for name, one in change.items() if isinstance(one, dict)}
        return set(change) | {f"{name}.{one}" for name, names in parts.items() for one in names}

    figure = shift_animation(some_scores(4, 8), palette=LIGHT)
    first, *others = [
        [attributes(trace.to_plotly_json()) for trace in frame.data] for frame in figure.frames
    ]
    assert all(frame == first for frame in others)


def test_outside_the_app_plotly_s_own_controls_play_it() -> None:
    figure = shift_animation(some_scores(4, 8), palette=LIGHT)
    assert [one.label for one in figure.layout.sliders[0].steps] == [
        frame.name for frame in figure.frames
    ]
    assert [one.label for one in figure.layout.updatemenus[0].buttons] == ["Play", "Pause"]


def test_a_reader_s_text_is_text() -> None:
    scores = replace(some_scores(4, 4), key_tokens=["<b>", "&", '"', "x"])
    names = drawn(shift_animation(scores, palette=LIGHT), 3, "keys").text
    assert [one for one in names if one] == ["&lt;b&gt;", "&amp;", '"', "x"]


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("fill", [0.0, -3.0])
def test_equal_scores_have_legible_text(palette: Palette, fill: float) -> None:
    scores = replace(some_scores(3, 5), by_distance=np.full((3, 5), fill))
    figure = shift_animation(scores, palette=palette)
    share = 0.5 if fill == 0 else 0.0
    for number in range(len(figure.frames) - 1):
        for ink, source in zip(
            drawn(figure, number, "cells").textfont.color, figure.data[3].ids, strict=True
        ):
            color = color_at(palette.diverging, 0.5 if int(source) < 0 else share)
            assert contrast(color, {"#000": "#000000", "#fff": "#ffffff"}[ink]) >= 4.5


@settings(deadline=None)
@given(st.sampled_from([LIGHT, DARK]), st.floats(0, 1))
def test_ink_is_legible_on_every_score(palette: Palette, place: float) -> None:
    color = color_at(palette.diverging, place)
    assert contrast(color, ink_on(color)) >= 4.5
