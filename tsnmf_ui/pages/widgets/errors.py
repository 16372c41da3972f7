"""Errors as one sentence on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from core.errors import StudioError
from tsnmf_ui.theme import texts

Result = TypeVar("Result")


def try_or_show_error(step: Callable[..., Result], *args: object) -> Result | None:
    """Do a step, or show what is wrong as one sentence; nothing has been changed by then."""
    try:
        return step(*args)
    except StudioError as error:
        st.error(texts.escape_markdown(str(error)), icon=":material/error:")
        return None
