"""The Streamlit script: dress the page, then hand over to the navigation."""

from tsnmf_ui.pages import navigation
from tsnmf_ui.theme import style

if __name__ == "__main__":  # a spawned worker may read this file under another name
    style.configure_page()
    navigation.show()
