"""Figures read back from what a page sends to the browser."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest


def component(app: AppTest, key: str) -> Any:
    """The message that draws the component of that key."""
    (found,) = [one.proto for one in app.get("bidi_component") if one.proto.id.endswith(f"-{key}")]
    return found


def sent(app: AppTest, key: str) -> dict[str, Any]:
    """What the figure of that key is given, its figure decoded: data, layout, frames, …"""
    given: dict[str, Any] = json.loads(component(app, key).json)
    return given | {"figure": decoded(json.loads(given["figure"]))}


def decoded(value: Any) -> Any:
    """Numbers that travel as bytes, as arrays again."""
    if isinstance(value, list):
        return [decoded(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "bdata" in value:
        array = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"])
        return array.reshape([int(one) for one in str(value.get("shape", -1)).split(",")])
    return {name: decoded(one) for name, one in value.items()}


def frame_traces(figure: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """All traces as a frame has them."""
    frame = figure["frames"][number]
    traces = [dict(one) for one in figure["data"]]
    for trace, change in zip(frame["traces"], frame["data"], strict=True):
        for name, value in change.items():
            is_part = isinstance(value, dict) and isinstance(traces[trace].get(name), dict)
            traces[trace][name] = traces[trace][name] | value if is_part else value
    return traces
