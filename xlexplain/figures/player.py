"""Frames for a figure, and plotly's own buttons and slider, which play it outside the app too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from xlexplain.figures.theme import TYPE, Palette

HEIGHT = 96  # px below the figure, for the buttons and the slider
MOVE, REST = 900, 700  # ms between two frames, and on each of them


def add_player(
    figure: go.Figure, frames: Sequence[dict[str, Any]], *, palette: Palette, moves: bool
) -> go.Figure:
    """Attach frames and controls.

    Every frame sets the same attributes, so that any of them can follow any other, and names itself
    as the slider is to say it. The figure itself is the frame that is shown first.

    Args:
        frames: as plotly takes them; plain dictionaries are checked once, `go.Frame`s twice.
        moves: whether points glide from frame to frame; if not, each frame is drawn anew, as
        heatmaps must be.
    """
    move = {
        "frame": {"duration": MOVE + REST, "redraw": not moves},
        "transition": {"duration": MOVE if moves else 0, "easing": "cubic-in-out"},
    }
    jump = {**move, "frame": {"duration": 0, "redraw": True}, "mode": "immediate"}
    look = {
        "bgcolor": palette.panel,
        "bordercolor": palette.line,
        "font": {"color": palette.ink, "size": TYPE["small"]},
        "xanchor": "left",
        "yanchor": "top",
        "y": 0,
    }
    buttons = {
        "type": "buttons",
        "direction": "right",
        "showactive": False,
        "x": 0,
        "pad": {"t": 36},
        "buttons": [
            {"label": "Play", "method": "animate", "args": [None, move | {"fromcurrent": True}]},
            {"label": "Pause", "method": "animate", "args": [[None], jump]},
        ],
    }
    steps = [
        {"label": frame["name"], "method": "animate", "args": [[frame["name"]], jump]}
        for frame in frames
    ]
    slider = {
        "x": 0.2,
        "len": 0.8,
        "pad": {"t": 20},
        "steps": steps,
        "ticklen": 0,
        "currentvalue": {"font": {"color": palette.ink, "size": TYPE["text"]}},
        "font": {"color": "rgba(0,0,0,0)"},  # only the current frame's name is shown
    }
    figure.frames = frames
    layout = figure.layout  # attribute by attribute: `update_layout` takes ten times as long
    layout.updatemenus, layout.sliders = [look | buttons], [look | slider]
    layout.height = (layout.height or 450) + HEIGHT
    layout.margin.b = (layout.margin.b or 0) + HEIGHT
    layout.meta = {**(layout.meta or {}), "moves": moves}
    return figure
