"""The four predictions and results as small pictures: arrays in, SVG out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from xlexplain.figures.theme import FONT, TYPE, Palette

WIDTH, HEIGHT = 222, 122
TEXT_SIZE = TYPE["fine"]
LEFT, RIGHT, TOP, BOTTOM = 34, 8, 22, 24
SMALLEST = 1e-17  # where an exact 0 stands on a log axis


@dataclass(frozen=True)
class Scale:
    """A linear map from values to pixels."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(self.start + share * (self.end - self.start), 2)


def across(low: float, high: float) -> Scale:
    """The horizontal axis."""
    return Scale(low, high, LEFT, WIDTH - RIGHT)


def upwards(low: float, high: float) -> Scale:
    """The vertical axis."""
    return Scale(low, high, HEIGHT - BOTTOM, TOP)


def svg(body: str, *, palette: Palette, axis: str, height: str = "") -> str:
    """A whole picture with its horizontal axis named, and over it what the height stands for."""
    line = HEIGHT - BOTTOM
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="{FONT}" font-size="{TEXT_SIZE}">'
        f'<path d="M{LEFT} {line}H{WIDTH - RIGHT}" stroke="{palette.soft}"/>'
        f"{body}{label(height, 2, 12, palette.soft, 'start')}"
        f"{label(axis, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, palette.soft, 'middle')}</svg>"
    )


def label(text: str, x: float, y: float, colour: str, anchor: str = "end") -> str:
    """A word at a place."""
    return f'<text x="{x}" y="{y}" fill="{colour}" text-anchor="{anchor}">{escape(text)}</text>'


def path(xs: Sequence[float], ys: Sequence[float], colour: str, *, dash: str = "") -> str:
    """A line through points."""
    points = " ".join(f"{x},{y}" for x, y in zip(xs, ys, strict=True))
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"'
        f' stroke-linejoin="round"{dashed}/>'
    )


def dots(xs: Sequence[float], ys: Sequence[float], colour: str, *, is_square: bool) -> str:
    """Circles for relative, squares for absolute: the kinds are told apart without colour too."""
    if is_square:
        return "".join(
            f'<rect x="{x - 3}" y="{y - 3}" width="6" height="6" fill="{colour}"/>'
            for x, y in zip(xs, ys, strict=True)
        )
    return "".join(
        f'<circle cx="{x}" cy="{y}" r="3.2" fill="{colour}"/>' for x, y in zip(xs, ys, strict=True)
    )


def marker(x: float, palette: Palette) -> str:
    """A thin line at the reader's own setting, or where the numbers below are from."""
    return f'<path d="M{x} {TOP}V{HEIGHT - BOTTOM}" stroke="{palette.ink}" stroke-dasharray="2 3"/>'


def chop(
    lengths: Sequence[int],
    *,
    relative: Sequence[float],
    absolute: Sequence[float],
    chosen: int,
    palette: Palette,
) -> str:
    """Largest difference from the uncut pass over L, on a log axis from 1e-17 to 10."""
    x, y = across(1, max(32, *lengths)), upwards(-17, 1.3)

    def height(value: float) -> float:
        return y(math.log10(max(value, SMALLEST)))

    body = marker(x(chosen), palette)
    for power, text in ((0, "1"), (-8, "10⁻⁸"), (-15, "10⁻¹⁵")):
        body += f'<path d="M{LEFT} {y(power)}H{WIDTH - RIGHT}" stroke="{palette.line}"/>'
        body += label(text, LEFT - 4, y(power) + 4, palette.soft)
    xs = [x(length) for length in lengths]
    body += dots(xs, [height(one) for one in absolute], palette.absolute, is_square=True)
    body += dots(xs, [height(one) for one in relative], palette.relative, is_square=False)
    return svg(body, palette=palette, axis="segment length L", height="change of the outputs")


def guess(
    law: Sequence[float],
    *,
    relative: Sequence[float],
    absolute: Sequence[float],
    marked: int,
    palette: Palette,
) -> str:
    """Accuracy at each position: bars for absolute under the predicted steps, dots for relative.

    The position `marked` is the one whose numbers stand below the picture.
    """
    count = len(law)
    x, y = across(0, count), upwards(0, 1.08)
    width = (x(1) - x(0)) * 0.72
    body = ""
    for value, text in ((0.5, "½"), (1.0, "1")):
        body += f'<path d="M{LEFT} {y(value)}H{WIDTH - RIGHT}" stroke="{palette.line}"/>'
        body += label(text, LEFT - 4, y(value) + 4, palette.soft)
    for place, value in enumerate(absolute):
        body += (
            f'<rect x="{x(place + 0.14)}" y="{y(value)}" width="{width:.2f}" '
            f'height="{y(0) - y(value):.2f}" fill="{palette.absolute}" opacity=".8"/>'
        )
    body += marker(x(marked + 0.5), palette)
    steps = [(edge, value) for place, value in enumerate(law) for edge in (place, place + 1)]
    xs, ys = [x(edge) for edge, _ in steps], [y(value) for _, value in steps]
    body += path(xs, ys, palette.ink, dash="5 3")
    body += dots(
        [x(place + 0.5) for place in range(len(relative))],
        [y(value) for value in relative],
        palette.relative,
        is_square=False,
    )
    return svg(body, palette=palette, axis="position in the segment", height="share right")


def bits(
    depths: Sequence[int],
    *,
    relative: Sequence[float],
    absolute: Sequence[float],
    chosen: int,
    palette: Palette,
) -> str:
    """Bits per character over memory depth; a variant without figures is left out."""
    known = [*relative, *absolute]
    x = Scale(0, max(depths), LEFT + 8, WIDTH - RIGHT - 8)
    low, high = (min(known) - 0.1, max(known) + 0.1) if known else (0.0, 1.0)
    y = upwards(low, high)
    body = ""
    for tick in round_ticks(low, high):
        body += f'<path d="M{LEFT} {y(tick)}H{WIDTH - RIGHT}" stroke="{palette.line}"/>'
        body += label(f"{tick:g}", LEFT - 4, y(tick) + 4, palette.soft)
    body += marker(x(chosen), palette)
    for values, colour, is_square in (
        (absolute, palette.absolute, True),
        (relative, palette.relative, False),
    ):
        if values:
            xs = [x(depth) for depth in depths[: len(values)]]
            ys = [y(value) for value in values]
            body += path(xs, ys, colour) + dots(xs, ys, colour, is_square=is_square)
    return svg(body, palette=palette, axis="memory depth D", height="bits per character")


def round_ticks(low: float, high: float) -> list[float]:
    """Multiples of the largest of 1, 0.5, 0.2 and 0.1 that is between them at least twice.

    >>> round_ticks(1.58, 3.35)
    [2.0, 3.0]
    """
    for step in (1.0, 0.5, 0.2, 0.1):
        ticks = [
            round(step * count, 1)
            for count in range(math.ceil(low / step), math.floor(high / step) + 1)
        ]
        if len(ticks) >= 2:
            return ticks
    return ticks


def reuse(
    lengths: Sequence[int],
    *,
    sliding: Sequence[float],
    reused: Sequence[float],
    palette: Palette,
) -> str:
    """Milliseconds a token over attention length, both axes logarithmic."""
    x = across(math.log(min(lengths)), math.log(max(lengths)))
    logs = [math.log10(one) for one in (*sliding, *reused)]
    y = upwards(min(logs) - 0.15, max(logs) + 0.15)
    body = ""
    for power in range(math.ceil(min(logs)), math.floor(max(logs)) + 1):
        body += f'<path d="M{LEFT} {y(power)}H{WIDTH - RIGHT}" stroke="{palette.line}"/>'
        body += label(f"{10.0**power:g}", LEFT - 4, y(power) + 4, palette.soft)
    xs = [x(math.log(length)) for length in lengths]
    for values, colour, is_square in (
        (sliding, palette.ink, True),
        (reused, palette.relative, False),
    ):
        ys = [y(math.log10(value)) for value in values]
        body += path(xs, ys, colour) + dots(xs, ys, colour, is_square=is_square)
    return svg(body, palette=palette, axis="attention length", height="ms a token")


def empty(axis: str, *, palette: Palette, words: str) -> str:
    """A picture's place before there is a result."""
    body = label(words, (LEFT + WIDTH - RIGHT) / 2, HEIGHT / 2, palette.soft, "middle")
    return svg(body, palette=palette, axis=axis)
