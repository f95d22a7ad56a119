"""What the server does once: before the first reader comes, and when the first page is up."""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Event, Thread
from typing import Any

from streamlit.runtime.pages_manager import PagesManager

first_page_is_up = Event()
TURN = 0.0005  # s


@asynccontextmanager
async def lifespan(app: object) -> AsyncIterator[dict[str, Any]]:
    """Prepare the server.

    Streamlit takes a folder named `pages` for pages that are found by their file names, until a
    first session has called `st.navigation`. Without this line the first reader who follows a link
    to any page but the home page is told that it does not exist.

    plotly and Streamlit import pandas when they first meet an array. Two first readers do so
    in two threads, and the second finds it half imported; so it is imported before.

    The thread that sends a browser Streamlit's own files waits for its turn while a page's script
    runs, for each file anew and by default 5 ms at a time. With shorter turns a first page is
    complete in four fifths of the time.
    """
    sys.setswitchinterval(TURN)
    importlib.import_module("pandas")
    PagesManager.uses_pages_directory = False
    Thread(target=warm_up, daemon=True).start()
    yield {}


def warm_up() -> None:
    """Import torch, some seconds' work, while the first reader looks at a page that needs none.

    What is loaded then stays, and the garbage collector need not look at it again and again: with
    torch in it, each full collection holds up every reader.
    """
    first_page_is_up.wait()
    importlib.import_module("xlexplain.model")
    gc.collect()
    gc.freeze()
