"""Every test of the app begins with empty caches: each has a store, and a project 1, of its own."""

from __future__ import annotations

import pytest
import streamlit as st

from tsnmf_ui import answers, worker


@pytest.fixture(autouse=True)
def _empty_caches() -> None:
    st.cache_resource.clear()
    worker._matrices.clear()
    answers._kept.clear()
