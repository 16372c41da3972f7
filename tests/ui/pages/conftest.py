"""Every test of a page has a store of its own, which is the one that the page opens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.store import Store
from tsnmf_ui.server import state


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    with Store.open(home=tmp_path) as opened:
        monkeypatch.setattr(state, "store", lambda: opened)
        yield opened
