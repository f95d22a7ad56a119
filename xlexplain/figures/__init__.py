"""Figures: arrays in, `plotly.graph_objects.Figure` or HTML out. No Streamlit, no torch."""
