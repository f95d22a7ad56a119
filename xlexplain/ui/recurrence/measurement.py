"""Theory beside measurement: what the shipped model really hears."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from xlexplain.figures.recurrence_influence import in_words, influence_curves
from xlexplain.figures.recurrence_stack import DEEPEST, Recurrence
from xlexplain.maths.arrays import FloatArray, IntArray
from xlexplain.maths.influence import Influence, border_places
from xlexplain.ui import address, controls, models, prose, texts
from xlexplain.ui.recurrence.choices import Choice

if TYPE_CHECKING:
    from xlexplain.model import TransformerXL

PAGE = "segment_recurrence"
MODEL = "relative"
CURVES_STYLE = ".st-key-curves {overflow-x: auto} .st-key-curves > * {min-width: 640px}"
ALL_AT_MOST = 96  # tokens that are all replaced without asking


@st.cache_resource(show_spinner="Loading the model…")
def double_model() -> TransformerXL:
    """The shipped model in float64; one for all readers."""
    from xlexplain.model.influence import in_double

    return in_double(models.pretrained(MODEL).model)


@st.cache_data(max_entries=128, show_spinner="Measuring on the model…")
def measured(
    text: str, *, recurrence: Recurrence, position: int, places: tuple[int, ...]
) -> tuple[Influence, FloatArray]:
    """The influence of a text's tokens, and (n_layer, T) the derivative without memory."""
    from xlexplain.model.influence import derivatives, measure_influence

    vocabulary = models.pretrained(MODEL).vocabulary
    ids = vocabulary.encode(text)[
        : (position // recurrence.segment_length + 1) * recurrence.segment_length
    ]
    influence = measure_influence(
        double_model(),
        ids,
        position=position,
        segment_length=recurrence.segment_length,
        memory_length=recurrence.memory_length,
        places=np.array(places, dtype=np.int64),
    )
    alone = derivatives(
        double_model(),
        ids,
        position=position,
        segment_length=recurrence.segment_length,
        memory_length=0,
        is_detached=False,
    )
    return influence, alone


def places_to_replace(choice: Choice) -> IntArray:
    """Every token that is read if they are few, else those around the borders."""
    L = choice.recurrence.segment_length
    read = (choice.segment + 1) * L
    if read <= ALL_AT_MOST:
        return np.arange(read)
    return border_places(
        choice.position,
        segment_length=L,
        memory_length=choice.recurrence.memory_length,
        layer_count=DEEPEST,
    )


def measurement(choice: Choice) -> None:
    """Measure, draw, and say whether the formula holds.

    The derivative is cheap and comes at once. Replacing tokens one by one takes seconds for long
    texts, so there the reader asks for it.
    """
    text = choice.text
    prose.show(
        PAGE,
        "measured intro",
        token=prose.literal(texts.visible(text[choice.position])),
        place=choice.query,
        segment=choice.segment,
    )
    vocabulary = models.pretrained(MODEL).vocabulary
    texts.notice_unknown(vocabulary.unknown(text), vocab_size=len(vocabulary))
    places = places_to_replace(choice)
    read = (choice.segment + 1) * choice.recurrence.segment_length
    is_asked = len(places) == read or asks_to_replace(len(places))
    influence, alone = measured(
        text,
        recurrence=Recurrence(
            choice.recurrence.segment_length, choice.recurrence.memory_depth, DEEPEST
        ),
        position=choice.position,
        places=tuple(places.tolist()) if is_asked else (),
    )
    layer_count = choice.recurrence.layer_count
    has_memory = choice.recurrence.memory_depth > 0
    st.html(f"<style>{CURVES_STYLE}</style>")
    st.container(key="curves").plotly_chart(
        influence_curves(
            influence,
            without_memory=alone[layer_count - 1] if has_memory else None,
            tokens=[texts.visible(char) for char in text],
            layer_count=layer_count,
            palette=choice.palette,
        ),
        width="stretch",
        key="influence",
        alt=in_words(influence, layer_count=layer_count),
    )
    verdict(influence)
    st.table(comparison(influence), border="horizontal")
    prose.show(PAGE, "measured gradient", **gradient_numbers(influence, layer_count=layer_count))


def asks_to_replace(count: int) -> bool:
    """Whether to replace tokens though it takes long; in the URL `replace=yes`."""
    address.load("replace", default=False, read={"yes": True, "no": False}.get)
    is_asked = st.checkbox(
        f"Also replace {count} tokens around the borders, one at a time (takes seconds)",
        key="replace",
        on_change=controls.chosen("replace"),
    )
    address.save("replace", "yes" if is_asked else False)
    bad = address.bad_value("replace")
    if bad is not None:
        st.caption(prose.section(PAGE, "bad replace", bad=prose.literal(bad)))
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


def gradient_numbers(influence: Influence, *, layer_count: int) -> dict[str, object]:
    """How far training reaches, beside how far reading does."""
    return {
        "trained": influence.farthest(influence.trained > 0)[layer_count - 1],
        "read": influence.farthest(influence.nudged > 0)[layer_count - 1],
    }
