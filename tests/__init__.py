"""Tests: laws, properties, pages, a real browser."""
