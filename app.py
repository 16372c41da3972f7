"""Starts the app: ``python app.py`` or ``streamlit run app.py``."""

import streamlit as st

from tsnmf_ui.server import lifecycle

app = st.App(lifecycle.STUDIO_SCRIPT, **lifecycle.app_options())

if __name__ == "__main__":
    lifecycle.run(app)
