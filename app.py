"""Starts the app: ``python app.py`` or ``streamlit run app.py``."""

import streamlit as st

from tsnmf_ui import server

app = st.App(server.SCRIPT, **server.parts())

if __name__ == "__main__":
    server.run(app)
