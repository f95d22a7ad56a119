"""Home: the one-minute version."""

from dataclasses import replace

from xlexplain.ui import controls, frame, home_sections
from xlexplain.ui.position import maps
from xlexplain.ui.position.controls import DEFAULT_POSITION, choose_key, filled
from xlexplain.ui.settings import Settings
from xlexplain.ui.texts import SAMPLES

NAME = "home"


def first_screen() -> Settings:
    """The controls, the book, and the two maps."""
    L, D, row = controls.segment_and_memory()
    query = min(DEFAULT_POSITION, L - 1)
    text = filled(SAMPLES["Python reference"], (D + 1) * L)
    settings = Settings(L, D, query=query, text=text, palette=frame.palette())
    with row:
        settings = replace(settings, key=choose_key(settings, default=query))
    home_sections.show_book(settings)
    maps.show_conflict(settings)
    return settings


frame.set_up(NAME)
frame.ask(NAME)
frame.draw(first_screen, {"minute": home_sections.minute, "next": home_sections.next_pages})
frame.close_page(NAME)
