"""What all tests share."""

from hypothesis import settings

# How long an example takes depends on what else the machine does; a test is about its result.
settings.register_profile("xlexplain", deadline=None)
settings.load_profile("xlexplain")
