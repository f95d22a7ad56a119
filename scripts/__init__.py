"""Tools around the project; nothing here is needed to run the app."""
