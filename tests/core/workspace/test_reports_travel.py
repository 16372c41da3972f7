"""Reports of projects that moved: what was said before, what is hidden, and repeating the run."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core import report
from core.errors import ReportError
from core.store import (
    AddStopWord,
    CreateTopic,
    EditCodebook,
    EditReport,
    Label,
    LockTopic,
    ProjectSettings,
    RenameTopic,
    Store,
)
from core.store.maintenance.backup import back_up
from core.store.maintenance.restore import restore
from core.text import TextSettings
from core.workspace import Workspace
from core.workspace.refits.refit import refit
from tests.core.report.test_formats import text_of
from tests.core.workspace import small
from tests.wordllama import require_wordllama

SECRET = "Noise"


@pytest.fixture
def workspace(tmp_path):
    with Workspace.open(home=tmp_path / "home", author="ann") as opened:
        yield opened


def moved(workspace: Workspace, way: str, folder) -> tuple[Workspace, int]:
    """The first project elsewhere: by its file, by a backup, or as a copy."""
    if way == "copy":
        return workspace, workspace.store.duplicate_project(1).id
    home = folder / "other"
    if way == "backup":
        back_up(folder / "all.zip", workspace.store.home)
        restore(folder / "all.zip", home)
    else:
        workspace.store.export_project(1, folder / "desk.zip")
    other = Workspace.open(home=home, author="ann")
    return other, 1 if way == "backup" else other.store.import_project(folder / "desk.zip").id


def test_the_run_of_an_imported_project_is_repeated(workspace, tmp_path):
    """The vectors that the run read are not there yet."""
    require_wordllama()
    small.project(workspace.store, labelled=12, n=60, meaning="auto")
    workspace.refit(1)
    other, number = moved(workspace, "file", tmp_path)
    with other:
        path = other.write_report(number, tmp_path / "report.json")
        found = other.repeat(path)
    assert report.read_report(path).recipe["fingerprints"]["vectors"]
    assert found.identical
    assert found.remarks == ()


@pytest.mark.parametrize("way", ["file", "backup", "copy"])
def test_what_the_last_report_said_travels_with_a_project(workspace, tmp_path, way):
    small.fitted(workspace.store, labelled=12, n=60)
    workspace.write_report(1, tmp_path / "first.html")
    other, number = moved(workspace, way, tmp_path)
    other.store.record(number, Label(30, (3,)), author="ann")
    other.refit(number)
    changes = other.report(number).changes
    other.close()
    assert "1 more text is labelled (12 then, 13 now)." in changes


def hide_noise(store: Store) -> None:
    small.project(store, topics=2, labelled=0, n=60)
    store.record(1, CreateTopic("Secret sound"), author="ann")
    for event in (
        RenameTopic(2, "Racket"),
        RenameTopic(2, SECRET),
        EditCodebook(2, definition="Loud neighbours"),
        *(Label(at, (1 + at % 3,)) for at in range(30)),
        EditReport({"hidden": "2\n3"}),
    ):
        store.record(1, event, author="ann")
    refit(store, 1)


def test_nothing_of_a_hidden_topic_is_in_a_report(workspace, tmp_path):
    """Neither its names nor what it means; labels that came with the file included."""
    hide_noise(workspace.store)
    workspace.evaluate(1)
    private = report.Privacy(quotes="withheld", texts="without")
    for name in report.FORMATS:
        path = workspace.write_report(1, tmp_path / "report", format=name, privacy=private)
        text = text_of(name, path.read_bytes()).casefold()
        assert "water" in text
        told = (SECRET, "Racket", "Loud neighbours", "Secret sound")
        assert [each for each in told if each.casefold() in text] == []


def test_a_report_that_hides_topics_is_repeated_where_its_project_is(workspace, tmp_path):
    hide_noise(workspace.store)
    path = workspace.write_report(1, tmp_path / "report.json")
    recipe = json.loads(path.read_text("utf-8"))["report"]["recipe"]
    assert recipe["withheld"] == 2
    assert {topic["name"] for topic in recipe["topics"]} == {"Water"}
    found = workspace.repeat(path)
    assert found.identical
    assert found.remarks == ()
    assert any("2 topics are hidden." in line for line in workspace.report(1).privacy_sentences)
    only_there = pytest.raises(ReportError, match="only where its project is")
    with Workspace.open(home=tmp_path / "empty") as other, only_there:
        other.repeat(path, corpus=small.corpus(60))


def test_a_masked_codebook_is_read_from_the_project(workspace, tmp_path):
    small.project(workspace.store, labelled=12, n=60)
    codebook = EditCodebook(1, definition="Write to ann@example.org about water")
    workspace.store.record(1, codebook, author="ann")
    workspace.refit(1)
    path = workspace.write_report(1, tmp_path / "report.json")
    assert "ann@example.org" not in path.read_text("utf-8")
    assert workspace.repeat(path).remarks == ()
    with Workspace.open(home=tmp_path / "empty") as other:
        found = other.repeat(path, corpus=small.corpus(60))
    assert "What people wrote was masked" in found.remarks[0]


def test_addresses_that_the_model_reads_as_words_are_not_in_a_masked_report(workspace, tmp_path):
    address = "ann.lee@example.org"
    found = small.corpus(60)
    texts = tuple(f"{address} {t} {address}" if "music" in t else t for t in found.texts)
    settings = ProjectSettings(truth=True, n_free=1, meaning="off", text=TextSettings(emails=True))
    store = workspace.store
    made = store.create_project("Desk", replace(found, texts=texts), settings, author="ann")
    store.record(made.id, CreateTopic("Noise"), author="ann")
    store.record(made.id, LockTopic(1, {"music": 1.0, address: 0.5}), author="ann")
    store.record(made.id, AddStopWord("bob@example.org"), author="ann")
    workspace.refit(made.id)
    path = workspace.write_report(made.id, tmp_path / "report.json")
    recipe = json.loads(path.read_text("utf-8"))["report"]["recipe"]
    assert recipe["masked"]
    assert recipe["steering"]["held"] == {"1": {"music": 1.0}}
    assert "@example.org" not in path.read_text("utf-8")
    assert workspace.repeat(path).identical


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("spec", "n_topics"), "ten"),
        (("spec", "random_state"), -1),
        (("labels", 0, "position"), 10**6),
    ],
)
def test_a_recipe_made_by_hand_is_one_sentence(workspace, tmp_path, place, value):
    small.fitted(workspace.store, labelled=12)
    path = workspace.write_report(1, tmp_path / "report.json")
    whole = json.loads(path.read_text("utf-8"))
    *way, last = place
    inside = whole["report"]["recipe"]
    for name in way:
        inside = inside[name]
    inside[last] = value
    path.write_text(json.dumps(whole), "utf-8")
    with pytest.raises(ReportError, match="damaged or was made by hand"):
        workspace.repeat(path)
