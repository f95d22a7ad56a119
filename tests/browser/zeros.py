"""Matrices in which every value is zero, or every cell is masked, as the app draws them."""

import numpy as np
import streamlit as st

from xlexplain.figures.attention_matrices import MatrixPanel, matrices
from xlexplain.figures.position_distances import distance_matrix, error_matrix
from xlexplain.figures.position_vectors import similarity_matrix, vector_strip
from xlexplain.maths import position_conflict
from xlexplain.ui import frame
from xlexplain.ui.attention import components

L, M = 4, 4
ZEROS = np.zeros((L, M + L), dtype=np.float32)
NONE, ALL = np.zeros(ZEROS.shape, dtype=bool), np.ones(ZEROS.shape, dtype=bool)

st.set_page_config(layout="wide")
st.title("Zeros", anchor=False)
palette = frame.palette()
components.matrices(
    matrices(
        [
            MatrixPanel("scores", "all zero", ZEROS, NONE),
            MatrixPanel("scores", "all masked", ZEROS, ALL),
            MatrixPanel("weights", "all zero", ZEROS, NONE, scale="sequential"),
            MatrixPanel("weights", "all masked", ZEROS, ALL, scale="sequential"),
            MatrixPanel("distances", "all zero", ZEROS, NONE, columns="distances"),
        ],
        tokens=list("abcdefgh"),
        memory_length=M,
        ages=[1] * M + [0] * L,
        query=0,
        key=0,
        palette=palette,
    ),
    key="matrices",
)
conflict = position_conflict(segment_length=L, memory_depth=0)
square = np.zeros((L, L))
for name, figure in {
    "told": distance_matrix(
        0 * conflict.distance, conflict, palette, query=0, title="0", says="told"
    ),
    "error": error_matrix(conflict, palette, query=0, title="Nothing to correct: 0"),
    "alike": similarity_matrix(square, conflict, palette, title="0 % alike"),
    "vectors": vector_strip(square, conflict, palette, title="Vectors of zeros"),
}.items():
    st.plotly_chart(figure, key=name, alt=name)
