"""The definitions the product rests on, executable: NumPy only."""

from xlexplain.maths.positions import PositionConflict, position_conflict, segment_name
from xlexplain.maths.reach import earliest_read, reach, receptive_field
from xlexplain.maths.shift import (
    ShiftStage,
    distance_lookup,
    rel_shift,
    rel_shift_steps,
    valid_entries,
)
from xlexplain.maths.sinusoids import relative_sinusoids, sinusoids
from xlexplain.maths.traces import TERMS, AttentionTrace, ForwardTrace, SegmentTrace, softmax

__all__ = [
    "TERMS",
    "AttentionTrace",
    "ForwardTrace",
    "PositionConflict",
    "SegmentTrace",
    "ShiftStage",
    "distance_lookup",
    "earliest_read",
    "position_conflict",
    "reach",
    "receptive_field",
    "rel_shift",
    "rel_shift_steps",
    "relative_sinusoids",
    "segment_name",
    "sinusoids",
    "softmax",
    "valid_entries",
]
