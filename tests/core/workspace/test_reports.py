"""The report of a project: the scores of the Scores page, and who labelled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core import report
from core.corpus import Corpus, DroppedRow, Reading
from core.errors import ReportError
from core.store import (
    AddStopWord,
    AddWord,
    EditCodebook,
    Label,
    ProjectSettings,
    RemoveWord,
    RenameTopic,
    Store,
)
from core.text import TextSettings
from core.workspace import Workspace
from core.workspace.refits.refit import refit
from core.workspace.reports import material_key, report_material, scores_of
from core.workspace.results import results_of
from core.workspace.scores import evaluate, score_history
from core.workspace.scores.sentences import basis_sentence
from tests.core.workspace import small


@pytest.fixture
def store(tmp_path):
    with Store.open(home=tmp_path) as opened:
        yield opened


def fitted(store: Store, *, labelled: int, truth: bool, n: int = 60):
    made = small.project(store, labelled=labelled, n=n)
    store.update_settings(made.id, replace(made.settings, truth=truth))
    refit(store, made.id)
    return made.id


def material(store: Store, project: int = 1) -> report.ReportInput:
    return report_material(store, results_of(store, store.project(project), resting=True))


def page(store: Store) -> str:
    return report.render_html(report.build_report(material(store), title="x"))


def default_words(text: str) -> str:
    """The page without the sentence that no label is broken."""
    return text.replace("no labelled text has a topic that its labels rule out", "")


def score(store: Store, project: int = 1) -> None:
    evaluate.evaluate(store, project, {}, lambda share: False)


@pytest.mark.parametrize("truth", [True, False])
def test_the_report_has_the_scores_of_the_scores_page(store, truth):
    fitted(store, labelled=30, truth=truth)
    score(store)
    board = score_history(store, store.project(1))
    found = material(store).scores
    assert found.values == board.point.scores
    assert found.labels == board.tables["labels"]
    frame = board.to_frame()
    assert frame.loc["first", "value"] == board.point.scores["first"][0]
    assert frame.loc["first", "title"] == "Main topic correct"
    assert found.basis == basis_sentence(board)
    shown = page(store)
    assert "(on 30 texts)" in shown
    assert basis_sentence(board) in shown
    assert ("held out" in basis_sentence(board)) != truth
    assert "no score" not in shown.lower()


def test_without_scores_the_report_says_precisely_why(store):
    fitted(store, labelled=12, truth=False)
    assert "The scores of this run have not been computed yet." in page(store)
    score(store)
    assert "No score yet: 12 texts labelled, and a test needs 20." in page(store)


def test_scores_of_an_earlier_run_are_called_so(store):
    fitted(store, labelled=30, truth=False)
    score(store)
    store.record(1, Label(40, (2,)), author="ann")
    assert "1 event since then is not in them yet." in page(store)
    refit(store, 1)
    assert "these are the scores with 30 labels" in page(store)
    score(store)
    assert "these are the scores with" not in page(store)


def test_what_is_rendered_is_kept_by_everything_that_changes_it(store):
    fitted(store, labelled=30, truth=False)
    found = results_of(store, store.project(1), resting=True)
    before = material_key(found, report_material(store, found))
    assert before == material_key(found, report_material(store, found))
    score(store)
    assert before != material_key(found, report_material(store, found))
    assert scores_of(None).missing


def test_labels_of_the_file_are_told_as_such_until_people_label(tmp_path):
    reading = Reading(rows_read=31, dropped=(DroppedRow(4, "the text is empty"),))
    with Workspace.open(home=tmp_path, author="ann") as workspace:
        corpus = replace(small.corpus(30), reading=reading)
        about = {"topics": small.TRUTH, "given_labels": "labels", "n_free": 1}
        workspace.create("Desk", corpus, **about)
        workspace.refit(1)
        people = material(workspace.store).people
        assert (people.n_labelled, people.from_file, people.authors) == (30, 30, ())
        assert "30 texts are labelled from a file;" in page(workspace.store)
        workspace.label(1, 0, ["Noise"])
        text = page(workspace.store)
        assert "30 texts are labelled: 29 from a file, 1 by one person;" in text
        assert "<dt>by person 1</dt><dd>1</dd>" in text
        assert "rule out" not in default_words(text)  # the fit has not seen the new label
        assert "1: the text is empty (1)." in text


def test_near_copies_and_texts_without_words_are_counted(tmp_path):
    plain = small.corpus(30)
    texts = ("", *plain.texts[1:])
    with Workspace.open(home=tmp_path, author="ann") as workspace:
        workspace.create("Desk", replace(plain, texts=texts), topics=["Water"], n_free=2)
        workspace.refit(1)
        found = material(workspace.store)
        assert found.wordless == 1
        assert found.near_copies > 10  # texts of the small corpus differ by a word
        assert dict(report.build_report(found, title="x").texts_read)["Near-copies"]


def test_a_run_is_repeated_from_the_file_of_its_report(store, tmp_path):
    """With the project's texts or with a corpus: the file holds all the rest."""
    project = fitted(store, labelled=12, truth=False)
    for event in (
        AddWord(1, "bench", 1.0),
        RemoveWord(2, "loud"),
        AddStopWord("again"),
        EditCodebook(3, definition="Trees and benches"),
        Label(20, (1,), forbidden=(2,), confidence="unsure"),
    ):
        store.record(project, event, author="ann")
    refit(store, project)
    workspace = Workspace(store, "ann")
    path = workspace.write_report(project, tmp_path / "report.json")
    store.record(project, Label(21, (2,)), author="ann")  # the run does not know it
    later = workspace.write_report(project, tmp_path / "later.json")
    before = results_of(store, store.project(project), resting=True).topics
    for file, corpus in ((path, None), (later, None), (path, small.corpus(60))):
        found = workspace.repeat(file, corpus=corpus)
        assert found.identical
        assert found.repeated
        assert found.remarks == ()
        columns = [before.column(key) for key in found.topics.label_keys]
        again = found.topics.doc_topic[:, : len(columns)]
        np.testing.assert_array_equal(again, before.doc_topic[:, columns])
    assert "every number of the factors is the same" in found.sentence


def test_a_repetition_says_what_differs(store, tmp_path):
    project = fitted(store, labelled=12, truth=False)
    workspace = Workspace(store, "ann")
    made = workspace.report(project)
    with pytest.raises(ReportError, match="not the texts of the report"):
        workspace.repeat(made, corpus=small.corpus(30))
    other = {**made.recipe, "labels": made.recipe["labels"][:3], "versions": {"numpy": "1.0"}}
    found = workspace.repeat(replace(made, recipe=other))
    assert not found.identical
    assert "numpy 1.0" in found.remarks[-1]
    assert found.sentence.startswith("The topics")
    with pytest.raises(ReportError, match="no recipe"):
        workspace.repeat(replace(made, recipe={}))
    for forged in ({"fingerprints": 7}, {"labels": [{}]}, {"spec": {"a": 1}}, {"steering": None}):
        with pytest.raises(ReportError, match="made by hand"):
            workspace.repeat(replace(made, recipe={**made.recipe, **forged}))


def test_the_next_report_says_what_changed_since_the_last(store, tmp_path):
    project = fitted(store, labelled=12, truth=False)
    workspace = Workspace(store, "ann")
    workspace.write_report(project, tmp_path / "a.html")
    assert workspace.report(project).changes == ()  # the same run
    store.record(project, RenameTopic(1, "Pipes"), author="ann")
    store.record(project, Label(30, (3,)), author="ann")
    refit(store, project)
    changes = workspace.report(project).changes
    assert changes[0].startswith("The last report was made on")
    assert "1 more text is labelled (12 then, 13 now)." in changes
    assert "“Water” is now called “Pipes”." in changes


def rare_words_corpus() -> Corpus:
    """Letters about three things, and a few long texts of one word said over and over."""
    things = [("bill", "refund", "card"), ("train", "ticket", "seat"), ("soup", "menu", "table")]
    texts = []
    for i in range(180):
        first, second, third = things[i % 3]
        texts.append(f"a {first} and the {second} of my {third if i % 2 else first} number{i % 40}")
    for word in ("icon", "tacl", "realm"):
        texts += [f"{word} " * 60 + f"{word} bill train soup"] * 2
    ids = tuple(map(str, range(len(texts))))
    return Corpus(ids=ids, texts=tuple(texts))


def test_with_no_label_a_report_names_no_word_that_few_texts_hold(tmp_path):
    with Workspace.open(home=tmp_path, author="ann") as workspace:
        settings = ProjectSettings(n_free=3, text=TextSettings(weighting="counts", l2=False))
        project = workspace.store.create_project(
            "Letters", rare_words_corpus(), settings, author="ann"
        )
        workspace.refit(project.id)
        topics = workspace.topics(project.id)
        heaviest = {word.term for k in range(len(topics)) for word in topics.top_terms(k, 3)}
        told = " ".join(workspace.report(project.id).summary)
    assert {"icon", "tacl", "realm"} & heaviest  # the model did find them
    assert "The largest are" in told
    assert not [word for word in ("icon", "tacl", "realm") if word in told]
