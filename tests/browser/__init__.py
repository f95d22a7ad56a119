"""Tests: pages in a real Chromium."""
