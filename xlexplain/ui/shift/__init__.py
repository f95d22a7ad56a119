"""The relative-shift page's parts: live scores, the moving cells, timing, checks."""
