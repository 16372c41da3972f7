"""The History page: every act in words, filters in the address, and restoring a point."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest

from core.store import DoubleCoding, EditCodebook, Label, RenameTopic, Restore, StateDifference
from tests.core.workspace import small
from tests.ui.pages.results_app import history_page, html, opened, said
from tsnmf_ui.pages.history import rows
from tsnmf_ui.server import state, tokens


@pytest.fixture
def store(store, monkeypatch):
    monkeypatch.setattr(state, "author", lambda: "ann")
    return store


@pytest.fixture
def project(store):
    return small.project(store)  # three topics, six labels


def test_without_a_project_it_says_what_to_do(store):
    assert "Open a project first" in said(opened(history_page))


def test_before_the_first_act_it_says_what_will_be_listed(store):
    made = store.create_project("Empty", small.corpus(), author="ann")
    assert "No events yet" in said(opened(history_page, made))


def test_every_act_is_a_line_with_author_before_and_after(store, project):
    store.record(project.id, Label(0, (2,), note="<b>loud</b>"), author="Ben & Co")
    page = html(opened(history_page, project))
    assert page.count('class="ts-event') == 10
    assert "Ben &amp; Co" in page
    assert "<i>Water → </i>Noise" in page
    assert "Note: &lt;b&gt;loud&lt;/b&gt;" in page


def test_filters_narrow_the_list(store, project):
    store.record(project.id, RenameTopic(1, "Mains"), author="ben")
    app = opened(history_page, project)
    app.multiselect(key="who").set_value(["ben"]).run()
    assert html(app).count('class="ts-event') == 1
    app.multiselect(key="who").set_value([]).run()
    app.selectbox(key="topic").set_value(1).run()
    assert html(app).count('class="ts-event') == 4  # its creation, two labels, its new name
    app.text_input(key="words").set_value("d3").run()
    assert html(app).count('class="ts-event') == 1
    app.text_input(key="words").set_value("zeppelin").run()
    assert "No event matches" in said(app)


def test_long_histories_come_in_pages(store, project):
    for position in range(40):
        store.record(project.id, Label(position % 30, (1 + position % 2,)), author="ann")
    app = opened(history_page, project, page="2")
    page = html(app)
    assert page.count('class="ts-event') == 24  # of 49 acts
    assert "Created the topic “Water”" in page


def test_a_restore_is_announced_done_and_undone(store, project):
    before = store.annotations(project.id)
    app = opened(history_page, project)
    app.button(key="history.restore.3").click().run()
    assert "6 texts lose their labels" in said(app)
    assert store.annotations(project.id) == before  # only told so far
    app.button(key="history.confirm").click().run()
    assert store.annotations(project.id) == {}
    assert store.events(project.id)[-1].payload == {"to": 3}
    app.button(key="history.undo").click().run()
    assert store.annotations(project.id) == before


def test_where_nothing_would_change_nothing_is_offered(store, project):
    app = opened(history_page, project)
    app.button(key=f"history.restore.{project.revision}").click().run()
    assert "Nothing has changed since this event" in said(app)
    assert not [button for button in app.button if button.key == "history.confirm"]


def test_a_restore_names_texts_assignments_and_highlights():
    found = StateDifference(
        highlights=1, assigned=2, waiting=3, doubled_share=(0.2, 0.0), texts_kept=4
    )
    assert rows.restore_sentences(found) == [
        "1 highlight comes or goes.",
        "2 texts are assigned differently.",
        "3 labels that wait for a second person come or go.",
        "The share of texts that two people label goes from 20\u00a0% to 0\u00a0%.",
    ]
    assert (
        rows.kept_texts_sentence(found) == "4 texts added or updated since then stay as they are."
    )


def test_a_restore_says_which_saved_searches_come_back_go_and_change():
    found = StateDifference(
        searches_back=("Old",), searches_gone=("Pay", "Desk"), searches_changed=("Loud",)
    )
    assert rows.restore_sentences(found) == [
        "Restored saved search “Old”.",
        "Removed saved searches “Pay”, “Desk”.",
        "Changed saved search “Loud”.",
    ]


def test_the_acts_of_a_batch_unfold(store, project):
    acts = [Label(7, (1,)), Label(8, (2,))]
    head = store.record_batch(project.id, "Import of more.csv", acts, author="ann")
    app = opened(history_page, project)
    assert "Import of more.csv (2 events)" in html(app)
    app.button(key=f"history.unfold.{head.id}").click().run()
    assert html(app).count('class="ts-event') == 2
    app.button(key="history.fold").click().run()
    assert html(app).count('class="ts-event') == 10


def test_a_restore_tells_the_choices_of_privacy_as_one():
    told = rows.restore_sentences(StateDifference(report=("title", "ids", "memos", "small_groups")))
    assert "The title and privacy of the report will change." in told


def test_a_batch_is_restored_as_it_was_after_its_last_event(store, project):
    acts = [Label(7, (1,)), Label(8, (2,))]
    head = store.record_batch(project.id, "Import of more.csv", acts, author="ann")
    store.record(project.id, Label(7, (3,)), author="ann")
    app = opened(history_page, project)
    app.button(key=f"history.restore.{head.id}").click().run()
    assert "1 text is labelled differently" in said(app)
    app.button(key="history.confirm").click().run()
    labels = store.annotations(project.id)
    assert (labels[7].permitted, labels[8].permitted) == ((1,), (2,))


def test_nothing_to_redo_is_said(store, project):
    store.record(project.id, Restore(2), author="ben")
    app = opened(history_page, project)
    app.button(key="history.redo").click().run()
    assert app.info[0].value == "You have nothing to redo."


# Export and import


def upload(app, name: str, data: bytes):
    return app.file_uploader[0].set_value((name, data, "text/csv")).run()


def test_labels_go_out_as_a_table(store, project):
    app = opened(history_page, project, part="Export and import")
    assert "6 labelled texts" in said(app)
    app.checkbox(key="history.labels.texts").check().run()
    links = re.findall(r'href="api/file\?file=([^&"]+)', html(app))
    tickets = [tokens.ticket_of(unquote(link)) for link in links]
    assert [(each.labels, each.texts, each.project) for each in tickets[-2:]] == [
        ("csv", True, project.id),
        ("jsonl", True, project.id),
    ]


def test_an_import_is_tried_before_it_is_done(store, project):
    app = opened(history_page, project, part="Export and import")
    upload(app, "more.csv", b"id,labels\nd0,Noise\nd9,Trees\nd1,Noise\nzz,Water\n")
    assert store.revision(project.id) == 9
    told = said(app).replace("\\", "")
    assert "1 label of 4 rows would be imported" in told
    assert "1 text is labelled differently here" in told
    assert "New topic: “Trees”" in told
    assert app.radio(key="history.labels.choice").label == "Where the file differs"
    assert "<td>d0</td><td>Water</td><td>ann</td><td>Noise</td>" in html(app)
    assert "<li>row 5: zz</li>" in html(app)
    app.radio(key="history.labels.choice").set_value("take").run()
    app.button(key="history.labels.do").click().run()
    labels = store.annotations(project.id)
    assert (labels[0].permitted, labels[9].permitted) == ((2,), (4,))
    app.button(key="history.undo").click().run()
    assert len(store.annotations(project.id)) == 6


def test_columns_of_other_names_are_found_or_chosen(store, project):
    app = opened(history_page, project, part="Export and import")
    upload(app, "more.csv", b"Ticket,Team,Verdict\nd9,north,Noise\nd10,south,Water\n")
    ids, labels = app.selectbox
    assert (ids.value, labels.value) == ("Ticket", None)  # its cells are ids of the project
    assert "Choose the column" in app.info[0].value
    app = labels.set_value("Verdict").run()
    assert "2 labels of 2 rows would be imported" in said(app)
    app.button(key="history.labels.do").click().run()
    assert store.annotations(project.id)[9].permitted == (2,)


def test_a_column_that_was_kept_becomes_labels(store, project):
    app = opened(history_page, project, part="Export and import")
    (column,) = app.selectbox
    app = column.set_value("district").run()
    told = said(app).replace("\\", "")
    assert "24 labels of 30 rows would be imported" in told
    assert "2 new topics: “North”, “South”" in told
    assert app.radio(key="history.labels.choice").label == "Where the column differs"
    assert "<th>In the column</th>" in html(app)
    app.button(key="history.labels.do").click().run()
    assert len(store.annotations(project.id)) == 30
    app.button(key="history.undo").click().run()
    assert len(store.annotations(project.id)) == 6


def test_a_bad_file_is_one_sentence(store, project):
    app = opened(history_page, project, part="Export and import")
    upload(app, "more.csv", b"id,labels,confidence\nd0,Noise,certainly\n")
    assert app.error[0].value.replace("\\", "").startswith("more.csv, row 2, column “confidence”")
    assert store.revision(project.id) == 9


def test_without_labels_there_is_nothing_to_take_out(store):
    made = store.create_project("Empty", small.corpus(), author="ann")
    app = opened(history_page, made, part="Export and import")
    assert "Nothing to export yet" in said(app)


# People


def test_nobody_yet_is_said(store):
    made = store.create_project("Empty", small.corpus(), author="ann")
    assert "Nobody has labelled" in said(opened(history_page, made, part="People"))


def test_nothing_is_said_of_disagreements_where_nobody_labelled_twice(store, project):
    assert "disagreement" not in said(opened(history_page, project, part="People"))


def test_disagreements_are_listed_and_settled(store, project):
    store.record(project.id, Label(0, (2,), note="<i>loud</i>"), author="ben")
    store.record(project.id, Label(1, (2,)), author="ben")
    app = opened(history_page, project, part="People")
    page = html(app)
    assert "No text has been double coded yet" in page
    assert "0 of 0" not in page
    assert "Counts only" not in page
    assert "Set a share under Double coding" in page
    assert "2 texts that two people labelled in sight of each other" in page
    assert "<b>ben</b>: Noise" in page
    assert "&lt;i&gt;loud" in page
    event = store.annotations(project.id)[0].event
    app.button(key=f"people.take.0.{event}").click().run()
    assert store.annotations(project.id)[0].author == "ann"
    assert store.annotations(project.id)[0].permitted == (2,)
    assert "Everything is settled" in said(app)
    app.segmented_control(key="which").set_value("Settled").run()
    assert "ann settled it: Noise" in html(app)


def test_double_coding_is_turned_on_and_measured(store, project, monkeypatch):
    monkeypatch.setattr(state, "given_name", lambda: "ann")
    app = opened(history_page, project, part="People")
    app.number_input(key="people.share").set_value(100).run()
    app.button(key="people.double").click().run()
    assert store.double_coding(project.id).share == 1.0
    assert "once two people have labelled one of these texts" in html(app)
    for position in range(6, 18):
        label = Label(position, (1 + position % 3,))
        store.record_label(project.id, label, author="ann", spoken=True)
        if position < 16:
            store.record_label(project.id, label, author="ben", spoken=True)
    page = html(opened(history_page, project, part="People"))
    assert "Counts only the 10 texts two people labelled" in page
    assert "10 of 10</b>" in page
    assert "Agreement on each topic" in page
    assert "2 texts wait for a second person; 2 by you." in page
    app = opened(history_page, project, part="People")
    app.button(key="people.release").click().run()
    assert store.project(project.id).n_labelled == 18


def test_whoever_has_no_name_is_asked_before_double_coding(store, project, monkeypatch):
    monkeypatch.setattr(state, "given_name", lambda: "")
    app = opened(history_page, project, part="People")
    assert "What is your name" in said(app)
    assert not [each for each in app.number_input if each.key == "people.share"]


def test_after_double_coding_is_turned_off_a_name_is_asked_for_once(store, project, monkeypatch):
    monkeypatch.setattr(state, "given_name", lambda: "")
    for share in (0.5, 0.0):
        store.record(project.id, DoubleCoding(share), author="ann")
        app = opened(history_page, project, part="People")
        assert not app.error
        assert [each.label for each in app.text_input if each.key == "asked.name"] == ["Your name"]


def test_a_disagreement_can_end_in_something_else(store, project):
    store.record(project.id, Label(0, (2,)), author="ben")
    app = opened(history_page, project, part="People")
    app.multiselect(key="people.other.0").set_value([3]).run()
    app.button(key="people.settle.0").click().run()
    assert store.annotations(project.id)[0].permitted == (3,)


def test_a_codebook_comes_in_after_a_preview_and_an_entry_comes_back(store, project):
    store.record(1, EditCodebook(1, "Pipes *and* taps"), author="ann")
    app = opened(history_page, project, part="Export and import")
    file = b"topic,definition\nWater,Mains\nRoads,Potholes\n"
    app.file_uploader(key="history.codebook.file.0").upload("book.csv", file).run()
    assert not app.exception
    app.checkbox(key="history.codebook.create").check().run()
    assert "New topics: “Roads”" in said(app).replace("\\", "")
    app.button(key="history.codebook.do").click().run()
    assert not app.exception
    assert {entry.definition for entry in store.codebook(1).values()} == {"Mains", "Potholes"}
    app = opened(history_page, project)
    edited = next(e.id for e in store.events(1) if e.kind == "edit_codebook")
    app.button(key=f"history.entry.{edited}").click().run()
    assert store.codebook(1)[1].definition == "Pipes *and* taps"


def test_imported_labels_are_told_apart_from_those_of_people(store, project, monkeypatch):
    monkeypatch.setattr("tsnmf_ui.server.state.machine_user", lambda: "ann")
    acts = [Label(10, (1,)), Label(11, (2,))]
    store.record_batch(project.id, "Import of more.csv", acts, author="ben")
    page = html(opened(history_page, project, part="People"))
    assert "<td>ann (account on this computer)</td><td class=n>6</td>" in page
    assert "<td>From a file or a column</td><td class=n>2</td>" in page
    assert "<td>ben" not in page
