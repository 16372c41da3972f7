"""Every test of the app begins with empty caches: each has a store, and a project 1, of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
import streamlit as st

from core.workspace.caches.corpora import forget_corpora
from core.workspace.caches.matrices import forget_matrices
from tests.ui.jobs.fakes import RecordedJobs
from tsnmf_ui import jobs
from tsnmf_ui.server import state


@pytest.fixture(autouse=True)
def _empty_caches() -> None:
    st.cache_resource.clear()
    state.server_store.cache_clear()
    forget_corpora()
    forget_matrices()


@pytest.fixture(autouse=True)
def _main_module_as_before() -> Iterator[None]:
    """A page under test becomes the main module; processes started later would run it again."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before


@pytest.fixture
def recorded_jobs() -> Iterator[RecordedJobs]:
    """What pages ask for, in place of the job runner."""
    with jobs.serving(RecordedJobs()) as recorded:  # type: ignore[arg-type]
        yield recorded  # type: ignore[misc]
