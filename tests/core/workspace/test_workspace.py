"""The whole walk without a screen: create, label, refit, look, evaluate, compare, report."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from core import report
from core.corpus import Corpus
from core.errors import ModelError, NotFound, StudioError
from core.spec import ModelSpec
from core.store import DeleteTopic, Store
from core.workspace import Workspace
from core.workspace.projects import NewProject, create_project
from core.workspace.results import topic_quotes, topics_of_run
from tests.core.workspace import small


def no_copies() -> Corpus:
    """The small corpus with other words around its own, so that no text is nearly another."""
    plain, around = small.corpus(60), small.varied(60).texts
    texts = tuple(f"{text} {words}" for text, words in zip(plain.texts, around, strict=True))
    return replace(plain, texts=texts)


@pytest.fixture
def workspace(tmp_path):
    with Workspace.open(home=tmp_path, author="ann") as opened:
        yield opened


@pytest.fixture
def project(workspace) -> int:
    """A project with a few labels, after its first fit."""
    made = workspace.create("Complaints", small.corpus(), given_labels="truth", n_free=1)
    for position in range(6):
        workspace.label(made.id, position, [small.TRUTH[position % 3]])
    workspace.refit(made.id)
    return made.id


def test_the_whole_walk_from_a_corpus_to_a_report(tmp_path):
    with Workspace.open(home=tmp_path, author="ann") as workspace:
        made = workspace.create(
            "Complaints", no_copies(), topics=["Water", "Noise"], n_free=1, given_labels="truth"
        )
        assert [each.name for each in workspace.projects()] == ["Complaints"]
        for position, name in enumerate(["Water", "Noise", "Parks"] * 2):
            workspace.label(made.id, position, [name])  # the third name becomes a topic
        run = workspace.refit(made.id)

    with Workspace.open(home=tmp_path, author="ann") as workspace:  # another day
        assert workspace.store.current_run(made.id).id == run.id
        topics = workspace.topics("Complaints")
        assert topics.names[:3] == ("Water", "Noise", "Parks")
        assert topics.top_terms(0, 1)[0][0] in small.WATER.split()
        scores = workspace.evaluate("complaints")
        assert scores.counted
        assert scores.point.value("first") == 1.0
        waiting = workspace.next_documents(made.id, 3)
        assert len(waiting) == 3
        assert not {item.position for item in waiting} & set(range(6))
        compared = workspace.compare(
            made.id, {"Guided": ModelSpec("tsnmf", 4), "Plain": ModelSpec("nmf", 4)}
        )
        assert [entry.title for entry in compared.entries] == ["Guided", "Plain"]
        described = workspace.report(made.id)
        assert described.title == "Complaints"
        assert [section.name for section in described.topics][:3] == ["Water", "Noise", "Parks"]
        assert "Parks" in report.render_html(described)


def test_refit_by_number_is_one_call(workspace, project):
    workspace.label(project, 6, ["Water"])
    assert workspace.refit(project).revision == workspace.project(project).revision
    assert workspace.results(project).fresh


def test_what_goes_into_a_fit_can_be_looked_at(workspace, project):
    assert len(workspace.corpus(project)) == 30
    assert workspace.matrix(project).doc_ids == workspace.corpus(project).ids
    assert workspace.supervision(project).labelled.sum() == 6
    assert workspace.spec(project) == ModelSpec("tsnmf", 4)


def test_results_hold_labels_sizes_and_quotes(workspace, project):
    found = workspace.results(project)
    assert found.labelled[:3] == (2, 2, 2)
    assert sum(size.documents for size in found.sizes) == 30
    quote, document = topic_quotes(workspace.store, found, 0)[0]
    assert quote.text in document.text
    assert workspace.results(project) is found
    assert topics_of_run(workspace.store, found.run) is found.topics


def test_results_follow_labels_refits_and_deletions(workspace, project):
    before = workspace.results(project)
    workspace.label(project, 9, ["Water"])
    after = workspace.results(project)
    assert (before.behind, after.behind) == (0, 1)
    assert after.labelled[0] == 3
    workspace.record(project, DeleteTopic(1))
    assert workspace.results(project).ids[0] is None


def test_no_topics_means_nothing_fits(workspace, project):
    workspace.label(project, 7, [], confidence="expert", note="noise only")
    said = workspace.store.annotation(project, 7)
    assert (said.nothing_fits, said.confidence, said.note) == (True, "expert", "noise only")
    workspace.undo(project)
    assert workspace.store.annotation(project, 7) is None


def test_labels_go_out_and_come_back(workspace, project):
    taken_out = workspace.export_labels(project)
    other = workspace.create("Copy", small.corpus(), topics=["Water"]).id
    file = io.BytesIO(taken_out)
    file.name = "labels.csv"
    workspace.import_labels(other, file)
    assert len(workspace.store.annotations(other)) == 6
    assert b"water pipe" in workspace.export_labels(other, texts=True)


def test_a_project_without_a_fit_says_so(workspace):
    made = workspace.create("New", small.corpus())
    assert workspace.topics(made.id) is None
    assert workspace.evaluate(made.id) is None
    assert len(workspace.next_documents(made.id, 4)) == 4
    with pytest.raises(NotFound, match="refit it first"):
        workspace.report(made.id)


def test_what_cannot_work_is_refused_in_a_sentence(workspace):
    made = workspace.create("New", small.corpus())
    models = {"tsnmf": ModelSpec("tsnmf", 4), "nmf": ModelSpec("nmf", 4)}
    with pytest.raises(ModelError, match="no text is labelled yet"):
        workspace.compare(made.id, models)
    with pytest.raises(StudioError, match="Name at least one topic"):
        workspace.create("Nothing", small.corpus(), n_free=0)
    with pytest.raises(NotFound, match=r"There are: 1 \(New\)"):
        workspace.refit("Old")


@pytest.mark.parametrize("number", ["9" * 19, "9" * 5_000])
def test_a_number_beyond_all_numbers_names_no_project(workspace, number):
    with pytest.raises(NotFound, match="There is no project called"):
        workspace.project(number)


def test_given_labels_can_start_a_project(workspace):
    made = workspace.create("Taught", small.corpus(), topics=["Noise"], given_labels="labels")
    assert workspace.project(made.id).n_labelled == 10


def test_a_workspace_can_share_a_store(tmp_path):
    with Store.open(home=tmp_path) as store:
        made = small.project(store)
        assert Workspace(store).refit(made.id).project == made.id


def test_labels_and_truth_come_from_different_columns(store):
    corpus = small.corpus()
    new = NewProject(
        name="Both", use="truth", first_labels="district", topics=("Water", "North", "South")
    )
    project = create_project(store, corpus, new, author="ann")
    labels = store.annotations(project.id)
    assert project.settings.truth
    assert (labels[0].permitted, labels[1].permitted) == ((2,), (3,))
    assert project.settings.labels_from_file_until == project.revision
    with pytest.raises(StudioError, match="no column “team”"):
        create_project(store, corpus, replace(new, first_labels="team"), author="ann")
