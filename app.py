"""The app: its pages, in reading order.

`streamlit run app.py` imports this file once, to start the server, and then runs it as the main
script of every reader's session.
"""

import streamlit as st
from starlette.middleware import Middleware

from xlexplain.ui import address, figure, server
from xlexplain.ui.half_characters import HalfCharacters
from xlexplain.ui.site import PAGES

if __name__ == "__main__":
    st.set_page_config(page_title="xlexplain", layout="wide")
    page = st.navigation(
        [
            st.Page(
                page.script,
                title=page.title,
                url_path=page.address,
                default=page.name == "home",
            )
            for page in PAGES
        ],
        position="hidden" if st.context.is_embedded else "top",
    )
    with address.kept_for(page.url_path):
        page.run()
    server.first_page_is_up.set()
else:
    app = st.App(
        "app.py",
        lifespan=server.lifespan,
        routes=figure.routes(),
        middleware=[Middleware(HalfCharacters)],
    )
