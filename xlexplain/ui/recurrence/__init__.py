"""The segment recurrence page: choices, the streaming figure, the measurement, a question."""
