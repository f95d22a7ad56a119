"""A multi-page app with nothing on it: what Streamlit itself does, to measure ours against."""

import streamlit as st


def empty() -> None:
    """A page with a heading, since every page of ours has one."""
    st.title("Nothing", anchor=False)


st.set_page_config(page_title="Nothing", layout="wide")
st.navigation(
    [
        st.Page(empty, title="Nothing", url_path="nothing", default=True),
        st.Page(empty, title="Nothing more", url_path="more"),
    ],
    position="top",
).run()
