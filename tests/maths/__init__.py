"""Tests: the definitions against brute force."""
