"""Every test has a store of its own; matrices in memory are keyed by corpus, so none is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.store import Store
from core.workspace.caches.matrices import forget_matrices


@pytest.fixture(autouse=True)
def _no_matrices_in_memory():
    forget_matrices()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(home=tmp_path) as opened:
        yield opened
