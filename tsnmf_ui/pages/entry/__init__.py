"""The script Streamlit runs, in a folder of its own: beside ``pages`` it would list them twice."""

__all__ = []
