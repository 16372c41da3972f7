"""What tests of several packages share: a private PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.postgresql import Cluster, require_programs


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    """One cluster for all tests of a process; started by the first that asks for it."""
    programs = require_programs()
    with TemporaryDirectory(prefix="postgresql-") as folder:  # pytest's own is closed to others
        cluster = Cluster(Path(folder), programs)
        try:
            yield cluster
        finally:
            cluster.stop()
