"""Several servers on one database and one folder: what one fits, the other shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from numpy.testing import assert_array_equal

from core.errors import NotFound, StoreError
from core.store import Store
from core.store.database import home_path
from core.workspace import Workspace
from tests.core.workspace import small
from tests.postgresql import Cluster


@pytest.fixture
def address(postgresql: Cluster) -> Iterator[str]:
    schema = postgresql.take_schema()
    yield postgresql.address_of(schema)
    postgresql.give_back([schema])


def server(address: str, home: Path) -> Workspace:
    return Workspace(Store.open(address, home=home), author="ann")


@pytest.mark.sqlite_only  # it names its database
def test_what_one_server_fits_the_other_shows_from_the_folder(address: str, tmp_path: Path):
    with server(address, tmp_path) as here, server(address, tmp_path) as there:
        project = small.fitted(here.store).id
        first = there.topics(project)
        assert_array_equal(first.doc_topic, here.topics(project).doc_topic)
        assert there.matrix(project).fingerprint == here.matrix(project).fingerprint
        there.label(project, 20, ["Parks"])
        run = there.refit(project)
        assert here.store.current_run(project).id == run.id
        assert_array_equal(here.topics(project).doc_topic, there.topics(project).doc_topic)
        assert here.report(project).topics


@pytest.mark.sqlite_only
def test_a_server_with_a_folder_of_its_own_says_so(address: str, tmp_path: Path):
    with server(address, tmp_path / "a") as here, server(address, tmp_path / "b") as there:
        project = small.fitted(here.store).id
        with pytest.raises(NotFound, match="all servers of a database must see one folder"):
            there.topics(project)


@pytest.mark.parametrize("address", ["s3://bucket/studio", "gs:/bucket", Path("s3://bucket")])
def test_an_address_is_no_folder(address: str | Path):
    with pytest.raises(StoreError, match="is an address"):
        home_path(address)
