"""One cluster of two processes for all tests of the package."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.cluster import Cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    with Cluster("local:2") as cluster:
        yield cluster
