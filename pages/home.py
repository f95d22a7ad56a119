"""Placeholder."""

from xlexplain.ui import controls, frame

frame.open_page("home")
controls.segment_and_memory()
frame.close_page("home")
