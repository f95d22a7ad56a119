"""The likeliest next characters, and a text with what each of its characters cost, in bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import pandas as pd

from xlexplain.figures.labels import minus, percent
from xlexplain.figures.theme import MONO, TYPE, ColorScale, Palette, color_at, ink_on
from xlexplain.maths.arrays import FloatArray
from xlexplain.maths.surprise import mean_bits
from xlexplain.maths.words import counted

FULL_HEIGHT_BITS = 8.0
STEPS = 32  # of a colour scale, and of the height of a bar


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


def guess_lists(guesses: Sequence[Guesses], *, palette: Palette) -> str:
    """HTML: the likeliest next characters of one or more models, side by side, with bars."""
    lists = "".join(map(guess_list, guesses))
    return f'<style>{guess_style(palette=palette)}</style><div class="xl-guesses">{lists}</div>'


def guess_list(guesses: Guesses) -> str:
    """One model's list and what came next."""
    rows = "".join(
        f"<tr><th scope='row'>{escape(token)}</th>"
        f"<td><div><i style='width:{100 * prob:.1f}%'></i></div></td>"
        f"<td>{percent(prob, 1)}{' ✓' if token == guesses.came_next else ''}</td></tr>"
        for token, prob in zip(guesses.tokens, guesses.probs, strict=True)
    )
    return (
        f"<table><caption>{escape(guesses.name)}</caption><thead><tr><th scope='col'>next</th>"
        f"<th scope='colgroup' colspan='2'>probability</th></tr></thead><tbody>{rows}</tbody>"
        f"<tfoot><tr><td colspan='3'>{came_next_words(guesses)}</td></tr></tfoot></table>"
    )


def came_next_words(guesses: Guesses) -> str:
    """What the text goes on with, and the chance the model gave it."""
    if guesses.came_next is None or guesses.came_next_prob is None:
        return "The text ends here."
    chance = percent(guesses.came_next_prob, 1)
    return f"✓ came next: “{escape(guesses.came_next)}”, given {chance}."


def guess_style(*, palette: Palette) -> str:
    """The look of the lists."""
    return f"""
.xl-guesses {{display: flex; flex-wrap: wrap; gap: 12px 36px; print-color-adjust: exact;}}
.xl-guesses table {{border-collapse: collapse; flex: 1 1 240px; max-width: 420px;
  font-size: {TYPE["text"]}px; font-variant-numeric: tabular-nums;}}
.xl-guesses caption {{text-align: left; font-weight: 650; padding-bottom: 2px;}}
.xl-guesses th, .xl-guesses td {{padding: 3px 6px 3px 0; text-align: left; font-weight: 400;}}
.xl-guesses thead th {{color: {palette.soft}; font-size: {TYPE["small"]}px;}}
.xl-guesses tbody th {{font: {TYPE["lead"]}px {MONO}; width: 32px;}}
.xl-guesses tbody td:last-child {{width: 84px; white-space: nowrap;}}
.xl-guesses td div {{background: {palette.panel}; border-radius: 3px; overflow: hidden;
  forced-color-adjust: none;}}
.xl-guesses td i {{display: block; height: 16px; background: {palette.relative};}}
.xl-guesses tfoot td {{color: {palette.soft}; padding-top: 4px;}}
"""


def surprise_text(
    readings: Mapping[str, FloatArray],
    *,
    tokens: Sequence[str],
    starts: Sequence[int],
    palette: Palette,
    is_difference_shown: bool = False,
) -> str:
    """HTML: the same text once a reading, each character with its bits as a colour and a bar.

    Args:
        readings: (T,) bits, nan for the first character, by the name of the model.
        tokens: (T,) as a reader sees them; starts: where segments begin.
        is_difference_shown: add a panel of second minus first reading, the bits that the first
            one saved.
    """
    columns = {name: np.round(bits, 2) for name, bits in readings.items()}
    texts = [
        f"<section><h2>{escape(name)}</h2><p>{mean_bits(bits):.2f} bits a character</p>"
        f"{characters(columns[name], tokens=tokens, starts=starts)}</section>"
        for name, bits in readings.items()
    ]
    if is_difference_shown:
        first, second = columns.values()
        saved = np.round(second - first, 2)  # of the numbers as shown, so that they add up
        columns["Saved by memory"] = saved
        texts.append(
            f"<section><h2>Saved by memory</h2><p>{saved_words(saved)}</p>"
            f"{characters(saved, tokens=tokens, starts=starts, is_difference=True)}</section>"
        )
    frame = pd.DataFrame(columns, index=list(tokens)).rename_axis(columns="character")
    table = frame.to_html(float_format=lambda bits: minus(f"{bits:.2f}"), na_rep="–", border=0)
    return (
        f"<style>{surprise_style(palette=palette)}</style><div class='xl-surprise'>{''.join(texts)}"
        "<details><summary>Bits as a table</summary>"
        f"<div tabindex='0' role='region' aria-label='Bits'>{table}</div></details></div>"
    )


def characters(
    bits: FloatArray,
    *,
    tokens: Sequence[str],
    starts: Sequence[int],
    is_difference: bool = False,
) -> str:
    """HTML: the text, where a class says in which step of the colour scale a character's bits lie.

    Costs begin at 0 bits, differences at the most that can be lost.
    """
    kind, least = ("d", -FULL_HEIGHT_BITS) if is_difference else ("c", 0.0)
    steps = STEPS * np.clip((bits - least) / (FULL_HEIGHT_BITS - least), 0, 1)
    shown = []
    for place, (token, value, step) in enumerate(zip(tokens, bits, steps, strict=True)):
        name = "none" if np.isnan(value) else f"{kind}{step:.0f}"
        first = " first" if place and place in starts else ""
        title = "not predicted" if np.isnan(value) else minus(f"{value:.2f} bits")
        shown.append(f"<b class='{name}{first}' title='{title}'>{escape(token)}</b>")
    in_all = counted(f"{np.nansum(bits):.0f}", "bit")
    label = f"The text, {in_all} in all; the table below has every character’s"
    return f"<div role='img' aria-label='{minus(label)}'>{''.join(shown)}</div>"


def saved_words(saved: FloatArray) -> str:
    """The bits that memory saved over the whole text; negative when it cost some."""
    total = float(np.nansum(saved))
    verb = "saved" if total >= 0 else "lost"
    bits = counted(f"{abs(total):.0f}", "bit")
    return f"{bits} {verb} over {counted(len(saved) - 1, 'character')}"


def surprise_style(*, palette: Palette) -> str:
    """The look of the texts: a character above its bar; a bar of lost bits hangs from above."""
    steps = [
        step_rule(kind, step, scale)
        for kind, scale in (("c", palette.sequential), ("d", palette.diverging))
        for step in range(STEPS + 1)
    ]
    return f"""
.xl-surprise {{display: grid; gap: 16px 24px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr));
  font-size: {TYPE["text"]}px; print-color-adjust: exact;}}
.xl-surprise h2 {{margin: 0; padding: 0; font-size: {TYPE["lead"]}px; font-weight: 650;}}
.xl-surprise p {{margin: 0 0 6px; font-size: inherit; color: {palette.soft};
  font-variant-numeric: tabular-nums;}}
.xl-surprise section > div {{display: flex; flex-wrap: wrap; row-gap: 3px; font: 14px/26px {MONO};
  forced-color-adjust: none;}}
.xl-surprise b {{font-weight: 400; min-width: 12px; padding: 0 1.5px; height: 40px;
  text-align: center; color: {palette.ink}; background: {palette.panel};}}
.xl-surprise b:hover {{outline: 2px solid {palette.ink}; z-index: 1;}}
.xl-surprise .first {{box-shadow: -2px 0 0 {palette.ink};}}
.xl-surprise details {{grid-column: 1 / -1;}}
.xl-surprise details > div {{max-height: 320px; overflow: auto;}}
.xl-surprise td, .xl-surprise th {{padding: 2px 12px 2px 0; text-align: right;}}
.xl-surprise b:not(.none) {{background: linear-gradient(var(--fill) 0 0) top / 100% 26px no-repeat,
  linear-gradient(var(--way, to top), var(--tone) var(--bar), {palette.panel} var(--bar))
  bottom / 100% 14px no-repeat;}}
{"".join(steps)}"""


def step_rule(kind: str, step: int, scale: ColorScale) -> str:
    """The colours of one step of a scale, and the height and direction of its bar."""
    share = step / STEPS
    fill, is_lost = color_at(scale, share), kind == "d" and share < 0.5
    height = abs(2 * share - 1) if kind == "d" else share
    tone = color_at(scale, 0.25 if is_lost else 0.75)
    way = "--way: to bottom; " if is_lost else ""
    return (
        f".xl-surprise .{kind}{step} {{--fill: {fill}; color: {ink_on(fill)}; --tone: {tone}; "
        f"{way}--bar: {height:.0%};}}\n"
    )
