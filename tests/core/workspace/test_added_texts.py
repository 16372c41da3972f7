"""More texts for a project: what is told, what changes, what stays, and the way back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core import read_corpus, report
from core.errors import CorpusError, StoreError, StudioError
from core.store import EditCodebook, Label, Project, Restore, Skip, Store
from core.store.maintenance.backup import back_up
from core.store.maintenance.log_check import log_faults
from core.store.maintenance.restore import restore
from core.workspace import Workspace
from core.workspace.added_texts import OWN_VECTORS_NOTE, UNDO_NOTE, add_texts, plan_addition
from core.workspace.caches.corpora import corpus_of
from core.workspace.caches.matrices import matrix_of
from core.workspace.new_texts import keep_upload, predict_texts
from core.workspace.queue import QueueInputs, neighbour_index_of, next_in_queue
from core.workspace.refits.refit import refit
from core.workspace.results import results_of, topics_of
from core.workspace.scores import score_history
from core.workspace.scores.evaluate import evaluate
from core.workspace.topic_facts import (
    document_facts,
    main_topic_counts,
    not_counted_over_time,
)
from tests.core.workspace import small

MORE = """id,body,topic,day,district,mood
d3,water pipe burst again and again,Water,2026-03-04,North,bad
d5,park tree bench with new flowers,Parks,2026-04-01,south,
n1,noise and loud drums at night,Noise,2026-04-02,South,
n2,,Noise,2026-04-02,South,
n3,zebra crossing zebra zebra,Roads,2026-04-03,East,
n1,the same id twice,Noise,2026-04-03,South,
"""


def first_table(path: Path) -> Path:
    corpus = small.corpus()
    rows = [f"{d.id},{d.text},{d.labels[0]},{d.date},{d.side['district']}" for d in corpus]
    path.write_text("\n".join(["id,body,topic,day,district", *rows]))
    return path


@pytest.fixture
def workspace(tmp_path: Path):
    with Workspace.open(home=tmp_path / "home", author="ann") as opened:
        yield opened


@pytest.fixture
def project(workspace: Workspace, tmp_path: Path) -> Project:
    columns = {"text": "body", "id": "id", "label": "topic", "date": "day", "side": ["district"]}
    corpus = read_corpus(first_table(tmp_path / "first.csv"), **columns)
    made = workspace.create("Desk", corpus, topics=small.TRUTH, n_free=1, given_labels="truth")
    workspace.change_meaning(made.id, "off")
    for position in range(9):
        workspace.store.record(made.id, Label(position, (1 + position % 3,)), author="ann")
    workspace.refit(made.id)
    return workspace.project(made.id)


@pytest.fixture
def more(tmp_path: Path) -> Path:
    path = tmp_path / "more.csv"
    path.write_text(MORE)
    return path


def texts_of(store: Store, project: int) -> list[str]:
    return list(store.corpus(project).texts)


def test_everything_is_told_before_it_is_done(workspace, project, more) -> None:
    plan = plan_addition(workspace.store, project, more)
    told = " ".join(plan.sentences("update", "same"))
    for part in (
        "4 texts read from more.csv",
        "Not used: mood.",
        "2 rows left out: the text is empty (1), the id was already used (1); rows 5, 7.",
        "New texts: 2.",
        "Ids that are here already: 2; with other content: 2.",
        "updated in their place; 2 of them are labelled, and the labels stay.",
        "Words: those of the first 30 texts, as before.",
        UNDO_NOTE,
    ):
        assert part in told
    assert "left as they are" in " ".join(plan.sentences("skip", "new"))
    assert workspace.project(project.id) == project


def test_joined_spellings_are_told_as_the_project_has_them(workspace, project, tmp_path) -> None:
    path = tmp_path / "more.csv"
    rows = ["n1,one,noise", "n2,two,noise", "n3,three,Noise"]
    rows = [
        f"{row},2026-04-02,{name}"
        for row, name in zip(rows, ("south", "south", "South"), strict=True)
    ]
    path.write_text("\n".join(["id,body,topic,day,district", *rows]))
    plan = plan_addition(workspace.store, project, path)
    told = " ".join(plan.sentences("skip", "same"))
    assert "joined: “noise” as “Noise”." in told
    assert "joined: “south” as “South”." in told
    added = plan.changes("skip", "same").corpus
    assert (added.labels[-3:], added.side["district"][-3:]) == ((("Noise",),) * 3, ("South",) * 3)


def test_new_texts_come_last_and_updated_ones_keep_their_place(workspace, project, more) -> None:
    store, labels = workspace.store, workspace.store.annotations(project.id)
    run = store.resting_run(project.id)
    event = workspace.add_texts(project.id, more, existing="update", vocabulary="new")
    corpus = workspace.corpus(project.id)
    assert corpus.ids == (*small.corpus().ids, "n1", "n3")
    assert corpus.texts[5] == "park tree bench with new flowers"
    assert corpus.side["district"][5] == "South"  # as the project spells it
    assert (corpus.labels[-1], str(corpus.dates[-1])) == (("Roads",), "2026-04-03")
    assert corpus.fingerprint == store.project(project.id).fingerprint
    assert corpus.reading.added == 2
    assert store.annotations(project.id) == labels
    assert store.matching(project.id, "zebra").tolist() == [31]
    assert store.matching(project.id, "flowers").tolist() == [5]
    assert 5 not in store.matching(project.id, "garden").tolist()
    shown = topics_of(store, project.id)
    assert shown.doc_topic.shape[0] == 32
    assert not shown.doc_topic[30:].any()
    assert np.array_equal(shown.doc_topic[:30], store.run_topics(run).doc_topic[:30])
    found = results_of(store, store.project(project.id))
    assert found.behind == 1
    assert document_facts(store, store.project(project.id)).days.shape == (32,)
    queue = next_in_queue(store, QueueInputs.of(store, store.project(project.id)), limit=40)
    assert {30, 31} <= {item.position for item in queue}
    assert [each.id for each in store.additions(project.id)] == [event.id]


def test_the_next_fit_is_a_full_one_of_all_texts(workspace, project, more) -> None:
    store = workspace.store
    workspace.add_texts(project.id, more)
    assert evaluate(store, project.id, {}, lambda share: False) is None
    run = workspace.refit(project.id, preview=True)
    assert not run.preview
    assert run.outcome.change is None
    now = store.project(project.id)
    assert neighbour_index_of(store, now) is not None
    assert store.run_topics(run).doc_ids == workspace.corpus(project.id).ids
    assert evaluate(store, project.id, {}, lambda share: False) == run.id
    assert score_history(store, now).point.run == run.id


def test_the_vocabulary_stays_or_is_chosen_anew(workspace, project, more) -> None:
    store, words = workspace.store, set(workspace.matrix(project.id).terms)
    more.write_text(MORE + "n9,zebra zebra,,,,\n")
    workspace.add_texts(project.id, more, vocabulary="same")
    same = matrix_of(store, store.project(project.id))
    assert (set(same.terms), same.shape[0]) == (words, 33)
    store.undo(project.id, author="ann")
    assert set(matrix_of(store, store.project(project.id)).terms) == words
    workspace.add_texts(project.id, more, vocabulary="new")
    assert "zebra" in matrix_of(store, store.project(project.id)).terms


def test_one_undo_takes_the_texts_back(workspace, project, more) -> None:
    store = workspace.store
    before, corpus = store.project(project.id), store.corpus(project.id)
    workspace.add_texts(project.id, more, existing="update")
    workspace.refit(project.id)
    workspace.evaluate(project.id)
    assert store.undo(project.id, author="ben") is None
    undone = store.undo(project.id, author="ann")
    after = store.project(project.id)
    assert (undone.kind, after.n_docs) == ("undo", 30)
    assert after.fingerprint == before.fingerprint
    assert after.settings == before.settings
    assert store.corpus(project.id) == corpus
    assert store.matching(project.id, "zebra").size == 0
    assert store.matching(project.id, "flowers").size == 0
    assert topics_of(store, project.id).doc_topic.shape[0] == 30
    assert store.redo(project.id, author="ann") is None
    workspace.add_texts(project.id, more)  # and once more
    assert store.project(project.id).n_docs == 32
    with store._database.read() as connection:
        assert log_faults(connection, project.id) == []


@pytest.mark.parametrize(
    "later", [Label(31, (1,)), Skip(30), EditCodebook(1, examples=(30,))], ids=str
)
def test_texts_that_somebody_has_named_stay(workspace, project, more, later) -> None:
    store = workspace.store
    event = workspace.add_texts(project.id, more)
    store.record(project.id, later, author="ben")
    store.undo(project.id, author="ben")
    assert not store.can_take_texts_back(project.id, event)
    undone = store.undo(project.id, author="ann")
    assert undone.undoes < event.id  # the label before it
    assert store.project(project.id).n_docs == 32


def test_a_restore_is_about_labels_and_leaves_the_texts(workspace, project, more) -> None:
    store = workspace.store
    event = workspace.add_texts(project.id, more)
    store.record(project.id, Label(31, (1,)), author="ann")
    store.record(project.id, Restore(event.id - 1), author="ann")
    assert store.project(project.id).n_docs == 32
    assert 31 not in store.annotations(project.id)
    store.undo(project.id, author="ann")
    assert 31 in store.annotations(project.id)


def test_what_is_wrong_is_one_sentence_and_changes_nothing(workspace, project, tmp_path) -> None:
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("id,words\n1,a text\n")
    with pytest.raises(CorpusError, match=r"wrong\.csv: there is no column “body”"):
        plan_addition(workspace.store, project, wrong)
    wrong.write_text("number,body\n1,a text\n")
    with pytest.raises(CorpusError, match="there is no column “id” of ids"):
        plan_addition(workspace.store, project, wrong)
    nothing = first_table(tmp_path / "again.csv")
    plan = plan_addition(workspace.store, project, nothing)
    with pytest.raises(StudioError, match="there is nothing to add"):
        plan.changes("update", "same")
    assert workspace.project(project.id) == project


def test_a_plan_is_refused_once_somebody_else_has_added(workspace, project, more) -> None:
    plan = plan_addition(workspace.store, project, more)
    workspace.add_texts(project.id, more)
    with pytest.raises(StoreError, match="Look at the preview again"):
        add_texts(workspace.store, plan, author="ben")


def test_a_failure_in_the_middle_leaves_nothing(workspace, project, more, monkeypatch) -> None:
    from core.store.projects import sqlite_index

    store = workspace.store
    monkeypatch.setattr(sqlite_index.SqliteIndex, "fill", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        workspace.add_texts(project.id, more, existing="update")
    assert store.project(project.id) == project
    assert store.revision(project.id) == project.revision


def test_ids_go_on_where_the_project_has_none(workspace, tmp_path) -> None:
    first, more = tmp_path / "a.txt.csv", tmp_path / "b.csv"
    first.write_text("body\nwater pipe\nloud noise\n")
    more.write_text("body\npark bench\nwater pipe \n")
    made = workspace.create("Plain", read_corpus(first), topics=["A"])
    plan = plan_addition(workspace.store, made, more)
    told = " ".join(plan.sentences("skip", "new"))
    assert "1 new text is word for word in the project already" in told
    workspace.add_texts(made.id, more)
    ids = workspace.corpus(made.id).ids
    assert len(set(ids)) == len(ids) == 4


def test_added_texts_travel(workspace, project, more, tmp_path) -> None:
    """By project file, by copy and by backup; also before the fit, and the undo still works."""
    store = workspace.store
    workspace.add_texts(project.id, more, existing="update")
    store.export_project(project.id, tmp_path / "desk.zip")
    workspace.refit(project.id)
    copied = store.duplicate_project(project.id)
    came = store.import_project(tmp_path / "desk.zip")
    made = back_up(tmp_path / "all.zip", store.home)
    restore(tmp_path / "all.zip", tmp_path / "restored")
    assert made.manifest
    with Store.open(home=tmp_path / "restored") as restored:
        for other, number in ((store, copied.id), (store, came.id), (restored, project.id)):
            assert other.corpus(number) == store.corpus(project.id)
            assert other.project(number).texts_revision == store.texts_revision(project.id)
            assert other.matching(number, "zebra").tolist() == [31]
            other.undo(number, author="ann")
            assert other.corpus(number).texts == small.corpus().texts


def test_a_report_tells_of_added_texts_and_can_be_repeated(workspace, project, more) -> None:
    workspace.add_texts(project.id, more)
    workspace.refit(project.id)
    described = workspace.report(project.id)
    page = report.render_html(described)
    assert "32: 2 added later, 30 of 30 rows" in page
    assert "From more.csv" in page
    assert workspace.repeat(described).identical


def test_own_vectors_do_not_cover_new_texts(workspace, project, more) -> None:
    settings = replace(project.settings, meaning="own")
    plan = plan_addition(workspace.store, replace(project, settings=settings), more)
    assert OWN_VECTORS_NOTE in plan.sentences("skip", "same")


def test_the_corpus_in_memory_follows(workspace, project, more) -> None:
    store = workspace.store
    assert len(corpus_of(store, project.id)) == 30
    workspace.add_texts(project.id, more)
    assert len(corpus_of(store, project.id, texts=False)) == 32
    refit(store, project.id)
    store.undo(project.id, author="ann")
    assert len(corpus_of(store, project.id)) == 30


def test_main_topics_that_were_looked_at_before_count_the_added_texts(
    workspace: Workspace, project: Project, tmp_path: Path
) -> None:
    """Pages look at main topics before texts are added, while no fit knows these, and afterwards
    when they have been taken back."""
    store, known = workspace.store, project.n_docs

    def looked_at() -> tuple[tuple[int, int, int], list[int]]:
        found = workspace.results(project.id)
        everywhere = range(len(found.topics.doc_ids))
        counts = main_topic_counts(store, found, everywhere)
        return not_counted_over_time(store, found), [len(everywhere), sum(n for _, n, _ in counts)]

    assert looked_at() == ((0, 0, 0), [known, known])
    (tmp_path / "more.csv").write_text(MORE)
    n_new = workspace.add_texts(project.id, tmp_path / "more.csv").payload["added"]
    assert looked_at() == ((0, 0, n_new), [known + n_new, known])
    facts = dict(workspace.report(project.id).texts_read)
    assert facts["Added since the fit"] == "2 texts; topics are found by the next fit."
    assert "Without a topic" not in facts
    workspace.undo(project.id)
    assert looked_at() == ((0, 0, 0), [known, known])
    assert "Added since the fit" not in dict(workspace.report(project.id).texts_read)


TAGGED = "id,title,body\nd1,Lamp,the <b>street</b> lamp\nd2,Bin,a full waste bin\n"


def test_added_texts_are_read_as_the_first_ones_were(workspace, tmp_path):
    first = tmp_path / "tagged.csv"
    first.write_text(TAGGED)
    columns = {"text": "body", "more_text": ["title"], "id": "id"}
    corpus = read_corpus(first, **columns, strip_html=True)
    made = workspace.create("Tagged", corpus, topics=small.TRUTH)
    usual = "d{},Note,one plain text of many\n"  # among so many two tags are an accident
    later = "".join(usual.format(n) for n in range(3, 150)) + "n1,New,a <b>loud</b> drum\n"
    path = tmp_path / "later.csv"
    path.write_text(TAGGED + later)
    plan = plan_addition(workspace.store, made, path)
    assert not plan.differing  # the same two texts, tags and all
    assert plan.read.corpus.texts[-1] == "New\n\na loud drum"
    path.write_text("id,body\nn2,without a title\n")
    plan = plan_addition(workspace.store, made, path)
    assert plan.missing == ("title",)
    assert plan.read.corpus.texts == ("without a title",)


def test_new_texts_join_the_columns_that_the_project_joins(workspace, project):
    refit(workspace.store, project.id)
    asked = {"name": "new.csv", "text": "body", "more_text": ("title", "mood")}
    upload = keep_upload(workspace.store, project.id, TAGGED.encode())
    told = {**asked, "upload": upload}
    found = predict_texts(workspace.store, project.id, told, lambda _share: False)
    assert found.first[0]["text"] == "Lamp\n\nthe street lamp"  # and no column “mood” is missed
