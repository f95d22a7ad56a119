"""Matrices in which every value is zero, as the app draws them."""

from pathlib import Path

import numpy as np
import streamlit as st

from xlexplain.figures.attention_matrices import MatrixPanel, matrices
from xlexplain.figures.position_distances import distance_matrix, error_matrix
from xlexplain.figures.position_vectors import similarity_matrix, vector_strip
from xlexplain.maths import position_conflict
from xlexplain.ui import figure, frame

L, M = 4, 4
ZEROS = np.zeros((L, M + L), dtype=np.float32)
MASKED = np.triu(np.ones(ZEROS.shape, dtype=bool), M + 1)


def draw() -> None:
    """All of them, one below the other."""
    st.set_page_config(layout="wide")
    frame.set_up("home")
    st.title("Zeros", anchor=False)
    palette = frame.palette()
    panels = [
        MatrixPanel("scores", "all zero", ZEROS, MASKED),
        MatrixPanel("weights", "all zero", ZEROS, MASKED, scale="sequential"),
        MatrixPanel("distances", "all zero", ZEROS, MASKED[:, ::-1], are_distances=True),
    ]
    conflict = position_conflict(segment_length=L, memory_depth=0)
    none, square = 0 * conflict.distance, np.zeros((L, L))
    figures = {
        "matrices": matrices(panels, tokens=list("abcdefgh"), query=0, key=0, palette=palette),
        "told": distance_matrix(none, conflict, query=0, title="0", says="told", palette=palette),
        "error": error_matrix(conflict, query=0, title="Nothing to correct: 0", palette=palette),
        "alike": similarity_matrix(square, conflict, title="0 % alike", palette=palette),
        "vectors": vector_strip(square, conflict, title="Vectors of zeros", palette=palette),
    }
    for name, one in figures.items():
        figure.show(one, key=name, alt=f"{name}: every number is 0")


if __name__ == "__main__":
    draw()
else:
    app = st.App(str(Path(__file__)), routes=figure.routes())
