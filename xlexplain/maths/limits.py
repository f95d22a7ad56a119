"""The limits of the two settings that everything follows: the only place with them."""

SEGMENT_LENGTHS = range(2, 33)  # L, tokens
MEMORY_DEPTHS = range(5)  # D, segments
LAYERS = 4  # of the shipped models
HEADS = 4
