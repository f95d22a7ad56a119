"""Figures: arrays in; plotly figures, HTML or components' plain data out. No Streamlit or torch."""
