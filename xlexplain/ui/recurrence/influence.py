"""Theory beside measurement: what the shipped model really hears."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from xlexplain.figures.recurrence_influence import in_words, influence_curves
from xlexplain.maths.arrays import FloatArray, IntArray
from xlexplain.maths.influence import Influence, border_places
from xlexplain.maths.limits import LAYERS
from xlexplain.maths.words import counted
from xlexplain.ui import address, controls, figure, models, prose, texts
from xlexplain.ui.settings import Settings

if TYPE_CHECKING:
    from xlexplain.model import TransformerXL

PAGE = "segment_recurrence"
MODEL = "relative"
ALL_AT_MOST = 96  # tokens that are all replaced without asking


@st.cache_resource(show_spinner="Loading the model…")
def double_model() -> TransformerXL:
    """The shipped model in float64; one for all readers."""
    from xlexplain.model.influence import in_double

    return in_double(models.pretrained(MODEL).model)


@st.cache_data(max_entries=128, show_spinner="Measuring on the model…")
def measured(
    text: str,
    *,
    segment_length: int,
    memory_length: int,
    position: int,
    places: tuple[int, ...],
) -> tuple[Influence, FloatArray]:
    """The influence of a text's tokens, and (n_layer, T) the derivative without memory.

    Args: text: to the end of the segment that is read.
    """
    from xlexplain.model.influence import derivatives, measure_influence

    ids = models.pretrained(MODEL).vocabulary.encode(text)
    influence = measure_influence(
        double_model(),
        ids,
        position=position,
        segment_length=segment_length,
        memory_length=memory_length,
        places=np.array(places, dtype=np.int64),
    )
    alone = derivatives(
        double_model(),
        ids,
        position=position,
        segment_length=segment_length,
        memory_length=0,
        is_detached=False,
    )
    return influence, alone


def places_to_replace(position: int, *, read: int, settings: Settings) -> IntArray:
    """Every token that is read if they are few, else those around the borders."""
    if read <= ALL_AT_MOST:
        return np.arange(read)
    return border_places(
        position,
        segment_length=settings.segment_length,
        memory_length=settings.memory_length,
        layer_count=LAYERS,
    )


def measurement(settings: Settings) -> None:
    """Measure, draw, and say whether the formula holds.

    The derivative is cheap and comes at once. Replacing tokens one by one takes seconds for long
    texts, so there the reader asks for it.
    """
    st.header(prose.section(PAGE, "measured title"), anchor="measured")
    L, text = settings.segment_length, settings.text
    position, read = settings.segment * L + settings.query, (settings.segment + 1) * L
    prose.show_html(
        PAGE,
        "measured intro",
        token=texts.visible(text[position]),
        place=settings.query,
        segment=settings.segment,
    )
    vocabulary = models.pretrained(MODEL).vocabulary
    texts.notice_unknown(vocabulary.unknown(text), vocab_size=len(vocabulary))
    places = places_to_replace(position, read=read, settings=settings)
    is_asked = len(places) == read or asks_to_replace(len(places))
    influence, alone = measured(
        text[:read],
        segment_length=L,
        memory_length=settings.memory_length,
        position=position,
        places=tuple(places.tolist()) if is_asked else (),
    )
    figure.show(
        influence_curves(
            influence,
            without_memory=alone[settings.layer_count - 1] if settings.memory_depth else None,
            tokens=[texts.visible(char) for char in text],
            layer_count=settings.layer_count,
            palette=settings.palette,
        ),
        key="influence",
        alt=in_words(influence, layer_count=settings.layer_count),
    )
    verdict(influence)
    st.table(comparison(influence), border="horizontal")
    farthest = {"trained": influence.trained, "read": influence.nudged}
    prose.show(
        PAGE,
        "measured gradient",
        **{
            name: influence.farthest(values > 0)[settings.layer_count - 1]
            for name, values in farthest.items()
        },
    )


def asks_to_replace(count: int) -> bool:
    """Whether to replace tokens though it takes long; in the URL `replace=yes`."""
    address.load("replace", default=False, read={"yes": True, "no": False}.get)
    label = (
        f"Also replace {counted(count, 'token')} around the borders, one at a time (takes seconds)"
    )
    is_asked = st.checkbox(
        label,
        key="replace",
        on_change=controls.chosen("replace"),
    )
    address.save("replace", "yes" if is_asked else False)
    controls.notice_bad_value(label, "replace", "not understood", shown="an empty box")
    return is_asked


def verdict(influence: Influence) -> None:
    """Say in how many cases formula and model agree; hide nothing if they do not."""
    nudges, replacements = influence.is_nudge_as_predicted, influence.is_replacement_as_predicted
    heard = influence.predicted[:, influence.places]
    numbers = {
        "layers": influence.layer_count,
        "tokens": nudges.shape[1],
        "cases": f"{nudges.size:,}",
        "agreed": f"{nudges.sum():,}",
        "places": len(influence.places),
        "runs": replacements.size,
        "moved": int((influence.replaced > 0).sum()),
        "still": int((influence.replaced == 0)[~heard].sum()),
        "lost": int((~replacements)[heard].sum()),
        "leaked": int((~replacements)[~heard].sum()),
    }
    prose.show(PAGE, "measured" if nudges.all() else "measured apart", **numbers)
    if len(influence.places):
        prose.show(PAGE, "replaced", **numbers)
        if numbers["lost"]:
            prose.show(PAGE, "replaced too faint", **numbers)
        if numbers["leaked"]:
            prose.show(PAGE, "replaced apart", **numbers)


def comparison(influence: Influence) -> pd.DataFrame:
    """One row a layer count: the formula, and the farthest token by each measurement."""
    formula = influence.farthest(influence.predicted)
    nudged = influence.farthest(influence.nudged > 0)
    beyond = np.where(influence.predicted, 0.0, influence.nudged).max(axis=1)
    table = pd.DataFrame(
        {
            "Layers": [str(layers) for layers in range(1, influence.layer_count + 1)],
            "Formula: tokens back": [str(back) for back in formula],
            "Farthest derivative above 0": [str(back) for back in nudged],
        }
    )
    if len(influence.places):
        replaced = influence.farthest(influence.replaced > 0, influence.places)
        table["Farthest replaced token that matters"] = [str(back) for back in replaced]
    table["Largest derivative beyond"] = [f"{value:g}" for value in beyond]
    table["Agree"] = ["✓ yes" if row.all() else "✗ no" for row in influence.is_nudge_as_predicted]
    return table.set_index("Layers")
