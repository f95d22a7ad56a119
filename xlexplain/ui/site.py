"""The pages in reading order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ICONS = Path(__file__).parent / "icons"
INSTALLED = Path(__file__).parents[1] / "app"
APP = (
    INSTALLED if INSTALLED.is_dir() else Path(__file__).parents[2]
)  # the folder of app.py and pages


@dataclass(frozen=True)
class PageEntry:
    """One page: its file `pages/NAME.py`, its address, and its title in the navigation."""

    name: str
    title: str

    @property
    def script(self) -> str:
        return f"pages/{self.name}.py"

    @property
    def icon(self) -> str:
        """The file of its icon."""
        return str(ICONS / f"{self.name}.svg")

    @property
    def address(self) -> str:
        """The URL path; "" for the home page."""
        return "" if self.name == "home" else self.name.replace("_", "-")


PAGES = (
    PageEntry("home", "Home"),
    PageEntry("position_conflict", "The position conflict"),
    PageEntry("segment_recurrence", "Segment recurrence"),
    PageEntry("relative_attention", "Relative attention"),
    PageEntry("relative_shift", "The relative shift"),
    PageEntry("proof", "The proof"),
)


def entry(name: str) -> PageEntry:
    """The page of that name. Raises: ValueError if there is none."""
    for page in PAGES:
        if page.name == name:
            return page
    raise ValueError(f"need one of {', '.join(page.name for page in PAGES)}, got {name!r}")


def neighbours(name: str) -> tuple[PageEntry | None, PageEntry | None]:
    """The pages before and after one."""
    place = PAGES.index(entry(name))
    before = PAGES[place - 1] if place else None
    after = PAGES[place + 1] if place + 1 < len(PAGES) else None
    return before, after
