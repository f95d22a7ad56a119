"""Placeholder."""

from xlexplain.ui import controls, frame

frame.open_page("position_conflict")
controls.segment_and_memory()
frame.close_page("position_conflict")
