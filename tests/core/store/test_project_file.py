"""A project copied, exported and imported is the same project; a doctored file is refused."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from core.corpus import Corpus
from core.errors import NotFound, StoreError
from core.store import (
    CreateTopic,
    DeleteTopic,
    Label,
    ProjectSettings,
    RunOutcome,
    RunScores,
    Skip,
    Store,
    replay,
)
from core.text import DocumentVectors
from tests.core.store.desk import topics_of_three

CORPUS = Corpus(
    ids=("a", "b", "c"),
    texts=("the lamp\nis out", "ünïcode", "bins"),
    labels=(("light",), (), ()),
    dates=(date(2024, 1, 1), None, None),
    side={"area": ("N", "S", "")},
)
TOPICS = topics_of_three(CORPUS.ids)


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
            topics=TOPICS,
            outcome=RunOutcome(scores=RunScores(mean_jaccard=0.5)),
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
    assert run.outcome == RunOutcome(scores=RunScores(mean_jaccard=0.5))
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


def test_copies_are_distinct_label(store: Store) -> None:
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


def test_a_project_imported_beside_itself_gets_the_name_of_a_copy(
    store: Store, tmp_path: Path
) -> None:
    name = store.project(1).name
    file = store.export_project(1, tmp_path / "desk.zip")
    assert store.import_project(file).name == f"{name} (copy)"
    assert store.import_project(file).name == f"{name} (copy 2)"
    assert store.project(1).name == name


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
    ("documents.jsonl", lambda _: b"", "at least one text"),
    ("documents.jsonl", swap('"2024-01-01"', '"yesterday"'), "not a project"),
    ("events.jsonl", swap('"permitted": [1]', '"permitted": [7]'), "no topic 7"),
    ("events.jsonl", swap('"position": 0', '"position": 30'), "no text"),
    ("events.jsonl", swap('"undoes": 5', '"undoes": 4'), "contradicts itself"),
    ("events.jsonl", swap('"kind": "skip"', '"kind": "hop"'), "not a project"),
    ("events.jsonl", swap("+00:00", ""), "not a project"),
    ("run.json", swap('"topic_ids": [1]', '"topic_ids": [1, 2, 3]'), "other texts"),
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


OWN = DocumentVectors.of(np.array([[1.0, 2.0], [0.0, 0.0], [3.0, -1.0]]), "vectors.npy")


def test_own_vectors_go_along_wherever_a_project_goes(store: Store, tmp_path: Path) -> None:
    assert store.own_vectors(1) is None
    assert store.save_own_vectors(1, OWN).settings.meaning == "own"
    copy = store.duplicate_project(1)
    assert store.own_vectors(copy.id) == OWN
    store.save_own_vectors(1, DocumentVectors.of(np.eye(3), "others.npy"))
    assert store.own_vectors(copy.id) == OWN
    file = store.export_project(copy.id, tmp_path / "desk.studio.zip")
    with Store.open(home=tmp_path / "elsewhere") as other:
        project = other.import_project(file)
        assert project.settings.meaning == "own"
        assert other.own_vectors(project.id) == OWN


def test_own_vectors_replace_those_before_and_survive_being_switched_off(store: Store) -> None:
    store.save_own_vectors(1, OWN)
    project = store.save_own_vectors(1, DocumentVectors.of(np.eye(3), "others.npy"))
    store.update_settings(1, replace(project.settings, meaning="off"))
    assert store.own_vectors(1) == DocumentVectors.of(np.eye(3), "others.npy")
    assert len(list((store.home / "vectors" / "1").iterdir())) == 1


def test_own_vectors_are_one_for_each_text(store: Store) -> None:
    with pytest.raises(StoreError, match="2 vectors for 3 texts"):
        store.save_own_vectors(1, DocumentVectors.of(np.eye(2), "vectors.npy"))
    assert store.project(1).settings.meaning == "auto"


def test_a_file_cannot_name_a_model_folder_of_this_machine(store: Store, tmp_path: Path) -> None:
    project = store.project(1)
    for meaning in ("/srv/models/any", "own"):
        store.update_settings(1, replace(project.settings, meaning=meaning))
        file = store.export_project(1, tmp_path / "desk.zip")
        assert store.import_project(file).settings.meaning == "auto"


def test_settings_of_earlier_versions_read_as_auto() -> None:
    values = ProjectSettings().to_dict()
    del values["meaning"]
    assert ProjectSettings.from_dict(values).meaning == "auto"


def npz(**arrays: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


ABOUT = np.frombuffer(b'{"source": "x"}', np.uint8)
WRONG_VECTORS = {
    "too few": (npz(values=np.eye(2, dtype="f4"), about=ABOUT), "other texts"),
    "long": (npz(values=np.eye(3, dtype="f4") * 2, about=ABOUT), "other texts"),
    "no number": (npz(values=np.full((3, 1), np.nan, "f4"), about=ABOUT), "other texts"),
    "no table": (npz(values=np.ones(3, "f4"), about=ABOUT), "a row for each text"),
    "no source": (npz(values=np.eye(3, dtype="f4")), "not a project"),
    "no array": (b"PK", "not a project"),
    "words": (npz(values=np.array([["a"]] * 3), about=ABOUT), "not a project"),
}


@pytest.mark.parametrize("wrong", WRONG_VECTORS)
def test_doctored_vectors_change_nothing(store: Store, tmp_path: Path, wrong: str) -> None:
    data, sentence = WRONG_VECTORS[wrong]
    store.save_own_vectors(1, OWN)
    file = doctored(store.export_project(1, tmp_path / "desk.zip"), "vectors.npz", lambda _: data)
    with pytest.raises(StoreError, match=sentence):
        store.import_project(file)
    assert len(store.projects()) == 1
    assert len(list((store.home / "vectors").rglob("*.npz"))) == 1


def test_a_new_project_never_finds_the_vectors_of_a_failed_one(store: Store) -> None:
    store.save_own_vectors(1, OWN)
    (store.home / "vectors" / "1").rename(store.home / "vectors" / "2")
    assert store.create_project("New", CORPUS, author="ann").id == 2
    assert store.own_vectors(2) is None


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
