"""Tests: experiments."""
