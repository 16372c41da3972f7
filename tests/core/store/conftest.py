"""The store that most tests of the log begin with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.store import CreateTopic, Store
from tests.core.store.desk import CORPUS


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """One project with three topics and no label."""
    with Store.open(home=tmp_path) as opened:
        opened.create_project("Desk", CORPUS, author="ann")
        for name in ("Waste", "Roads", "Lights"):
            opened.record(1, CreateTopic(name), author="setup")
        yield opened
