"""Tests: the model against its laws and the reference vectors."""
