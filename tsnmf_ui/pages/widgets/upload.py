"""A file from the visitor, which the page can forget once it has been used."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from tsnmf_ui.server import state


def upload(
    key: str, title: str, types: str | Sequence[str] | None = None, help: str | None = None
) -> UploadedFile | None:
    """The file that was chosen, if any; ``key`` names the place."""
    return st.file_uploader(title, type=types, key=f"{key}.{uploads_used(key)}", help=help)


def forget_upload(key: str) -> None:
    """Empty the place: a widget of another number knows no file."""
    state.set_value(f"{key}.used", uploads_used(key) + 1)


def uploads_used(key: str) -> int:
    """How many files of this place were forgotten."""
    return int(state.get_value(f"{key}.used", 0))
