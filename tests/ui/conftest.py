"""Every test of the app begins with empty caches: each has a store, and a project 1, of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
import streamlit as st

from tsnmf_ui import answers, worker


@pytest.fixture(autouse=True)
def _empty_caches() -> None:
    st.cache_resource.clear()
    worker._matrices.clear()
    answers._kept.clear()


@pytest.fixture(autouse=True)
def _main_module_as_before() -> Iterator[None]:
    """A page under test becomes the main module; processes started later would run it again."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before
