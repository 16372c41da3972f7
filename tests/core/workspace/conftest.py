"""Matrices in memory are keyed by corpus; every test begins without them."""

from __future__ import annotations

import pytest

from core.workspace.caches.matrices import forget_matrices


@pytest.fixture(autouse=True)
def _no_matrices_in_memory():
    forget_matrices()
