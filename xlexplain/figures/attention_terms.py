"""One cell: its four terms as a bar that adds up to the score, and its numbers computed twice."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from xlexplain.figures.attention_scores import BOUND, QueryRow, added, against_bound, place_words
from xlexplain.figures.labels import TERM_WORDS, escaped, minus, percent, power_of_ten, signed
from xlexplain.figures.theme import TYPE, Palette, ink_on, style
from xlexplain.maths import TERMS
from xlexplain.maths.cells import CellCheck

IN_ORDER = ("a", "c", "b", "d")  # what the key is, then how far back it lies
PATTERNS = {"a": "", "b": "", "c": "/", "d": "|"}
HEIGHT = 142  # px


def terms_bar(row: QueryRow, *, key: int, palette: Palette) -> go.Figure:
    """One key's terms after ÷√d_head, end to end on each side of 0, and their sum."""
    cell = row.cells[key]
    values = {name: getattr(cell, name) * cell.scale for name in IN_ORDER}
    left = sum(min(value, 0.0) for value in values.values())
    right = sum(max(value, 0.0) for value in values.values())
    span = right - left or 1.0
    bars = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "x": [value],
            "y": [0],
            "text": name if abs(value) > span / 20 else "",
            "textposition": "inside",
            "insidetextanchor": "middle",
            "textangle": 0,
            "insidetextfont": {"color": palette.terms_ink[name], "size": TYPE["small"]},
            "marker": {
                "color": palette.terms[name],
                "pattern": {
                    "shape": PATTERNS[name],
                    "fillmode": "overlay",
                    "fgcolor": ink_on(palette.terms_ink[name]),
                    "size": 5,
                    "solidity": 0.2,
                },
            },
            "hovertemplate": f"{name}, {TERM_WORDS[name][1]}: {signed(value)}<extra></extra>",
        }
        for name, value in values.items()
    ]
    total = {
        "type": "scatter",
        "mode": "markers+text",
        "name": "score",
        "x": [cell.score],
        "y": [0.62],
        "marker": {"symbol": "triangle-down", "size": 11, "color": palette.ink},
        "text": f"score {signed(cell.score)}",
        "textposition": "top center",
        "textfont": {"size": TYPE["small"], "color": palette.ink},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }
    return style(
        go.Figure([*bars, total]),
        palette=palette,
        title=escaped(cell_finding(row, key=key)),
        subtitle=terms_finding(row, key=key),
        height=HEIGHT,
        barmode="relative",
        showlegend=False,
        xaxis={
            "range": [left - span / 4, right + span / 4],
            "zerolinecolor": palette.ink,
            "nticks": 6,
        },
        yaxis={"range": [-0.5, 1.5], "visible": False},
    )


def cell_finding(row: QueryRow, *, key: int) -> str:
    """Who asks whom, and what the key gets."""
    cell = row.cells[key]
    asking = f"“{row.tokens[row.memory_length + row.query]}”"
    if cell.is_masked:
        return f"{asking} may not see “{row.tokens[key]}”, which comes after it"
    asked = place_words(
        row.tokens[key], distance=cell.distance, is_in_memory=key < row.memory_length
    )
    return f"{asking} gives {asked}, {percent(cell.model_weight, 1)}"


def terms_finding(row: QueryRow, *, key: int) -> str:
    """What makes the score, against the average key that the query sees."""
    if row.cells[key].is_masked:
        return "The mask takes its score away before the softmax"
    what, how_far = row.what_and_how_far(key)
    return f"Compared with an average key, {added(what, how_far)}"


def terms_table(row: QueryRow, *, key: int, palette: Palette) -> str:
    """The numbers of the bar as an HTML table, and how far the model is from NumPy."""
    cell = row.cells[key]
    above = row.above_average()
    rows = [
        [
            f"{chip(name, palette=palette)} {TERM_WORDS[name][0]}",
            signed(getattr(cell, name)),
            signed(getattr(cell, name) * cell.scale),
            "–" if cell.is_masked else signed(float(above[name][key])),
        ]
        for name in TERMS
    ]
    total = "–" if cell.is_masked else signed(float(sum(above[name][key] for name in TERMS)))
    rows.append(["sum", signed(cell.total), signed(cell.score), total])
    numbers = table(["term", "value", "÷√d", "vs average"], rows)
    return f'{numbers}<p style="font-size:var(--type-small)">{recomputed(cell)}</p>'


def term_list(*, d_head: int, palette: Palette) -> str:
    """The sum that is the score, and what each of its terms asks, as HTML."""
    total = " + ".join(chip(name, palette=palette) for name in TERMS)
    rows = [
        [chip(name, palette=palette), formula, words, sentence]
        for name, (formula, words, sentence) in TERM_WORDS.items()
    ]
    heads = ["term", "product", "in words", "what it asks"]
    return f"<p>score of key j for query i = ({total}) ÷ √{d_head}, then softmax</p>" + table(
        heads, rows, align="left"
    )


def recomputed(cell: CellCheck) -> str:
    """How far NumPy in float64 is from the model, in a sentence."""
    if cell.is_masked:
        return "Masked: its weight is exactly 0."
    off = cell.residuals()
    return (
        f"Softmax weight <b>{percent(cell.model_weight, 1)}</b>. Recomputed in NumPy: score off by "
        f"{against_bound(off['score'])}, weight by {against_bound(off['weight'])} "
        f"(✓ means ≤ {power_of_ten(BOUND)})."
    )


def check_table(cell: CellCheck, *, d_head: int) -> str:
    """A cell computed twice, as an HTML table: by NumPy in float64 and by the model in float32.

    Differences of a + c, b + d and the sum are given ÷ √d_head, in the unit of the score.
    """
    if cell.is_masked:
        return ""

    def line(name: str, how: str, value: float, model: float | None = None) -> list[str]:
        if model is None:
            return [name, how, number(value), "", ""]
        unit = 1.0 if name in ("score", "weight") else cell.scale
        return [name, how, number(value), number(model), against_bound(abs(value - model) * unit)]

    far = f"R[{cell.distance}]"
    total = cell.model_ac + cell.model_bd
    rows = [
        line("a", "q · k", cell.a),
        line("c", "u · k", cell.c),
        line("a + c", "", cell.a + cell.c, cell.model_ac),
        line("b", f"q · W {far}", cell.b),
        line("d", f"v · W {far}", cell.d),
        line("b + d", "", cell.b + cell.d, cell.model_bd),
        line("sum", "", cell.total, total),
        line("score", f"sum ÷ √{d_head}", cell.score, total * cell.scale),
        line("weight", "softmax", cell.weight, cell.model_weight),
    ]
    return table(["part", "computed as", "NumPy", "model", "difference"], rows)


def chip(name: str, *, palette: Palette) -> str:
    """A term's letter on its colour."""
    look = f"background:{palette.terms[name]};color:{palette.terms_ink[name]}"
    return f'<b style="{look};forced-color-adjust:none;padding:0 .4em;border-radius:3px">{name}</b>'


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, align: str = "right") -> str:
    """An HTML table whose first column names its rows. Args: heads, rows: HTML."""
    room = "padding:.1rem .5rem .1rem 0;font-weight:inherit"
    head = "".join(
        f'<th scope="col" style="text-align:{align if number else "left"};{room}">{one}</th>'
        for number, one in enumerate(heads)
    )
    body = "".join(
        f'<tr><th scope="row" style="text-align:left;{room}">{name}</th>'
        + "".join(f'<td style="text-align:{align};{room}">{one}</td>' for one in others)
        + "</tr>"
        for name, *others in rows
    )
    look = "border-collapse:collapse;font-size:var(--type-small);line-height:1.4"
    return (
        f'<div style="overflow-x:auto"><table style="{look}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def number(value: float) -> str:
    """Five digits after the point.

    >>> number(-0.5)
    '−0.50000'
    """
    return minus(f"{value:.5f}")
