"""The server around the Streamlit script: life cycle, routes, login, state of a visitor."""

__all__ = ["files", "garbage", "lifecycle", "login", "state", "tokens"]
