"""The same text through other models."""

from __future__ import annotations

from xlexplain.figures.attention_matrices import weights_panel
from xlexplain.maths.surprise import mean_bits, surprise_bits
from xlexplain.ui import prose
from xlexplain.ui.attention.head_data import PAGE, HeadData
from xlexplain.ui.attention.matrix_tabs import draw_matrices
from xlexplain.ui.attention.next_character import logits_of, show_guesses, show_surprise


def show_models(data: HeadData) -> None:
    """The text, the next character and the chosen head's weights in three models."""
    settings = data.settings
    memory = "with memory" if settings.memory_depth else "memory depth 0"
    traces = {
        f"Relative, {memory}": data.trace,
        f"Absolute, {memory}": data.trace_of("absolute"),
        "Relative, trained without memory": data.trace_of("relative-no-memory", memory_depth=0),
    }
    bits = {name: mean_bits(surprise_bits(trace)) for name, trace in traces.items()}
    best = min(bits, key=lambda name: bits[name])
    if len(settings.text) > 1:
        prose.show(PAGE, "models finding", name=best.lower(), bits=f"{bits[best]:.2f}")
    prose.show(PAGE, "models")
    show_surprise(data, traces)
    show_guesses(data, {name: logits_of(data, trace) for name, trace in traces.items()})
    prose.show(PAGE, "models attention", layer=settings.layer + 1, head=settings.head + 1)
    panels = [
        weights_panel(
            trace.segments[settings.segment].layers[settings.layer],
            head=settings.head,
            name=name,
            caption="weights",
        )
        for name, trace in traces.items()
    ]
    draw_matrices(data, panels, key="models")
