"""The text segment by segment: the memory rolls, the matrix follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from xlexplain.figures.attention_matrices import encode
from xlexplain.figures.attention_scores import colours
from xlexplain.figures.theme import Palette
from xlexplain.maths import ForwardTrace
from xlexplain.maths.attention_views import memory_share


def segment_film(
    trace: ForwardTrace,
    *,
    layer: int,
    head: int,
    segment: int,
    tokens: Sequence[str],
    palette: Palette,
) -> dict[str, Any]:
    """What the player draws: one head's weights in every segment, in 65,535 steps up to `limit`.

    Args: segment: where it stands at first. tokens: (T,) the whole text as a reader sees it.
    """
    probs = [one.layers[layer].probs[head] for one in trace.segments]
    limit = max(float(one.max()) for one in probs)
    shares = [float(memory_share(one.layers[layer])[head].mean()) for one in trace.segments]
    return {
        "tokens": list(tokens),
        "length": trace.segment_length,
        "memory": trace.memory_length,
        "segment": segment,
        "limit": limit,
        "frames": [
            {
                "start": one.start,
                "count": len(one.ids),
                "memory": one.memory_length,
                "share": round(share, 4),
                "values": encode(np.rint(65535 * weights / limit).astype("<u2")),
            }
            for one, weights, share in zip(trace.segments, probs, shares, strict=True)
        ],
        "ages": [palette.segment(age) for age in range(5)],
        "colours": colours(palette),
        "scale": [list(stop) for stop in palette.sequential],
    }
