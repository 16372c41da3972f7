"""Projects come in piece by piece, whole or not at all."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from core.corpus import Corpus
from core.errors import NotFound, StoreError
from core.store import Store
from core.store.projects import new_project
from core.store.tables import documents, projects

N = 25


def corpus(*texts: str) -> Corpus:
    every = (*(f"text {i}" for i in range(N)), *texts)
    return Corpus(ids=tuple(map(str, range(len(every)))), texts=every)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(new_project, "DOCUMENTS_PER_TRANSACTION", 10)
    with Store.open(home=tmp_path) as opened:
        yield opened


def left(store: Store) -> tuple[int, int]:
    with store._database.read() as connection:
        tables = (projects, documents)
        return tuple(connection.scalar(select(func.count()).select_from(t)) for t in tables)


def test_all_pieces_arrive_in_order(store):
    project = store.create_project("Desk", corpus(), author="ann")
    assert project.n_docs == N
    assert store.corpus(project.id).texts == corpus().texts
    assert store.search(project.id, "text").total == N


def test_a_project_is_unseen_until_it_is_whole(store, monkeypatch):
    seen = []
    rows = new_project.project_rows.document_rows

    def look(number, *more):
        seen.append(len(store.projects()))
        with pytest.raises(NotFound):
            store.project(number)
        return rows(number, *more)

    monkeypatch.setattr(new_project.project_rows, "document_rows", look)
    store.create_project("Desk", corpus(), author="ann")
    assert seen == [0, 0, 0]
    assert len(store.projects()) == 1


def test_what_fails_leaves_nothing(store):
    with pytest.raises(StoreError, match="texts 21 to 26"):
        store.create_project("Desk", corpus("broken \ud800"), author="ann")
    assert left(store) == (0, 0)


def test_what_a_crash_left_is_cleared_away_a_day_later(store):
    store.create_project("Desk", corpus(), author="ann")
    long_ago = datetime.now(UTC) - timedelta(days=2)
    with store._database.write() as connection:
        connection.execute(update(projects).values(n_docs=0, created=long_ago))
    store.create_project("Next", corpus(), author="ann")
    assert left(store) == (1, N)
