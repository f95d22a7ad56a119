"""Figures: arrays in; plotly figures, HTML or components' plain data out. No Streamlit or torch.

The functions that draw a whole figure stand here; all take `palette=LIGHT` or `palette=DARK`.
"""

from xlexplain.figures.attention_film import attention_film
from xlexplain.figures.attention_heads import all_heads, distance_curve, memory_bars
from xlexplain.figures.attention_matrices import matrices
from xlexplain.figures.attention_scores import query_bars
from xlexplain.figures.attention_switches import switched_weights, term_costs
from xlexplain.figures.attention_terms import terms_bar
from xlexplain.figures.position_attention import twin_weights
from xlexplain.figures.position_distances import distance_matrix, error_matrix
from xlexplain.figures.position_maps import conflict_maps
from xlexplain.figures.position_vectors import similarity_matrix, vector_strip
from xlexplain.figures.proof_curves import (
    bits_curves,
    chop_curves,
    layer_differences,
    reuse_curves,
)
from xlexplain.figures.proof_guess import accuracy_bars, loss_curves
from xlexplain.figures.recurrence_influence import influence_curves
from xlexplain.figures.recurrence_stack import recurrence_figure
from xlexplain.figures.shift import shift_animation
from xlexplain.figures.theme import DARK, LIGHT, Palette

__all__ = [
    "DARK",
    "LIGHT",
    "Palette",
    "accuracy_bars",
    "all_heads",
    "attention_film",
    "bits_curves",
    "chop_curves",
    "conflict_maps",
    "distance_curve",
    "distance_matrix",
    "error_matrix",
    "influence_curves",
    "layer_differences",
    "loss_curves",
    "matrices",
    "memory_bars",
    "query_bars",
    "recurrence_figure",
    "reuse_curves",
    "shift_animation",
    "similarity_matrix",
    "switched_weights",
    "term_costs",
    "terms_bar",
    "twin_weights",
    "vector_strip",
]
