"""Matrices in which every value is zero, as the app draws them."""

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

st.set_page_config(layout="wide")
st.title("Zeros", anchor=False)
palette = frame.palette()
figure.show(
    matrices(
        [
            MatrixPanel("scores", "all zero", ZEROS, MASKED),
            MatrixPanel("weights", "all zero", ZEROS, MASKED, scale="sequential"),
            MatrixPanel("distances", "all zero", ZEROS, MASKED[:, ::-1], are_distances=True),
        ],
        tokens=list("abcdefgh"),
        query=0,
        key=0,
        palette=palette,
    ),
    key="matrices",
    alt="three matrices of zeros",
)
conflict = position_conflict(segment_length=L, memory_depth=0)
square = np.zeros((L, L))
for name, chart in {
    "told": distance_matrix(
        0 * conflict.distance, conflict, palette, query=0, title="0", says="told"
    ),
    "error": error_matrix(conflict, palette, query=0, title="Nothing to correct: 0"),
    "alike": similarity_matrix(square, conflict, palette, title="0 % alike"),
    "vectors": vector_strip(square, conflict, palette, title="Vectors of zeros"),
}.items():
    st.plotly_chart(chart, key=name, alt=name)
