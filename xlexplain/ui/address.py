"""The address: what it carries, who reads it, and when it is written.

A name in the address is the key of a widget, or of a value of the session. The address holds what
differs from its default. It is read when a picture is opened: by a link, a reload, Back or Forward.
Within a visit the session knows better, and carries what was chosen on to the next page. After each
run the server writes the address, in one message, and `address.js` makes that a correction of the
entry in the browser's history: one entry for each page that was visited, with its last values.

Why not Streamlit's `bind="query-params"`: on a change of page it writes the old page's address
without its values, and the new page's once for each value, every time as a new entry; on Back it
takes away what the page that is left had bound; what it writes after a click can be older than what
the reader did meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

T = TypeVar("T")
KEY = "address"


@dataclass
class Address:
    """What one reader's session knows of the address.

    Attributes:
        page: the page that is shown; None before the first one.
        given: what the address held when the picture was opened.
        is_whole: whether `given` was all that counts, so that what it lacks stands at its default.
        values: what differs from its default, by name; carried on from page to page.
        settled: names that follow what the reader does, no longer `given`.
        defaults: by name, on this page.
        bad: what `given` held for a name and could not be used.
        picture: how many pictures were opened.
        is_as_given: whether the address stays as the reader gave it: until something changes.
        is_overdue: whether it is written even if it seems right: after Back it may be another's.
    """

    page: str | None = None
    given: dict[str, list[str]] = field(default_factory=dict)
    is_whole: bool = True
    values: dict[str, str] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)
    defaults: dict[str, object] = field(default_factory=dict)
    bad: dict[str, str] = field(default_factory=dict)
    picture: int = 0
    is_as_given: bool = False
    is_overdue: bool = False

    def open(self, page: str, given: dict[str, list[str]], *, is_whole: bool) -> None:
        """A new picture: every name is read anew."""
        self.page, self.given, self.is_whole = page, given, is_whole
        self.settled, self.defaults, self.bad = set(), {}, {}
        self.picture += 1

    @property
    def wanted(self) -> dict[str, str]:
        """What the address should hold."""
        return {name: self.values[name] for name in self.defaults if name in self.values}


def current() -> Address:
    """This session's."""
    address: Address = st.session_state.setdefault(KEY, Address())
    return address


@contextmanager
def kept_for(page: str) -> Iterator[None]:
    """Around a page's run: read the address before, write it after."""
    address = current()
    is_first = address.page is None
    is_back = is_history()
    if is_first or is_back or address.page != page:
        given = {name: st.query_params.get_all(name) for name in st.query_params}
        address.open(page, given, is_whole=is_first or is_back)
    address.is_as_given, address.is_overdue = is_first, is_back
    yield
    write()


def is_history() -> bool:
    """Whether this run is for Back or Forward; Streamlit tells it to its own modules only."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def load(
    name: str,
    *,
    default: T,
    read: Callable[[str], T | None],
    fit: Callable[[str], T | None] | None = None,
) -> None:
    """Before a widget is made: see that the session holds its value.

    The first time in a picture that is what the address says, else what was carried on from the
    page before, else the default. A value that stands at its default goes with the default.

    Args:
        read: the value that a text in the address means; None if it means none.
        fit: the same for a text that was carried on, where a near value is better than none.
    """
    address, state = current(), st.session_state
    if name in address.settled and name in state:
        if state[name] == address.defaults.get(name, default) and state[name] != default:
            state[name] = default
    else:
        texts = [] if name in address.settled else address.given.get(name, [])
        is_carried = name in address.settled or not address.is_whole
        value: T | None = None
        if texts:
            value = read(texts[0]) if len(texts) == 1 else None
            if value is None:
                address.bad[name] = shortened(" and ".join(texts))
        elif is_carried and name in address.values:
            value = (fit or read)(address.values[name])
        state[name] = default if value is None else value
        address.settled.add(name)
    address.defaults[name] = default


def save(name: str, value: object) -> None:
    """After a widget is made: what it shows. `load` has been called before."""
    address = current()
    if value is None or value == address.defaults.get(name):
        address.values.pop(name, None)
    else:
        address.values[name] = str(value)


def write() -> None:
    """Let the address say what is shown."""
    address = current()
    if address.is_as_given:
        return
    held = {name: st.query_params.get_all(name) for name in st.query_params}
    wanted = address.wanted
    if address.is_overdue or held != {name: [text] for name, text in wanted.items()}:
        st.query_params.from_dict(wanted)
        address.is_overdue = False


def reset() -> None:
    """Everything back to its default, on the other pages too; the address follows."""
    address = current()
    address.values.clear()
    address.open(address.page or "", {}, is_whole=True)


def bad_value(name: str) -> str | None:
    """What the address held for a name and could not be used, until the reader chooses."""
    return current().bad.get(name)


def choose(name: str, value: object) -> None:
    """In a callback: give a control a value, as if the reader had chosen it there."""
    st.session_state[name] = value
    forget_bad_value(name)


def forget_bad_value(name: str) -> None:
    """The reader has chosen; the notice goes."""
    current().bad.pop(name, None)


def shortened(text: str, *, most: int = 40) -> str:
    """The beginning of a text.

    >>> shortened("abcdef", most=3)
    'abc…'
    """
    return text if len(text) <= most else text[:most] + "…"
