"""Placeholder."""

from xlexplain.ui import controls, frame

frame.open_page("relative_attention")
controls.segment_and_memory()
frame.close_page("relative_attention")
