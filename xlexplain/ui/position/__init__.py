"""The page about positions that collide, and what the home page shares with it."""
