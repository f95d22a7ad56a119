"""What the server does once, before the first reader comes."""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from streamlit.runtime.pages_manager import PagesManager


@asynccontextmanager
async def lifespan(app: object) -> AsyncIterator[dict[str, Any]]:
    """Prepare the server.

    Streamlit takes a folder named `pages` for pages that are found by their file names, until a
    first session has called `st.navigation`. Without this line the first reader who follows a link
    to any page but the home page is told that it does not exist.

    plotly and Streamlit import pandas when they first meet an array. Two first readers do so
    in two threads, and the second finds it half imported; so it is imported before.
    """
    importlib.import_module("pandas")
    PagesManager.uses_pages_directory = False
    yield {}
