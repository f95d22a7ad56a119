"""What the app is measured against: one slider, one heatmap of 64 × 64, default configuration."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

seed = st.slider("Seed", 0, 1000, 0)
st.plotly_chart(go.Figure(go.Heatmap(z=np.random.default_rng(seed).random((64, 64)))), key="map")
