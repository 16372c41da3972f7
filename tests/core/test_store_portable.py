"""A project copied, exported and imported is the same project; a doctored file is refused."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from core.corpus import Corpus
from core.errors import NotFound, StoreError
from core.fitting import ModelSpec
from core.store import CreateTopic, DeleteTopic, Label, ProjectSettings, Skip, Store, replay
from core.topics import Topics

CORPUS = Corpus(
    ids=("a", "b", "c"),
    texts=("the lamp\nis out", "ünïcode", "bins"),
    labels=(("light",), (), ()),
    dates=(date(2024, 1, 1), None, None),
    side={"area": ("N", "S", "")},
)
TOPICS = Topics(
    doc_topic=np.eye(3, 2),
    topic_term=np.eye(2),
    terms=("x", "y"),
    doc_ids=CORPUS.ids,
    names=("Light", "Free 1"),
    n_supervised=1,
    spec=ModelSpec(n_topics=2),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(home=tmp_path / "home") as opened:
        opened.create_project("Desk", CORPUS, ProjectSettings(n_free=1), author="ann")
        for act in (CreateTopic("Light"), CreateTopic("Bins"), Label(0, (1,), (2,), note="why")):
            opened.record(1, act, author="ann")
        opened.record(1, Skip(2), author="ben")
        opened.record(1, DeleteTopic(2), author="ben")
        opened.undo(1, author="ben")
        opened.note_run(1, "Topic-supervised NMF", author="ben")
        opened.add_run(
            1,
            revision=6,
            spec=TOPICS.spec,
            topic_ids=[1],
            topics=TOPICS,
            scores={"mean_jaccard": 0.5},
            seconds=0.1,
            settings=ProjectSettings(),
        )
        yield opened


def assert_same(store: Store, other: Store, number: int) -> None:
    """The same to every question one can ask."""
    assert other.corpus(number) == store.corpus(1)
    assert other.topics(number) == store.topics(1)
    assert other.annotations(number) == store.annotations(1)
    assert other.skipped(number) == store.skipped(1) == {2}
    assert other.project(number).settings == store.project(1).settings
    assert other.project(number).n_labelled == store.project(1).n_labelled
    assert replay(other.events(number)) == replay(store.events(1))
    run = other.current_run(number)
    assert run is not None
    assert run.scores == {"mean_jaccard": 0.5}
    assert np.array_equal(other.run_topics(run).doc_topic, TOPICS.doc_topic)
    assert other.search(number, "lamp").positions == (0,)


def test_a_copy_is_the_same_and_apart(store: Store) -> None:
    copy = store.duplicate_project(1)
    assert copy.name == "Desk (copy)"
    assert_same(store, store, copy.id)
    store.record(copy.id, Label(1, (1,)), author="ann")
    assert set(store.annotations(1)) == {0}
    store.redo(1, author="ben")
    assert len(store.topics(copy.id)) == 2


def test_copies_are_told_apart(store: Store) -> None:
    names = [store.duplicate_project(number).name for number in (1, 2, 1)]
    assert names == ["Desk (copy)", "Desk (copy 2)", "Desk (copy 3)"]


def test_a_project_travels_as_one_file(store: Store, tmp_path: Path) -> None:
    file = store.export_project(1, tmp_path / "desk.studio.zip")
    with Store.open(home=tmp_path / "elsewhere") as other:
        other.create_project("Other", Corpus(ids=("z",), texts=("z",)), author="cy")
        project = other.import_project(file)
        assert project.name == "Desk"
        assert_same(store, other, project.id)
        redone = other.redo(project.id, author="ben")
        assert redone is not None
        assert redone.undoes == 5
    assert [path.name for path in tmp_path.glob("*.partial")] == []


def test_a_project_without_a_run_travels_too(tmp_path: Path) -> None:
    with Store.open(home=tmp_path) as store:
        store.create_project("Desk", CORPUS, author="ann")
        copy = store.import_project(
            io.BytesIO(store.export_project(1, tmp_path / "f").read_bytes())
        )
        assert store.current_run(copy.id) is None
        assert store.duplicate_project(copy.id, "Third").name == "Third"


def doctored(file: Path, name: str, change: Callable[[bytes], bytes | None]) -> io.BytesIO:
    """The exported file with one part changed or left out."""
    out = io.BytesIO()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in {*old.namelist(), name}:
            data = old.read(entry) if entry in old.namelist() else b""
            kept = change(data) if entry == name else data
            if kept is not None:
                new.writestr(entry, kept)
    return out


def swap(old: str, new: str) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        assert old.encode() in data
        return data.replace(old.encode(), new.encode())

    return change


FORGERIES: list[tuple[str, Callable[[bytes], bytes | None], str]] = [
    ("project.json", lambda _: None, "not a project"),
    ("project.json", lambda _: b"{", "not a project"),
    ("project.json", lambda _: b"[]", "not a project"),
    ("project.json", swap('"format": 1', '"format": 2'), "newer version"),
    ("project.json", swap('"Desk"', '""'), "needs a name"),
    ("documents.jsonl", lambda _: None, "not a project"),
    ("documents.jsonl", lambda _: b"", "at least one document"),
    ("documents.jsonl", swap('"2024-01-01"', '"yesterday"'), "not a project"),
    ("events.jsonl", swap('"permitted": [1]', '"permitted": [7]'), "no topic 7"),
    ("events.jsonl", swap('"position": 0', '"position": 30'), "no document"),
    ("events.jsonl", swap('"undoes": 5', '"undoes": 4'), "contradicts itself"),
    ("events.jsonl", swap('"kind": "skip"', '"kind": "hop"'), "not a project"),
    ("events.jsonl", swap("+00:00", ""), "not a project"),
    ("run.json", swap('"topic_ids": [1]', '"topic_ids": [1, 2, 3]'), "other documents"),
    ("factors.npz", lambda _: b"PK", "not a project"),
    ("factors.npz", lambda _: None, "not a project"),
    ("../evil.txt", lambda _: b"x", "not a project"),
    ("documents.jsonl", lambda _: b" " * (60 * 2**20), "more than a project"),
]


@pytest.mark.parametrize(
    ("name", "change", "sentence"), FORGERIES, ids=[f"{i}-{f[0]}" for i, f in enumerate(FORGERIES)]
)
def test_a_doctored_file_changes_nothing(
    store: Store,
    tmp_path: Path,
    name: str,
    change: Callable[[bytes], bytes | None],
    sentence: str,
) -> None:
    file = doctored(store.export_project(1, tmp_path / "desk.zip"), name, change)
    with pytest.raises(StoreError, match=sentence):
        store.import_project(file)
    assert len(store.projects()) == 1
    assert [path.name for path in (store.home / "factors").rglob("*.npz")] == ["1.npz"]


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 broken"])
def test_other_files_are_refused(store: Store, content: bytes) -> None:
    with pytest.raises(StoreError, match="not a project"):
        store.import_project(io.BytesIO(content))


def test_there_is_no_pickle_inside(store: Store, tmp_path: Path) -> None:
    with zipfile.ZipFile(store.export_project(1, tmp_path / "desk.zip")) as bundle:
        arrays = np.load(io.BytesIO(bundle.read("factors.npz")), allow_pickle=False)
        assert {arrays[name].dtype.kind for name in arrays.files} <= set("fiu")
        assert json.loads(bundle.read("project.json"))["name"] == "Desk"


def test_what_is_not_there_cannot_leave(store: Store, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        store.export_project(9, tmp_path / "x")
    with pytest.raises(NotFound):
        store.duplicate_project(9)
    with pytest.raises(StoreError, match="cannot be written"):
        store.export_project(1, tmp_path / "missing" / "x")
