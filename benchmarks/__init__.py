"""Measurements: ratios taken in one run, never single milliseconds."""
