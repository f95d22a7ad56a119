"""The pages in reading order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

INSTALLED = Path(__file__).parents[1] / "app"  # where the wheel puts what lies beside the package
APP = INSTALLED if INSTALLED.is_dir() else Path(__file__).parents[2]  # has app.py and pages
HERE = Path(__file__).parent


@dataclass(frozen=True)
class PageEntry:
    """One page: its file `pages/NAME.py` and its address.

    Attributes:
        title: in the navigation.
        description: what search engines and link previews say about it: a sentence.
    """

    name: str
    title: str
    description: str

    @property
    def script(self) -> str:
        return f"pages/{self.name}.py"

    @property
    def icon(self) -> str:
        """The file of its icon."""
        return str(HERE / "icons" / f"{self.name}.svg")

    @property
    def preview(self) -> Path:
        """The picture of it in link previews, made by `scripts/preview_pictures.py`."""
        return HERE / "previews" / f"{self.name}.png"

    @property
    def tab_title(self) -> str:
        """Its title in the browser's tab, in link previews and among the results of a search."""
        if self.name == "home":
            return "xlexplain: absolute and relative positions"
        return f"{self.title} · xlexplain"

    @property
    def address(self) -> str:
        """The URL path; "" for the home page."""
        return "" if self.name == "home" else self.name.replace("_", "-")


PAGES = (
    PageEntry(
        "home",
        "Home",
        "Figures that you can change show why absolute positions break when a Transformer reuses "
        "cached segments, and how the relative positions of Transformer-XL repair it.",
    ),
    PageEntry(
        "position_conflict",
        "The position conflict",
        "Two tables show which cached tokens a Transformer takes for current ones when "
        "every segment numbers its positions from 0 again.",
    ),
    PageEntry(
        "segment_recurrence",
        "Segment recurrence",
        "See how far back each token reaches when every layer also reads the states that "
        "a Transformer-XL keeps from earlier segments.",
    ),
    PageEntry(
        "relative_attention",
        "Relative attention",
        "Take the attention scores of a small Transformer-XL apart into their four terms, "
        "and switch each of them off.",
    ),
    PageEntry(
        "relative_shift",
        "The relative shift",
        "Watch the relative shift of Transformer-XL move every score from the column of "
        "its distance to the key that it belongs to.",
    ),
    PageEntry(
        "proof",
        "The proof",
        "Four predictions about absolute and relative positions stand beside what came "
        "out, and you can run each of them again.",
    ),
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
