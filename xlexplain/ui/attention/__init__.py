"""The components and choices of the relative attention page."""
