"""The Streamlit script: dress the page, then hand over to the navigation."""

from tsnmf_ui import navigation, theme

if __name__ == "__main__":  # a spawned worker may read this file under another name
    theme.dress()
    navigation.show()
