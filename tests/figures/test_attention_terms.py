"""One query's row, its chosen cell and the matrices of its head hold the trace's numbers."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.numbers import number_in
from tests.serving import ROOT
from tests.titles import title_of
from tests.traces import ALPHABET, trace_of
from xlexplain.figures.attention_formula import colored_formula
from xlexplain.figures.attention_matrices import MatrixPanel, head_panels, matrices
from xlexplain.figures.attention_scores import QueryRow, finding, query_bars, query_row, reasons
from xlexplain.figures.attention_terms import (
    cell_finding,
    check_table,
    recomputed,
    term_list,
    terms_bar,
    terms_finding,
    terms_table,
)
from xlexplain.figures.labels import percent, signed
from xlexplain.figures.theme import DARK, LIGHT, Palette, contrast
from xlexplain.maths import TERMS, ForwardTrace, rel_shift, softmax

texts = st.text(alphabet=ALPHABET[1:], min_size=1, max_size=20)
THEMES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])


@pytest.fixture(scope="module")
def trace() -> ForwardTrace:
    return trace_of("abcabdabeabfgh", segment_length=4, memory_depth=2)


def row_of(trace: ForwardTrace, *, query: int, head: int = 1) -> QueryRow:
    """A query of the last segment in the second layer."""
    last = len(trace.segments) - 1
    return query_row(
        trace.segments[last].layers[1], head=head, query=query, tokens=trace.key_tokens(last)
    )


def cells_of(html: str) -> list[list[str]]:
    """The texts of an HTML table, row by row."""
    rows = re.findall(r"<tr>(.*?)</tr>", html)
    return [
        [re.sub("<.*?>", "", cell) for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row)]
        for row in rows
    ]


@settings(deadline=None, max_examples=15)
@given(texts, st.integers(1, 6), st.integers(0, 3))
def test_the_bars_of_a_query_add_up_to_its_scores(text: str, length: int, depth: int) -> None:
    trace = trace_of(text, segment_length=length, memory_depth=depth)
    layer = trace.segments[-1].layers[1]
    L, S = layer.is_masked.shape
    for query in range(L):
        what, how_far, weight, total = query_bars(
            row_of(trace, query=query), key=0, palette=LIGHT
        ).data
        seen = ~layer.is_masked[query]
        for part, values in ((what, layer.ac), (how_far, layer.bd)):
            expected = values[1, query, seen] * layer.scale
            np.testing.assert_allclose(part.y, expected - expected.mean(), atol=1e-5)
        np.testing.assert_allclose(np.array(what.y) + how_far.y, total.y, atol=1e-5)
        np.testing.assert_allclose(weight.y, 100 * layer.probs[1, query, seen], atol=1e-5)
        for part in (what, how_far, weight, total):
            np.testing.assert_array_equal(part.x, np.flatnonzero(seen) - (S - L))


def test_what_and_how_far_make_up_a_keys_score_above_the_average(trace: ForwardTrace) -> None:
    layer = trace.segments[-1].layers[1]
    row = row_of(trace, query=1, head=0)
    scores = layer.scores[0, 1]
    seen = np.isfinite(scores)
    for key in np.flatnonzero(seen):
        total = sum(row.what_and_how_far(int(key)))
        assert total == pytest.approx(scores[key] - scores[seen].mean())
    assert sum(row.means.values()) == pytest.approx(scores[seen].mean())
    assert row.strongest == int(layer.probs[0, 1].argmax())
    assert percent(layer.probs[0, 1].max()) in finding(row)
    assert percent(layer.probs[0, 1, : row.memory_length].sum()) in reasons(row)
    assert title_of(query_bars(row, key=0, palette=LIGHT)) == finding(row)


@THEMES
def test_the_terms_of_a_cell_add_up_to_its_score(trace: ForwardTrace, palette: Palette) -> None:
    layer = trace.segments[-1].layers[1]
    row = row_of(trace, query=1)
    terms = layer.terms()
    for key in range(10):
        *bars, total = terms_bar(row, key=key, palette=palette).data
        shown = {bar.name: bar.x[0] for bar in bars}
        for name in TERMS:
            assert shown[name] == pytest.approx(terms[name][1, 1, key] * layer.scale)
        assert sum(shown.values()) == pytest.approx(total.x[0])
        assert total.x[0] == pytest.approx(layer.scores[1, 1, key])
        assert {bar.marker.color for bar in bars} == set(palette.terms.values())
        assert len({bar.marker.pattern.shape for bar in bars if bar.name in "cd"}) == 2


def test_the_numbers_of_a_cell_stand_in_a_table(trace: ForwardTrace) -> None:
    layer = trace.segments[-1].layers[1]
    row = row_of(trace, query=1)
    terms = layer.terms()
    for key in (0, 9):
        html = terms_table(row, key=key, palette=LIGHT)
        head, *rows, total = cells_of(html)
        assert head == ["term", "value", "÷√d", "vs average"]
        for name, (label, *numbers) in zip(TERMS, rows, strict=True):
            values = terms[name][1, 1]
            mean = values[:10].mean()
            assert label.startswith(f"{name} ")
            expected = [values[key], values[key] * layer.scale, (values[key] - mean) * layer.scale]
            assert numbers == [signed(float(one)) for one in expected]
        assert total[2] == signed(float(layer.scores[1, 1, key]))
        assert percent(layer.probs[1, 1, key], 1) in html
        assert html.count("✓") == 3
        assert max(map(number_in, re.findall(r"\S+10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+ ✓", html))) < 1e-9


def test_a_masked_cell_says_so(trace: ForwardTrace) -> None:
    row = row_of(trace, query=0)
    assert row.cells[9].is_masked
    assert cell_finding(row, key=9) == "“g” may not see “h”, which comes after it"
    assert "mask" in terms_finding(row, key=9)
    assert recomputed(row.cells[9]) == "Masked: its weight is exactly 0."
    assert check_table(row.cells[9], d_head=6) == ""
    assert "–" in terms_table(row, key=9, palette=LIGHT)
    assert len(query_bars(row, key=9, palette=LIGHT).data[0].x) == 9


def test_html_in_the_text_is_text(trace: ForwardTrace) -> None:
    layer = trace.segments[-1].layers[1]
    row = query_row(layer, head=0, query=1, tokens=["<b>"] * 10)
    bars = query_bars(row, key=0, palette=LIGHT)
    panels = matrices(head_panels(layer, head=0), tokens=row.tokens, query=0, key=0, palette=LIGHT)
    for words in (
        title_of(bars),
        bars.layout.xaxis.ticktext[0],
        title_of(terms_bar(row, key=0, palette=LIGHT)),
        panels.layout.xaxis.ticktext[0],
        panels.layout.yaxis.ticktext[1],
    ):
        assert "&lt;b&gt;" in words
        assert "<b>" not in words


@settings(deadline=None, max_examples=15)
@given(texts, st.integers(1, 6), st.integers(0, 3), st.sampled_from(["relative", "absolute"]))
def test_matrices_hold_the_arrays_of_the_trace(
    text: str, length: int, depth: int, position: str
) -> None:
    trace = trace_of(text, segment_length=length, memory_depth=depth, position=position)
    layer = trace.segments[-1].layers[0]
    H, L, S = layer.ac.shape
    panels = head_panels(layer, head=H - 1)
    tokens = trace.key_tokens(len(trace.segments) - 1)
    figure = matrices(panels, tokens=tokens, query=0, key=0, palette=LIGHT)
    shown = [one for one in figure.data if one.type == "heatmap"]
    expected = [layer.ac, (layer.ac + layer.bd) * layer.scale, layer.probs]
    if layer.bd_by_distance is not None:
        expected[1:1] = [layer.bd_by_distance, layer.bd]
    for panel, heatmap, array in zip(panels, shown, expected, strict=True):
        np.testing.assert_allclose(
            heatmap.z, np.where(panel.is_masked, np.nan, array[H - 1]), rtol=1e-6, atol=1e-30
        )
        assert heatmap.x0 == L - S
        if not panel.are_distances:
            np.testing.assert_array_equal(panel.is_masked, layer.is_masked)
    weights = softmax(np.where(layer.is_masked, -np.inf, shown[-2].z))
    np.testing.assert_allclose(weights, np.nan_to_num(shown[-1].z), atol=1e-5)


def test_before_the_shift_a_cell_stands_at_its_distance(trace: ForwardTrace) -> None:
    layer = trace.segments[-1].layers[1]
    _, L, S = layer.ac.shape
    before, after = head_panels(layer, head=0)[1:3]
    for i in range(L):
        for j in range(S):
            column = S - 1 - (S - L + i - j)
            if not layer.is_masked[i, j]:
                assert after.values[i, j] == before.values[i, column]
                assert not before.is_masked[i, column]
                place = before.columns.column(query=i, offset=j - (S - L))
                assert place == column - (S - L)
                assert before.columns.offset(query=i, column=place) == j - (S - L)
    assert before.is_masked.sum() == after.is_masked.sum()


def test_matrices_share_their_columns_and_say_the_chosen_value(trace: ForwardTrace) -> None:
    layer = trace.segments[-1].layers[1]
    panels = head_panels(layer, head=0)
    figure = matrices(panels, tokens=trace.key_tokens(3), query=1, key=3, palette=LIGHT)
    assert figure.layout.xaxis2.matches == "x"
    assert {one.xaxis for one in figure.data} == {"x", "x2"}
    words = [one.text for one in figure.layout.annotations]
    for panel, said in zip(panels, words, strict=True):
        assert panel.name in said
        assert panel.finding in said
    by_distance, by_key = (re.findall("chosen: (.*)", said) for said in words[1:3])
    assert by_distance == by_key == [signed(float(layer.bd[0, 1, 3]))]
    assert words[-1].endswith(percent(float(layer.probs[0, 1, 3]), 1))
    masked = matrices(panels, tokens=trace.key_tokens(3), query=0, key=9, palette=LIGHT)
    assert all(one.text.endswith("chosen: masked") for one in masked.layout.annotations)


def test_a_matrix_with_less_memory_has_its_keys_below_the_others(trace: ForwardTrace) -> None:
    bare = trace_of("abcabdabeabfgh", segment_length=4, memory_depth=0)
    panels = [head_panels(one.segments[-1].layers[1], head=0)[-1] for one in (trace, bare)]
    figure = matrices(panels, tokens=trace.key_tokens(3), query=1, key=3, palette=LIGHT)
    full, short = (one for one in figure.data if one.type == "heatmap")
    assert (full.x0, full.z.shape) == (-8, (2, 10))
    assert (short.x0, short.z.shape) == (0, (2, 2))
    assert "chosen" not in figure.layout.annotations[1].text
    outlines = [
        one.x for one in figure.data if one.type == "scatter" and one.line.color == LIGHT.twin
    ]
    assert [bool(line) for line in outlines] == [True, False]


def test_a_matrix_of_zeros_and_a_masked_one_have_no_scale() -> None:
    zeros = np.zeros((2, 3))
    assert MatrixPanel("", "", zeros, np.zeros((2, 3), bool)).limit == 0
    assert MatrixPanel("", "", zeros + 7, np.ones((2, 3), bool)).limit == 0


def test_a_matrix_says_its_largest_value_and_where_it_stands() -> None:
    values = np.array([[0.5, -3.25, 9.0], [1.0, 2.0, 0.0]])
    mask = np.array([[False, False, True], [False, False, False]])
    said = MatrixPanel("", "", values, mask).finding
    assert said == "farthest from 0 is −3.25, at query 0 and key 1"
    far = MatrixPanel("", "", values, mask, are_distances=True).finding
    assert far.endswith("at query 0 and distance 1")
    shares = MatrixPanel("", "", np.abs(values) / 10, mask, scale="sequential").finding
    assert shares == "the largest is 32.5\u00a0%, at query 0 and key 1"
    assert MatrixPanel("", "", 0 * values, mask).finding == "every value is 0"
    assert MatrixPanel("", "", values, np.ones_like(mask)).finding == "every cell is masked"


def test_the_table_computes_the_chosen_cell_twice(trace: ForwardTrace) -> None:
    layer = trace.segments[-1].layers[1]
    row = row_of(trace, query=1, head=0)
    table = {name: numbers for name, _, *numbers in cells_of(check_table(row.cells[3], d_head=6))}
    terms = {name: values[0, 1, 3] for name, values in layer.terms().items()}
    for name in TERMS:
        assert float(table[name][0].replace("−", "-")) == pytest.approx(terms[name], abs=1e-5)
    assert table["score"][0] == table["score"][1]
    assert float(table["weight"][1]) == pytest.approx(layer.probs[0, 1, 3], abs=1e-5)
    residuals = [numbers[2] for numbers in table.values() if numbers[2] not in ("", "difference")]
    assert len(residuals) == 5
    assert all(one.endswith(" ✓") and number_in(one) < 1e-9 for one in residuals)


@THEMES
def test_terms_can_be_read_on_their_colors(palette: Palette) -> None:
    latex, listed = colored_formula(palette=palette), term_list(d_head=32, palette=palette)
    for name in TERMS:
        assert latex.count(palette.terms[name]) == 1
        assert palette.terms[name] in listed
        assert contrast(palette.terms_ink[name], palette.terms[name]) >= 4.5
        assert contrast(palette.terms[name], palette.background) >= 3


def test_the_code_on_the_page_computes_the_models_weights(trace: ForwardTrace) -> None:
    prose = (ROOT / "pages" / "relative_attention.md").read_text(encoding="utf-8")
    block = re.search(r"```python\n(.*?)```", prose, re.DOTALL)
    assert block is not None
    for layer in trace.segments[-1].layers:
        assert layer.relative_key is not None
        assert layer.u is not None
        assert layer.v is not None
        for head in range(2):
            names: dict[str, object] = {
                "np": np,
                "rel_shift": rel_shift,
                "softmax": softmax,
                "q": layer.query[head],
                "k": layer.key[head],
                "r": layer.relative_key[head],
                "u": layer.u[head],
                "v": layer.v[head],
                "is_masked": layer.is_masked,
                "L": layer.query.shape[1],
                "d_head": layer.query.shape[2],
            }
            exec(block[1], names)
            np.testing.assert_allclose(names["weights"], layer.probs[head], atol=1e-12)
