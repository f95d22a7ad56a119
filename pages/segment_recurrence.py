"""Placeholder."""

from xlexplain.ui import controls, frame

frame.open_page("segment_recurrence")
controls.segment_and_memory()
frame.close_page("segment_recurrence")
