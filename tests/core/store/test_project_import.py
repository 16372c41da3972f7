"""A project's file from a stranger: every value is checked, and a refused one leaves nothing."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.corpus import Corpus
from core.errors import StoreError
from core.evaluation.progress import EvaluatedRun
from core.store import CreateTopic, Label, ProjectSettings, RunOutcome, RunScores, Store
from core.store.files import project_import
from core.store.files.field_types import DAMAGED_PROJECT_FILE
from core.store.runs import comparisons, evaluations
from tests.core.store.desk import POINT, STUDY, SUMMARY
from tests.core.store.test_project_file import CORPUS, TOPICS

FAR_FUTURE = "9999-12-31T23:59:59+00:00"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(home=tmp_path / "home") as opened:
        opened.create_project("Desk", CORPUS, ProjectSettings(n_free=1), author="ann")
        opened.record(1, CreateTopic("Light"), author="ann")
        opened.record(1, Label(0, (1,)), author="ann")
        for _ in range(2):
            opened.add_run(
                1,
                revision=2,
                topics=TOPICS,
                outcome=RunOutcome(scores=RunScores(mean_jaccard=0.5), began_with={1: 1}),
                seconds=0.1,
                settings=ProjectSettings(),
            )
        comparisons.save(opened.home, 1, SUMMARY, STUDY)
        evaluations.save(opened.home, EvaluatedRun.from_dict(POINT), 1, {}, None)
        yield opened


Change = Callable[[Any], Any]


def changed(file: Path, part: str, change: Change) -> io.BytesIO:
    """The file with the first line of a part changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.namelist():
            data = old.read(entry)
            if entry == part:
                first, _, rest = data.partition(b"\n")
                data = json.dumps(change(json.loads(first))).encode() + b"\n" + rest
            new.writestr(entry, data)
    return out


def with_value(path: str, value: Any) -> Change:
    """Set one value, named by a path of keys."""

    def change(line: Any) -> Any:
        *keys, last = path.split("/")
        place = line
        for key in keys:
            place = place[key]
        place[last] = value
        return line

    return change


FORGED: list[tuple[str, str, Any]] = [
    ("run.json", "scores/mean_jaccard", "a text"),
    ("run.json", "scores/mean_jaccard", [1]),
    ("run.json", "scores/n_labelled", 1.5),
    ("run.json", "scores/n_labelled", True),
    ("run.json", "scores/begun", {"1": "many"}),
    ("run.json", "scores/begun", {"one": 1}),
    ("run.json", "scores/change", {"topic": 7}),
    ("run.json", "scores/change", {"gained": "word"}),
    ("run.json", "scores/honoured", [{"event": 1, "kind": "x", "degree": "so", "sentence": "y"}]),
    ("run.json", "scores", []),
    ("run.json", "finished", FAR_FUTURE),
    ("run.json", "finished", "0001-01-01T00:00:00+00:00"),
    ("run.json", "finished", "2024-01-01T00:00:00"),
    ("run.json", "finished", 7),
    ("run.json", "revision", "two"),
    ("run.json", "revision", 3),
    ("run.json", "revision", 10**30),
    ("run.json", "revision", -1),
    ("run.json", "id", 0),
    ("run.json", "id", 2**40),
    ("run.json", "id", True),
    ("run.json", "topic_ids", [2**33]),
    ("run.json", "topic_ids", [2]),
    ("run.json", "seconds", "long"),
    ("run.json", "seconds", -1),
    ("run.json", "seconds", float("nan")),
    ("run.json", "automatic", "yes"),
    ("run.json", "settings", {}),
    ("run.json", "settings", "x"),
    ("run.json", "settings/n_free", "many"),
    ("run.json", "settings/spec/model", "oracle"),
    ("run.json", "settings/spec/n_topics", "ten"),
    ("run.json", "spec/options", {"guidance": {"a": {"b": 1}}}),
    ("run.json", "spec/random_state", 1.5),
    ("run.json", "spec/random_state", -1),
    ("project.json", "settings/spec/options", {"max_iter": 10**9}),
    ("project.json", "settings/spec/options", {"parts": 2_000}),
    ("project.json", "settings/spec/options", {"parts": {"*": 2_000}}),
    ("project.json", "settings/spec/options", {"n_chains": 2_000}),
    ("project.json", "settings/spec/options", {"max_iter": {"*": 5}}),
    ("project.json", "settings/spec/options", {"tol": []}),
    ("project.json", "settings/spec/options", {"max_iter": None}),
    ("project.json", "settings/spec/options", {"n_topics": 5}),
    ("project.json", "settings/spec/options", {"random_state": 5}),
    ("project.json", "format", "1"),
    ("project.json", "name", 7),
    ("project.json", "author", None),
    ("project.json", "settings/text/language", "Klingon"),
    ("project.json", "settings/n_free", -1),
    ("project.json", "settings/n_free", 10**9),
    ("project.json", "settings/truth", "yes"),
    ("project.json", "settings/levels", [1]),
    ("project.json", "settings/columns", {"text": {"a": 1}}),
    ("project.json", "settings/text/ngrams", "one"),
    ("project.json", "settings/text/extra_stop_words", [1]),
    ("project.json", "settings/text/max_share", float("inf")),
    ("project.json", "settings/text/unknown", 1),
    ("project.json", "reading/notes", [7]),
    ("project.json", "reading/dropped", [{"row": "x", "reason": "y"}]),
    ("project.json", "reading/columns", {"text": 3}),
    ("project.json", "side", [7]),
    ("project.json", "side", ["a", "a"]),
    ("documents.jsonl", "text", 7),
    ("documents.jsonl", "text", "\ud800"),
    ("documents.jsonl", "labels", "light"),
    ("documents.jsonl", "side", []),
    ("documents.jsonl", "date", 20240101),
    ("events.jsonl", "time", FAR_FUTURE),
    ("events.jsonl", "time", None),
    ("events.jsonl", "author", 7),
    ("events.jsonl", "id", 2**52),
    ("events.jsonl", "payload", [[[[]]]]),
    ("events.jsonl", "payload/name", "\ud800"),
    ("events.jsonl", "kind", ["create_topic"]),
    ("comparisons.jsonl", "about/made", FAR_FUTURE),
    ("comparisons.jsonl", "about/title", 7),
    ("comparisons.jsonl", "about/seconds", "x"),
    ("comparisons.jsonl", "about/kind", "other"),
    ("comparisons.jsonl", "found/rates", ["x"]),
    ("comparisons.jsonl", "found/points", [{}]),
    ("scores.jsonl", "point/finished", "yesterday"),
    ("scores.jsonl", "point/scores", {"right_first": ["x", None, None, ""]}),
    ("scores.jsonl", "judged", {"positions": [2**60], "right": [1]}),
]


def files_of(home: Path) -> set[str]:
    """What lies beside the database."""
    return {
        path.relative_to(home).as_posix()
        for path in home.rglob("*")
        if path.is_file() and not path.name.startswith("studio.db")
    }


@pytest.mark.parametrize(
    ("part", "path", "value"), FORGED, ids=[f"{p}:{path}={v!r:.20}" for p, path, v in FORGED]
)
def test_every_value_of_a_file_is_checked(
    store: Store, tmp_path: Path, part: str, path: str, value: Any
) -> None:
    exported = store.export_project(1, tmp_path / "desk.zip")
    before = files_of(store.home)
    with pytest.raises(StoreError) as caught:
        store.import_project(changed(exported, part, with_value(path, value)))
    assert str(caught.value).endswith(".")
    assert [project.id for project in store.projects()] == [1]
    assert files_of(store.home) == before


def test_an_honest_file_comes_in_whole(store: Store, tmp_path: Path) -> None:
    project = store.import_project(store.export_project(1, tmp_path / "desk.zip"))
    assert project.last_run is not None
    assert project.last_run.scores.mean_jaccard == 0.5
    run = store.current_run(project.id)
    assert run is not None
    assert run.outcome.began_with == {1: 1}
    assert [each.title for each in comparisons.summaries(store.home, project.id)] == ["Rates"]
    assert [each.run for each in evaluations.history(store.home, project.id)] == [1]


def test_the_number_of_a_refused_project_is_not_given_again(store: Store, tmp_path: Path) -> None:
    exported = store.export_project(1, tmp_path / "desk.zip")
    refused = changed(exported, "scores.jsonl", with_value("point/basis", "dreams"))
    with pytest.raises(StoreError, match=DAMAGED_PROJECT_FILE):
        store.import_project(refused)
    after = store.create_project("Next", Corpus(ids=("z",), texts=("z",)), author="cy")
    assert after.id > 2
    assert not list(store.home.glob(f"*/{after.id}/*"))
    assert not list(store.home.glob("*/2/*"))


def test_nothing_lies_on_disk_before_the_log_is_checked(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported = store.export_project(1, tmp_path / "desk.zip")
    before, seen = files_of(store.home), []
    add_log = project_import._add_log

    def watched(*given: Any) -> Any:
        seen.append(files_of(store.home))
        added = add_log(*given)
        seen.append(files_of(store.home))
        return added

    monkeypatch.setattr(project_import, "_add_log", watched)
    store.import_project(exported)
    assert seen == [before, before]


def test_a_disk_that_fails_half_way_leaves_nothing(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported = store.export_project(1, tmp_path / "desk.zip")
    before = files_of(store.home)

    def full(*given: Any, **more: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("core.topics.Topics.save", full)
    with pytest.raises(StoreError, match="The disk is full: nothing was saved"):
        store.import_project(exported)
    assert [project.id for project in store.projects()] == [1]
    assert files_of(store.home) == before


def test_a_copy_that_fails_leaves_its_number_alone(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: Any) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr("core.store.projects.copies.evaluations.copy", broken)
        with pytest.raises(OSError, match="Input"):
            store.duplicate_project(1)
    assert [project.id for project in store.projects()] == [1]
    assert store.duplicate_project(1).id == 3


# Bombs


def bundle(**parts: bytes) -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in parts.items():
            new.writestr(name.replace("__", "."), data)
    return out


def test_a_file_that_unpacks_to_gigabytes_is_refused(store: Store, tmp_path: Path) -> None:
    """Lists of empty lists are small as text, and twenty times larger as values."""
    labels = b"[" + b"[]," * 4_000_000 + b"[]]"
    line = b'{"id": "", "text": "", "labels": ' + labels + b', "date": null, "side": [""]}\n'
    with zipfile.ZipFile(store.export_project(1, tmp_path / "desk.zip")) as old:
        about = old.read("project.json")
    bomb = bundle(project__json=about, documents__jsonl=line * 4, events__jsonl=b"")
    assert bomb.getbuffer().nbytes < 200_000
    with pytest.raises(StoreError, match="unpacks to more"):
        store.import_project(bomb)


@pytest.mark.parametrize("deep", [b"[" * 987 + b"]" * 987, b"[" * 20_000, b'{"a":' * 5_000])
def test_nesting_has_an_end(store: Store, tmp_path: Path, deep: bytes) -> None:
    with zipfile.ZipFile(store.export_project(1, tmp_path / "desk.zip")) as old:
        parts = {name.replace(".", "__"): old.read(name) for name in old.namelist()}
    for part in ("project__json", "documents__jsonl", "events__jsonl", "run__json"):
        with pytest.raises(StoreError):
            store.import_project(bundle(**{**parts, part: deep}))


def doctored_factors(file: Path, **changes: Any) -> io.BytesIO:
    """The file with some of its arrays, or entries of their description, replaced."""
    with zipfile.ZipFile(file) as old:
        parts = {name.replace(".", "__"): old.read(name) for name in old.namelist()}
    with np.load(io.BytesIO(parts["factors__npz"])) as loaded:
        arrays = dict(loaded)
    about = json.loads(arrays["about"].tobytes())
    for name, value in changes.items():
        if isinstance(value, np.ndarray):
            arrays[name] = value
        else:
            about[name] = value
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return bundle(**{**parts, "factors__npz": out.getvalue()})


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    "changes",
    [
        {"doc_topic_indices": np.array([10**6, 10**6], np.int32)},  # written outside of the array
        {"doc_topic_indices": np.array([-5, 0], np.int32)},
        {"doc_topic_indptr": np.array([0, 9, 9, 2], np.int32)},
        {"doc_topic_data": np.array([np.nan, 1.0])},
        {"doc_topic_data": np.array([-1.0, 1.0])},
        {"doc_topic_data": np.array([1, 1])},  # pages would divide whole numbers in place
        {"doc_topic_data": np.array([1e300, 1e300])},  # and add them to infinity
        {"topic_term": np.eye(2, dtype=np.int64)},
        {"topic_term": np.eye(3)},
        {"topic_term": np.array([["a", "b"], ["c", "d"]])},
        {"names": ["Light", "Free"] * 10_000_000, "keys": []},  # documents × topics without end
        {"names": [1, 2]},
        {"keys": [[], {}]},
        {"n_supervised": 7},
        {"n_supervised": "1"},
        {"sizes": [10**9, 1]},
        {"sizes": [0, 2]},
        {"doc_ids": ["a"]},
        {"format": 99},
        {"spec": {"model": "oracle"}},
        {"trace": {}},
        {"learned": {"labels": ["x"], "nodes": [["y"]], "parents": []}},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_factors_are_checked(store: Store, tmp_path: Path, changes: dict[str, Any]) -> None:
    exported = store.export_project(1, tmp_path / "desk.zip")
    with pytest.raises(StoreError):
        store.import_project(doctored_factors(exported, **changes))
    assert [project.id for project in store.projects()] == [1]


@pytest.mark.sqlite_only
def test_memory_does_not_grow_with_the_documents(store: Store, tmp_path: Path) -> None:
    """Short texts with empty labels take sixteen times their size as values."""
    with zipfile.ZipFile(store.export_project(1, tmp_path / "desk.zip")) as old:
        about = old.read("project.json")
    line = '{"id": "%d", "text": "a", "labels": ["b", "c"], "date": null, "side": ["x"]}\n'
    lines = "".join(line % number for number in range(20_000)).encode()
    file = bundle(project__json=about, documents__jsonl=lines, events__jsonl=b"")
    tracemalloc.start()
    try:
        project = store.import_project(file)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert project.n_docs == 20_000
    assert peak < 5 * len(lines)
