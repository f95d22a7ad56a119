"""What changes when terms are switched off: one query's weights, and the next character."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from xlexplain.figures.labels import escaped, percent
from xlexplain.figures.theme import MONO, TYPE, Palette, style
from xlexplain.maths.arrays import FloatArray

MOST_LABELS = 64


@dataclass(frozen=True)
class Guesses:
    """A model's likeliest next characters.

    Attributes:
        name: of the model, for a reader.
        tokens, probs: likeliest first; tokens as a reader sees them.
        came_next: the character that the text goes on with; None at its end.
        came_next_prob: what the model gave it.
    """

    name: str
    tokens: tuple[str, ...]
    probs: tuple[float, ...]
    came_next: str | None
    came_next_prob: float | None


def switched_weights(
    before: FloatArray,
    after: FloatArray,
    *,
    tokens: Sequence[str],
    distances: Sequence[int],
    memory_length: int,
    off: Sequence[str],
    palette: Palette,
) -> go.Figure:
    """One query's weights with all terms and with some off, key by key.

    Args: before, after: (S,) weights. distances: (S,), negative where masked.
    """
    figure = go.Figure()
    place = np.arange(len(before), dtype=np.int16)
    hover = [
        f"“{escaped(token)}”, {distance} back" if distance >= 0 else "masked"
        for token, distance in zip(tokens, distances, strict=True)
    ]
    for weights, name, color, pattern in (
        (before, "all four terms", palette.soft, "/"),
        (
            after,
            f"without {', '.join(off)}" if off else "with what is left on",
            palette.relative,
            "",
        ),
    ):
        figure.add_bar(
            x=place,
            y=(100 * weights).astype(np.float32),
            name=name,
            marker={"color": color, "pattern": {"shape": pattern, "size": 5}},
            hovertext=hover,
            hovertemplate="%{hovertext}: %{y:.1f}\u00a0%<extra>" + name + "</extra>",
        )
    if memory_length:
        figure.add_vline(x=memory_length - 0.5, line={"color": palette.ink, "width": 2})
    style(figure, palette, title=switched_finding(before, after, off=off), height=340)
    figure.update_xaxes(
        title_text="key (memory left of the line)",
        tickvals=place if len(place) <= MOST_LABELS else [],
        ticktext=[escaped(token) for token in tokens],
        tickfont={"family": MONO, "size": TYPE["fine"], "color": palette.ink},
        tickangle=0,
    )
    figure.update_yaxes(title_text="weight", ticksuffix="\u00a0%", rangemode="tozero")
    figure.update_layout(legend={"orientation": "h", "y": -0.3, "yanchor": "top", "x": 0})
    return figure


def term_costs(costs: dict[str, float], *, palette: Palette) -> go.Figure:
    """Bits a character of the whole text, with all terms and without each one.

    Args: costs: by name; the first is the model as it is.
    """
    names = list(costs)
    figure = go.Figure()
    figure.add_bar(
        x=np.array(list(costs.values()), np.float32),
        y=names,
        orientation="h",
        marker={"color": [palette.relative, *[palette.soft] * (len(names) - 1)]},
        text=[f"{bits:.2f}" for bits in costs.values()],
        textposition="outside",
        textfont={"size": TYPE["small"], "color": palette.ink},
        hovertemplate="%{y}: %{x:.2f} bits a character<extra></extra>",
    )
    style(figure, palette, title=cost_finding(costs), height=250)
    figure.update_xaxes(
        title_text="bits a character on this text", range=[0, max(costs.values()) * 1.15]
    )
    figure.update_yaxes(autorange="reversed")
    return figure


def cost_finding(costs: dict[str, float]) -> str:
    """Which of the terms is missed most."""
    whole, *_ = costs.values()
    worst = max(costs, key=lambda name: costs[name])
    if costs[worst] <= whole:
        return f"No single term is missed on this text ({whole:.2f} bits a character with all)"
    name = worst[0].upper() + worst[1:]
    return f"{name}, a character costs {costs[worst]:.2f} bits instead of {whole:.2f}"


def moved_share(before: FloatArray, after: FloatArray) -> float:
    """Share of the attention that goes elsewhere: half the sum of the absolute changes."""
    return float(np.abs(before - after).sum() / 2)


def switched_finding(before: FloatArray, after: FloatArray, *, off: Sequence[str]) -> str:
    """How much of the attention moved."""
    if not off:
        return "All four terms are on: nothing changes"
    moved = moved_share(before, after)
    return f"Without {', '.join(off)}, {percent(moved)} of this query's attention goes elsewhere"


def guess_lists(guesses: Sequence[Guesses], *, palette: Palette) -> str:
    """HTML: the likeliest next characters of one or more models, side by side, with bars."""
    return (
        f"<style>{guess_style(palette)}</style>"
        '<div class="xl-guesses">' + "".join(map(guess_list, guesses)) + "</div>"
    )


def guess_list(guesses: Guesses) -> str:
    """One model's list and what came next."""
    rows = "".join(
        f"<tr><th scope='row'>{html.escape(token)}</th>"
        f"<td><div><i style='width:{100 * prob:.1f}%'></i></div></td>"
        f"<td>{percent(prob, 1)}{' ✓' if token == guesses.came_next else ''}</td></tr>"
        for token, prob in zip(guesses.tokens, guesses.probs, strict=True)
    )
    return (
        f"<table><caption>{html.escape(guesses.name)}</caption><thead><tr><th scope='col'>next</th>"
        f"<th scope='colgroup' colspan='2'>probability</th></tr></thead><tbody>{rows}</tbody>"
        f"<tfoot><tr><td colspan='3'>{came_next_words(guesses)}</td></tr></tfoot></table>"
    )


def came_next_words(guesses: Guesses) -> str:
    """What the text goes on with, and the chance the model gave it."""
    if guesses.came_next is None or guesses.came_next_prob is None:
        return "The text ends here."
    chance = percent(guesses.came_next_prob, 1)
    return f"✓ came next: “{html.escape(guesses.came_next)}”, given {chance}."


def guess_style(palette: Palette) -> str:
    """The look of the lists."""
    return f"""
.xl-guesses {{display: flex; flex-wrap: wrap; gap: 12px 36px;}}
.xl-guesses table {{border-collapse: collapse; flex: 1 1 240px; max-width: 420px;
  font-size: {TYPE["text"]}px; font-variant-numeric: tabular-nums;}}
.xl-guesses caption {{text-align: left; font-weight: 650; padding-bottom: 2px;}}
.xl-guesses th, .xl-guesses td {{padding: 3px 6px 3px 0; text-align: left; font-weight: 400;}}
.xl-guesses thead th {{color: {palette.soft}; font-size: {TYPE["small"]}px;}}
.xl-guesses tbody th {{font: {TYPE["lead"]}px {MONO}; width: 32px;}}
.xl-guesses tbody td:last-child {{width: 84px; white-space: nowrap;}}
.xl-guesses td div {{background: {palette.panel}; border-radius: 3px; overflow: hidden;}}
.xl-guesses td i {{display: block; height: 16px; background: {palette.relative};}}
.xl-guesses tfoot td {{color: {palette.soft}; padding-top: 4px;}}
"""
