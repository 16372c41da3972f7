"""Plotly figures: they take Topics and tables and return go.Figure; they know no Streamlit."""
