"""The streaming figure, frame by frame, against the reach and the states that memory keeps."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.titles import plain
from xlexplain.figures.recurrence_reach import Recurrence, alternative, finding, story
from xlexplain.figures.recurrence_stack import recurrence_figure
from xlexplain.figures.theme import DARK, LIGHT, Palette
from xlexplain.maths import reach, receptive_field
from xlexplain.maths.limits import LAYERS

recurrences = st.builds(Recurrence, st.integers(2, 32), st.integers(0, 4), st.integers(1, LAYERS))
SETTINGS = [(8, 1, 4), (2, 4, 3), (4, 2, 1), (5, 0, 2), (32, 4, 4), (32, 0, 3)]

Frame = dict[str, dict[str, Any]]


def figure_of(recurrence: Recurrence, query: int) -> go.Figure:
    tokens = [chr(97 + place % 26) for place in range(recurrence.length)]
    return recurrence_figure(recurrence, tokens=tokens, query=query, palette=LIGHT)


def frames_of(figure: go.Figure) -> list[Frame]:
    """All traces by name, as each frame has them."""
    base = [trace.to_plotly_json() for trace in figure.data]
    shown = []
    for frame in figure.frames:
        traces = list(base)
        for place, change in zip(frame.traces, frame.data, strict=True):
            traces[place] = merged(base[place], change.to_plotly_json())
        shown.append({trace["name"]: trace for trace in traces})
    return shown


def merged(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    deep = {
        name: merged(base[name], value)
        for name, value in change.items()
        if isinstance(value, dict) and isinstance(base.get(name), dict)
    }
    return {**base, **change, **deep}


def steps(trace: dict[str, Any]) -> list[str]:
    """The color of each bar, found on its scale as plotly does."""
    marker = trace["marker"]
    share = (marker["color"] - marker["cmin"]) / (marker["cmax"] - marker["cmin"])
    stops = marker["colorscale"]
    below = [[color for stop, color in stops if stop < one][-1] for one in np.clip(share, 0.001, 1)]
    above = [next(color for stop, color in stops if stop > one) for one in np.clip(share, 0, 0.999)]
    assert below == above  # in the middle of a step
    return below


def rows_of(figure: go.Figure) -> dict[float, int]:
    """The row by its middle, of both panels."""
    names = figure.layout.yaxis.ticktext
    rows = [0 if name == "text" else int(name.removeprefix("layer ")) for name in names]
    return dict(zip(figure.layout.yaxis.tickvals, rows, strict=True))


def left_of(token: int, recurrence: Recurrence) -> float:
    gap = 0.4 if recurrence.length <= 200 else 1.0
    return token + token // recurrence.segment_length * gap


@pytest.mark.parametrize(("L", "D", "layers"), SETTINGS)
def test_every_frame_shows_what_is_read_kept_and_forgotten(L: int, D: int, layers: int) -> None:
    """Each layer keeps its inputs of the last D segments, so the top row is never kept."""
    recurrence = Recurrence(L, D, layers)
    figure = figure_of(recurrence, L - 1)
    rows = rows_of(figure)
    upper = sorted(rows)[-layers - 1]  # the lowest row with memory
    pitch = left_of(L, recurrence)
    for segment, frame in enumerate(frames_of(figure)):
        seen = set()
        for name in ("states that layers read", "other states"):
            if name not in frame:
                continue
            bars = frame[name]
            for x, low, height, color in zip(
                bars["x"], bars["base"], bars["y"], steps(bars), strict=True
            ):
                middle = low + height / 2
                age, row = segment - int(x // pitch), rows[middle]
                has_memory = middle >= upper and D > 0
                is_kept = has_memory and row < layers and 0 < age <= D
                expected = LIGHT.segment(age) if is_kept or age == 0 else None
                assert color == expected or (expected is None and color.endswith(",0)"))
                seen.add((age, middle))
        assert seen == {
            (segment - one, middle) for one in range(recurrence.segment_count) for middle in rows
        }


@pytest.mark.parametrize(("L", "D", "layers"), SETTINGS)
@pytest.mark.parametrize("is_last", [True, False])
def test_the_field_begins_where_the_theory_says(L: int, D: int, layers: int, is_last: bool) -> None:
    recurrence = Recurrence(L, D, layers)
    query = L - 1 if is_last else L // 3
    figure = figure_of(recurrence, query)
    middles = sorted(rows_of(figure), reverse=True)
    panels = [(middles[: layers + 1], D * L), (middles[layers + 1 :], 0)]
    for segment, frame in enumerate(frames_of(figure)):
        token = segment * L + query
        outline = frame["what the token depends on"]
        x, y = np.array(outline["x"]), np.array(outline["y"])
        for rows, memory in panels[: 2 if D else 1]:
            field = receptive_field(
                token, segment_length=L, memory_length=memory, layer_count=layers
            )
            for middle, earliest in zip(rows, field, strict=True):
                crossing = (y[:-1] > middle) & (y[1:] < middle)
                edge = x[:-1][crossing].min()
                assert edge == pytest.approx(left_of(earliest, recurrence), abs=1.2)
                assert edge == x[1:][crossing].min()
        labels = [text.strip("\u2009") for text in frame["labels"]["text"]]
        reached = reach(token, segment_length=L, memory_length=D * L, layer_count=layers)
        farthest = [text for text in labels[:layers] if text][-1]
        assert re.search(rf"\b{reached} back$", farthest)
        if D:
            assert labels[-1] == f"{query} back"
        marks = frame["the chosen token"]
        right = np.array(marks["x"]) + marks["width"] / 2
        np.testing.assert_allclose(right, left_of(token, recurrence) + 1, atol=0.3)
        title = figure.frames[segment].layout.title
        assert plain(title.text) == finding(recurrence, position=token)
        assert f" {reached} token" in plain(title.text)
        assert plain(title.subtitle.text) == story(recurrence, segment=segment)


def test_memory_is_boxed_and_no_gradient_passes_its_border() -> None:
    recurrence = Recurrence(4, 2, 2)
    for segment, frame in enumerate(frames_of(figure_of(recurrence, 1))):
        box, border = np.array(frame["what memory holds"]["x"]), frame["no gradient passes"]["x"]
        if segment == 0:
            assert max(*box, *border) < -0.2  # left of the plot
            continue
        begin = left_of(4 * segment, recurrence)
        assert box.max() == pytest.approx(begin - 0.2)
        assert border[2] == pytest.approx(begin - 0.2)
        oldest = left_of(4 * max(0, segment - 2), recurrence)
        assert box.min() == pytest.approx(oldest, abs=0.1)


def test_letters_appear_as_they_are_read_and_hidden_keys_are_hatched() -> None:
    recurrence = Recurrence(4, 1, 2)
    figure = figure_of(recurrence, 1)
    for segment, frame in enumerate(frames_of(figure)):
        colors = frame["letters"]["textfont"]["color"]
        is_ahead = [color.endswith(",0)") for color in colors]
        assert is_ahead == [place // 4 > segment for place in range(recurrence.length)]
        assert colors[4 * segment + 1] == LIGHT.query_ink
        hidden = frame["hidden keys"]
        left = np.array(hidden["x"]) - hidden["width"] / 2
        np.testing.assert_allclose(left, left_of(4 * segment + 2, recurrence))
        hatched = np.array(frame["hatching"]["x"])
        assert left[0] < hatched.min() < hatched.max() < left[0] + hidden["width"]
    assert "hidden keys" not in frames_of(figure_of(recurrence, 3))[0]


@pytest.mark.parametrize(("L", "D", "layers"), SETTINGS)
def test_frames_set_the_same_and_lines_keep_their_points(L: int, D: int, layers: int) -> None:
    """So any frame can follow any other, and lines glide."""

    def names(value: Any) -> Any:
        return {name: names(one) for name, one in value.items()} if isinstance(value, dict) else 0

    figure = figure_of(Recurrence(L, D, layers), L // 2)
    first = figure.frames[0].to_plotly_json()
    for frame in figure.frames:
        one = frame.to_plotly_json()
        assert names(one["layout"]) == names(first["layout"])
        for change, before in zip(one["data"], first["data"], strict=True):
            assert names(change) == names(before)
            assert len(change.get("x", [])) == len(before.get("x", []))


def test_a_place_says_how_far_its_token_reaches_and_tells_which_it_is() -> None:
    recurrence = Recurrence(8, 1, 2)
    (places,) = [trace for trace in figure_of(recurrence, 7).data if trace.type == "heatmap"]
    for place in range(recurrence.length):
        assert places.customdata[0][place] == place
        assert places.z[0][place] == recurrence.reach(place)
        assert places.x[place] == pytest.approx(left_of(place, recurrence), abs=1e-4)


@given(recurrences)
def test_there_is_room_for_the_whole_reach_and_a_segment_beyond(recurrence: Recurrence) -> None:
    last = recurrence.length - 1
    whole = recurrence.segment_length - 1 + recurrence.layer_count * recurrence.memory_length
    assert recurrence.reach(last) == whole
    assert last - whole >= recurrence.segment_length


@given(recurrences, st.data())
def test_text_alternative_holds_the_actual_numbers(
    recurrence: Recurrence, draw: st.DataObject
) -> None:
    position = draw.draw(st.integers(0, recurrence.length - 1))
    words = alternative(recurrence, position=position)
    found = {int(n): int(back) for back, n in re.findall(r"(\d+) after (\d+)", words)}
    assert found == {
        layers: reach(
            position,
            segment_length=recurrence.segment_length,
            memory_length=recurrence.memory_length,
            layer_count=layers,
        )
        for layers in range(1, recurrence.layer_count + 1)
    }
    assert f"Without memory it reaches {position % recurrence.segment_length} " in words


@given(recurrences, st.data())
def test_the_story_names_what_memory_holds_and_has_lost(
    recurrence: Recurrence, draw: st.DataObject
) -> None:
    segment = draw.draw(st.integers(0, recurrence.segment_count - 1))
    held = list(range(max(0, segment - recurrence.memory_depth), segment))
    lost = list(range(held[0])) if held else []
    words = story(recurrence, segment=segment)

    def named(sentence: str) -> list[int]:
        found = re.search(sentence, words)
        ends = [int(number) for number in re.findall(r"\d+", found[0])] if found else []
        return list(range(ends[0], ends[-1] + 1)) if ends else []

    assert named(r"Memory holds segments? \d+( (and|to) \d+)?") == held
    assert named(r"Segments? \d+( to \d+)? (is|are) forgotten") == lost
    assert ("room" in words) == (0 < len(held) < recurrence.memory_depth)


def test_segment_count_does_not_depend_on_the_layers() -> None:
    counts = {Recurrence(8, 3, layers).segment_count for layers in range(1, LAYERS + 1)}
    assert len(counts) == 1


def test_a_change_weighs_little() -> None:
    assert len(figure_of(Recurrence(8, 2, 4), 7).to_json()) < 100_000
    assert len(figure_of(Recurrence(32, 4, 4), 3).to_json()) < 400_000


def test_wrong_number_of_tokens_is_named() -> None:
    with pytest.raises(ValueError, match="need 48 tokens, got 3"):
        recurrence_figure(Recurrence(8, 1, 4), tokens="abc", query=0, palette=LIGHT)


def luminance(color: str) -> float:
    parts = np.array([int(color[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_letters_and_signs_can_be_read_on_every_ground(palette: Palette) -> None:
    """The field's ground is 5 % of the ink over the page, as the style sheet has it."""
    for ago in range(5):
        assert contrast(palette.ink, palette.segment(ago)) >= 4.5
    assert contrast(palette.soft, palette.background) >= 4.5
    assert contrast(palette.query_ink, palette.query) >= 4.5
    assert contrast(palette.soft, over(palette.background, palette.ink, share=0.05)) >= 4.5


def over(ground: str, color: str, *, share: float) -> str:
    """The color that `share` of one color over another makes."""
    mixed = [
        (1 - share) * int(ground[place : place + 2], 16) + share * int(color[place : place + 2], 16)
        for place in (1, 3, 5)
    ]
    return "#" + "".join(f"{round(part):02x}" for part in mixed)
