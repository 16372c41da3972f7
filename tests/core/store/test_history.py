"""The history people read: pages, filters, before and after, and what a restore would change."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from core.store import (
    AssignTexts,
    CreateTopic,
    DeleteTopic,
    DoubleCoding,
    Highlight,
    HistoryFilter,
    Label,
    RenameTopic,
    Restore,
    Skip,
    Store,
    replay,
)
from core.store.events import new_events
from core.store.events.codebook import EditCodebook
from core.store.events.topic_events import (
    AddStopWord,
    AddWord,
    Child,
    DropStopWord,
    LockTopic,
    MergeTopics,
    ReleaseWord,
    RemoveWord,
    SplitTopic,
    UnlockTopic,
)
from core.store.history import sentences
from core.store.history.sentences import EventText, describe_event


def told(store: Store, wanted: HistoryFilter | None = None) -> list[EventText]:
    names = store.topic_names(1)
    return [describe_event(line, names) for line in store.history(1, wanted).lines]


def ids(store: Store, **wanted: object) -> list[int]:
    return [line.event.id for line in store.history(1, HistoryFilter(**wanted)).lines]  # type: ignore[arg-type]


def test_every_event_says_what_was_there_before_and_after(store: Store) -> None:
    store.record(1, Label(0, (1,)), author="ann")
    store.record(1, Label(0, (2, 3), (1,), "unsure"), author="ben")
    store.undo(1, author="ben")
    store.record(1, RenameTopic(1, "Bins"), author="ann")
    store.record(1, Label(0), author="ann")
    store.record(1, Label(0, nothing_fits=True), author="ann")
    store.record(1, DeleteTopic(2), author="ann")
    store.record(1, Skip(1), author="ann")
    assert told(store)[:8] == [
        EventText("Skipped", "no label", "no label"),
        EventText("Deleted the topic “Roads”"),
        EventText("Marked as “nothing fits”", "no label", "nothing fits"),
        EventText("Cleared the label", "Bins", "no label"),
        EventText("Renamed a topic", "“Waste”", "“Bins”"),
        EventText("Undone: labelled", "Roads, Lights; not Bins; half weight", "Bins"),
        EventText("Changed the label", "Bins", "Roads, Lights; not Bins; half weight"),
        EventText("Labelled", "no label", "Bins"),
    ]
    assert told(store)[-1] == EventText("Created the topic “Waste”", "", "“Waste”")


def test_a_note_alone_is_called_a_note(store: Store) -> None:
    store.record(1, Label(2, note="Whose is it?"), author="ann")
    assert told(store)[0].what == "Wrote a note"


def test_a_batch_is_one_line_until_its_events_are_asked_for(store: Store) -> None:
    acts = [Label(0, (1,)), Label(1, (2,))]
    head = store.record_batch(1, "Import of labels.csv", acts, author="ann")
    assert told(store)[0] == EventText("Import of labels.csv (2 events)")
    assert store.history(1).total == 4
    assert ids(store, within=range(head.id + 1, head.id + 3)) == [head.id + 2, head.id + 1]
    assert ids(store, positions={1}) == [head.id + 2]
    store.undo(1, author="ann")
    assert told(store)[0] == EventText("Undone: import of labels.csv (2 events)")
    assert [line.in_force for line in store.history(1).lines[:2]] == [True, False]


def test_a_restore_shows_in_what_came_before_the_next_label(store: Store) -> None:
    store.record(1, Label(0, (1,)), author="ann")
    store.record(1, Restore(3), author="ben")
    store.record(1, Label(0, (2,)), author="ann")
    lines = told(store)
    assert lines[:2] == [
        EventText("Labelled", "no label", "Roads"),
        EventText("Restored the state after event 3"),
    ]
    assert [line.in_force for line in store.history(1).lines[:3]] == [True, True, False]


def test_filters_narrow_by_person_kind_topic_document_and_time(store: Store) -> None:
    first = store.record(1, Label(0, (1,), note="say 2, [2]"), author="ann")
    second = store.record(1, Label(1, (2,)), author="ben")
    renamed = store.record(1, RenameTopic(2, "Streets"), author="ben")
    undone = store.undo(1, author="ben")
    assert undone is not None
    assert ids(store, authors=["ben"]) == [undone.id, renamed.id, second.id]
    assert ids(store, kinds=["label"]) == [second.id, first.id]
    assert ids(store, topic=2) == [undone.id, renamed.id, second.id, 2]
    assert ids(store, positions=[0]) == [first.id]
    assert ids(store, since=second.time, until=renamed.time) == [second.id]
    assert ids(store, since=undone.time + timedelta(seconds=1)) == []
    assert store.authors(1) == ["ann", "ben", "setup"]
    assert store.kinds(1) == ["create_topic", "label", "rename_topic", "undo"]


def test_pages_follow_each_other(store: Store) -> None:
    for position in range(5):
        store.record(1, Label(position, (1,)), author="ann")
    page = store.history(1, limit=3, offset=3)
    assert [line.event.id for line in page.lines] == [5, 4, 3]
    assert page.total == 8


def test_what_a_restore_would_change_is_known_before(store: Store) -> None:
    store.record(1, Label(0, (1,)), author="ann")
    store.record(1, Label(1, (1,)), author="ann")
    point = store.revision(1)
    store.record(1, Label(0), author="ann")
    store.record(1, Label(1, (2,)), author="ben")
    store.record(1, Label(2, (3,)), author="ben")
    store.record(1, RenameTopic(2, "Streets"), author="ben")
    store.record(1, DeleteTopic(3), author="ben")
    store.record(1, CreateTopic("Trees"), author="ben")
    store.record(1, Skip(4), author="ben")
    found = store.difference_to(1, point)
    assert (found.labelled, found.cleared, found.relabelled) == ((0,), (), (1,))
    assert (found.topics_back, found.topics_gone) == (("Lights",), ("Trees",))
    assert (found.renamed, found.skips) == ((("Streets", "Roads"),), 1)
    store.record(1, Restore(point), author="ann")
    assert not store.difference_to(1, point)


def test_it_knows_what_people_who_code_together_did(store: Store) -> None:
    point = store.revision(1)
    for words in ("text", "ext"):  # two of one document: both go
        store.record(1, Highlight(0, 1, 4 - len(words), 4, words), author="ann")
    store.record(1, AssignTexts("ben", (1, 2)), author="ann")
    store.record(1, AssignTexts("", (2,)), author="ann")
    store.record(1, DoubleCoding(1.0), author="ann")
    for author in ("ann", "ben"):
        store.record_label(1, Label(3, (1,)), author=author)
    found = store.difference_to(1, point)
    assert (found.highlights, found.assigned, found.waiting) == (2, 1, 2)
    assert found.doubled_share == (1.0, 0.0)
    store.record(1, Restore(point), author="ann")
    assert not store.difference_to(1, point)


OTHER_KINDS = ("batch", "add_texts", "undo", "redo", "use_run")


def test_every_kind_of_event_has_words() -> None:
    assert {*new_events.KIND_BY_TYPE.values(), *OTHER_KINDS} == set(sentences.KIND_TITLES)
    assert sentences.describe_kind("brand_new") == "Brand new"


def test_acts_on_topics_and_words_are_told_by_name(store: Store) -> None:
    one, two = Child("Bins", {"bin": 1.0}), Child("Tips", {"tip": 1.0})
    several = [
        (MergeTopics((2,), 3), "Merged “Roads” into “Lights”"),
        (SplitTopic(1, (one, two)), "Split “Waste” into “Bins”, “Tips”"),
        (LockTopic(3, {"lamp": 1.0}), "Locked the words of “Lights”"),
        (UnlockTopic(3), "Unlocked “Lights”"),
        (AddWord(3, "lamp"), "Added “lamp” to “Lights”"),
        (RemoveWord(3, "dog"), "Removed “dog” from “Lights”"),
        (ReleaseWord(3, "dog"), "Cleared the rule about “dog” in “Lights”"),
        (AddStopWord("please"), "Added the stop word “please”"),
        (DropStopWord("please"), "Removed the stop word “please”"),
        (EditCodebook(3, "Lamps in the street"), "Edited the codebook entry of “Lights”"),
    ]
    for act, _ in several:
        store.record(1, act, author="ann")
    assert [words.what for words in told(store)][9::-1] == [what for _, what in several]
    found = store.difference_to(1, 3)
    assert (found.words, found.codebook) == (True, 1)
    store.record(1, Restore(3), author="ben")
    assert not store.difference_to(1, 3)
    assert [topic.name for topic in store.topics(1)] == ["Waste", "Roads", "Lights"]


def test_a_run_made_current_is_listed_and_no_undo_is_about_it(store: Store) -> None:
    store.record(1, Label(0, (1,)), author="ann")
    store.record(1, Label(1, (2,)), author="ann")
    store.undo(1, author="ann")
    before = store.state(1)
    store.note_run(1, "Plain NMF", author="ann")
    (line, *_) = store.history(1).lines
    assert describe_event(line, {}).what == "Made “Plain NMF” the current model"
    assert (line.event.author, line.in_force) == ("ann", True)
    assert store.state(1) == replay(store.events(1)) == before
    store.redo(1, author="ann")  # what was taken back before can still be done again
    assert store.annotation(1, 1) is not None
    for _ in range(2):
        store.undo(1, author="ann")
    assert store.annotations(1) == replay(store.events(1)).annotations == {}
    store.record(1, Restore(5), author="ann")
    assert set(store.annotations(1)) == set(replay(store.events(1)).annotations) == {0, 1}


@pytest.mark.sqlite_only
def test_a_store_of_an_earlier_version_gets_the_indexes_of_the_history(tmp_path: Path) -> None:
    names = "SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY name"
    with Store.open(home=tmp_path) as store, store._database.write() as connection:
        expected = connection.exec_driver_sql(names).all()
        connection.exec_driver_sql("DROP INDEX acts_by_kind")
        connection.exec_driver_sql("DROP INDEX events_without_status")
        connection.exec_driver_sql("DELETE FROM schema_version")
        connection.exec_driver_sql("INSERT INTO schema_version VALUES (3, 0)")
    with Store.open(home=tmp_path) as store, store._database.read() as connection:
        assert connection.exec_driver_sql(names).all() == expected


def test_a_batch_of_an_operation_is_told_in_the_past(store: Store) -> None:
    labels = [Label(0, (1,)), Label(1, (1,))]
    store.record_batch(1, "Merge “a, b” into “Roads”", labels, author="ann")
    store.record_batch(1, "Labelled 2 texts: Roads", labels, author="ann")
    assert [each.what for each in told(store)[:2]] == [
        "Labelled 2 texts: Roads (2 events)",
        "Merged “a, b” into “Roads” (2 events)",
    ]
