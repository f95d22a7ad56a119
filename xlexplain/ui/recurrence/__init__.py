"""The segment recurrence page: its first screen, the measurement, the explanation."""
