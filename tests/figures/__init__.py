"""Tests: numbers in the figures against the arrays."""
