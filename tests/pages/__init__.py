"""Tests: pages through app.py, without a browser."""
