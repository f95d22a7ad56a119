"""Predictions beside results, as a small table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
from pandas.io.formats.style import Styler

from xlexplain.figures.theme import TYPE, Palette


@dataclass(frozen=True)
class Prediction:
    """One row: what it is about, what was predicted, what was measured.

    Attributes: look: as the figure has it, "relative" say; "" if it is not in the figure.
    """

    label: str
    predicted: str
    measured: str
    look: str = ""


def predictions_table(
    rows: Sequence[Prediction], *, name: str, caption: str, palette: Palette
) -> Styler:
    """A frame that shows itself; its labels have the signs and colors of the curves.

    Args: name: of the table, unlike that of any other on the page.
    """
    looks = {
        "relative": ("● ", palette.relative),
        "absolute": ("■ ", palette.absolute),
        "sliding": ("■ ", palette.ink),
    }
    signs, colors = zip(*(looks.get(row.look, ("", palette.ink)) for row in rows), strict=True)
    frame = pd.DataFrame(
        {"predicted": [row.predicted for row in rows], "measured": [row.measured for row in rows]},
        index=[sign + row.label for sign, row in zip(signs, rows, strict=True)],
    )
    rule = f"1px solid {palette.line}"
    styles = {
        "": f"width: 100%; border-collapse: collapse; font-size: {TYPE['small']}px; "
        f"line-height: 1.35; font-variant-numeric: tabular-nums; color: {palette.ink}",
        "caption": f"caption-side: top; text-align: left; color: {palette.soft}",
        "th, td": "border: 0; padding: 2px 0 2px 2px; text-align: right; vertical-align: top",
        "thead th": f"font-weight: 400; color: {palette.soft}",
        "tbody th": "padding-left: 0; text-align: left; font-weight: 500; white-space: nowrap",
        "tbody tr": f"border-top: {rule}",
    }
    return (
        frame.style.format(escape="html")
        .format_index(escape="html")
        .set_uuid(name)
        .set_caption(caption)
        .set_table_styles([{"selector": place, "props": how} for place, how in styles.items()])
        .set_properties(subset=["measured"], **{"font-weight": "700", "white-space": "nowrap"})
        .apply_index(lambda labels: [f"color: {color}" for color in colors])
    )
