"""Frames for a figure, and plotly's own buttons and slider, which play it outside the app too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from xlexplain.figures.theme import TITLE_LINE, TITLE_ROOM, TYPE, Palette, wrapped

HEIGHT = 128  # px below the figure, for the buttons and the slider
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
        "pad": {"t": 20},
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
        "x": 0,
        "len": 1,
        "pad": {"t": 58},
        "steps": steps,
        "ticklen": 0,
        "currentvalue": {"font": {"color": palette.ink, "size": TYPE["text"]}},
        "font": {"color": "rgba(0,0,0,0)"},  # only the current frame's name is shown
    }
    layout = figure.layout  # attribute by attribute: `update_layout` takes far longer
    layout.updatemenus, layout.sliders = [look | buttons], [look | slider]
    meta = layout.meta or {}
    room = meta.get("title_room", 0)
    more = max(room, wrap_titles(frames)) - room
    layout.meta = {**meta, "moves": moves, "title_room": room + more}
    layout.height = (layout.height or 450) + HEIGHT + more
    layout.margin.t = (layout.margin.t or 0) + more
    layout.margin.b = (layout.margin.b or 0) + HEIGHT
    figure.frames = frames
    return figure


def wrap_titles(frames: Sequence[dict[str, Any]]) -> int:
    """Wrap the titles of frames; returns the px that the longest needs."""
    most = 0
    for frame in frames:
        title = frame["layout"]["title"]
        heading, line_count = wrapped(title["text"], title["subtitle"]["text"])
        frame["layout"]["title"] = heading
        most = max(most, TITLE_ROOM + TITLE_LINE * (line_count - 1))
    return most
