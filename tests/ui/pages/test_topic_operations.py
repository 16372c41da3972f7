"""Operations on the Topics page: on the log, followed by a fit, told afterwards, taken back."""

from __future__ import annotations

import pytest

from core.store import RemoveWord, RenameTopic, Store
from core.workspace import topic_operations
from core.workspace.refits.refit import refit
from tests.core.workspace import small
from tests.ui.pages.results_app import fitted, html, opened, topics_page
from tsnmf_ui.pages.topics import refit_changes
from tsnmf_ui.server import state


def beside_water():
    from tsnmf_ui.pages.topics.operations import operation_verdicts, operations_form
    from tsnmf_ui.server import state

    project = state.require_project()
    run = state.current_run(project)
    state.show_messages()
    operation_verdicts.render(project.id)
    operations_form.render_undo(project)
    operations_form.render(project, run, None)
    operations_form.render(project, run, 0)


@pytest.fixture
def store(store, monkeypatch):
    monkeypatch.setattr(state, "author", lambda: "ann")
    return store


@pytest.fixture
def project(store):
    return fitted(store)


@pytest.fixture
def water(store, project, recorded_jobs):
    """What is drawn beside the topic Water; a fit that is asked for is done at once."""
    recorded_jobs.on_request = lambda kind, number: refit(store, number)
    return opened(beside_water, project)


def names(store: Store) -> list[str]:
    return [topic.name for topic in store.topics(1)]


def test_a_merge_is_told_and_taken_back(store, water):
    water.multiselect(key="topics.merge.1").set_value([2])
    water.text_input(key="topics.merge.1.name").set_value("Wet and loud")
    app = water.button(key="topics.merge").click().run()
    assert not app.exception
    assert names(store) == ["Wet and loud", "Parks"]
    assert "One topic: 20 of their 20 texts" in html(app)
    app = app.button(key="topics.undo").click().run()
    assert names(store) == list(small.TRUTH)
    assert "Undone" in app.toast[0].value
    assert "One topic" not in html(app)
    app = app.button(key="topics.redo").click().run()
    assert names(store) == ["Wet and loud", "Parks"]
    assert "Redone" in app.toast[0].value
    app = app.button(key="topics.redo").click().run()
    assert app.info[0].value == "You have nothing to redo."


def test_a_lock_is_kept_and_opened(store, water):
    app = water.button(key="topics.lock").click().run()
    assert "kept their weights exactly" in html(app)
    assert "locked" in "".join(each.value for each in app.markdown)
    app = app.button(key="topics.lock").click().run()
    assert not store.word_rules(1).topics.held


def test_a_split_makes_two_topics(store, water):
    app = water.button(key="topics.split").click().run()
    assert not app.exception
    assert len(names(store)) == 4
    assert all(name.startswith("Water: ") for name in names(store)[:2])  # where Water stood
    assert store.run_topics(store.current_run(1)).names[:4] == tuple(names(store))


def test_a_word_comes_in(store, water):
    water.text_input(key="topics.word.1").set_value("Parties")
    app = water.button(key="topics.word-add").click().run()
    assert store.word_rules(1).topics.added == {1: {"party": 1.0}}
    assert "“party” is word" in html(app)


def test_a_word_that_no_text_holds_is_refused(store, water):
    water.text_input(key="topics.word.1").set_value("submarine")
    app = water.button(key="topics.word-add").click().run()
    assert "No text that the model reads holds “submarine”" in app.error[0].value.replace("\\", "")
    assert not store.word_rules(1).topics


def test_words_that_were_chosen_are_taken_out_or_stopped(store, project, monkeypatch):
    from tsnmf_ui.pages.topics.operations import topic_words
    from tsnmf_ui.server import state

    said: list[str] = []
    kept = {"chosen": ["pipe", "tap"]}
    monkeypatch.setattr(state, "get_value", kept.get)
    monkeypatch.setattr(state, "notify", lambda sentence, kind="success": said.append(kind))
    monkeypatch.setattr(state, "set_value", kept.__setitem__)
    topic_words._take_out(1, 1, "chosen")
    assert store.word_rules(1).topics.removed == {1: ("pipe", "tap")}
    topic_words._release(1, 1, "chosen")
    topic_words._stop(1, "chosen")
    assert store.word_rules(1).stop_words == ("pipe", "tap")
    store.undo(1, author="ann")
    assert store.word_rules(1).stop_words == ()
    assert said == ["success"] * 3


def test_a_topic_is_made_of_words(store, water):
    water.text_input(key="topics.new").set_value("Greens")
    water.text_input(key="topics.new-words").set_value("tree, gardens")
    app = water.button(key="topics.create").click().run()
    assert not app.exception
    assert names(store)[-1] == "Greens"
    assert store.word_rules(1).topics.added == {4: {"tree": 1.0, "garden": 1.0}}


def test_words_that_no_text_holds_are_named(store, water):
    water.text_input(key="topics.new").set_value("Greens")
    water.text_input(key="topics.new-words").set_value("tree, submarine, gardens, zebra")
    app = water.button(key="topics.create").click().run()
    said = app.toast[0].value.replace("\\", "")
    assert "Left out, because no text that the model reads holds them: submarine, zebra." in said
    assert store.word_rules(1).topics.added == {4: {"tree": 1.0, "garden": 1.0}}


def test_verdicts_beyond_the_first_open(store, water):
    events = [RemoveWord(1, word) for word in ("pipe", "tap", "burst", "water", "leak")]
    store.record_batch(1, "Remove words (5)", events, author="ann")
    refit(store, 1)
    page = html(water.run())
    assert page.count('class="ts-outcome ') == 5
    assert '<details class="ts-more"><summary>and 2 more</summary><div class="ts-outcome' in page


def test_chosen_documents_become_a_topic_or_move(store, project):
    def selection():
        from tsnmf_ui.pages.topics.operations import operations_form
        from tsnmf_ui.server import state

        state.show_messages()
        project = state.require_project()
        operations_form.render_selection(project, state.current_run(project), (7, 8))

    app = opened(selection, project)
    app.text_input(key="topics.lasso").set_value("Odd ones")
    app.button(key="topics.lasso-create").click().run()
    assert [store.annotations(1)[at].permitted for at in (7, 8)] == [(4,), (4,)]
    assert app.text_input(key="topics.lasso.1").value == ""  # an act makes new fields
    app.selectbox(key="topics.move-to.1").set_value(2)
    app.button(key="topics.move").click().run()
    assert [store.annotations(1)[at].permitted for at in (7, 8)] == [(2,), (2,)]
    store.undo(1, author="ann")
    assert [store.annotations(1)[at].permitted for at in (7, 8)] == [(4,), (4,)]


def test_phrases_are_read_as_the_texts_are(store, project):
    assert topic_operations.read_words(store, 1, "Leaking pipes; bench,") == [
        "leak",
        "pipe",
        "bench",
    ]


def test_after_an_operation_the_diff_is_told_topic_by_topic(store, project):
    store.record(1, RenameTopic(3, "<b>Parks</b>"), author="ann")
    store.record(1, RemoveWord(2, "noise"), author="bob")
    refit(store, 1)
    app = opened(topics_page, project)
    assert "ts-changes" not in html(app)  # closed, and not read
    app.session_state["topics.changes"] = True
    table = html(app.run()).split('class="ts-table ts-changes"')[1]
    rows = table.split("</table>")[0].split("<tr>")[2:]
    assert [row.count("labelled or edited") for row in rows] == [1, 1, 0, 0]
    noise = next(row for row in rows if "Noise</span>" in row)
    assert "<td>–</td><td>noise</td><td>5 of 6</td>" in noise
    assert "&lt;b&gt;Parks&lt;/b&gt;</span>" in table
    assert "<b>Parks" not in table
    assert "another main topic now" in table


def test_a_first_fit_has_no_diff(project):
    assert refit_changes.CHANGES_TITLE not in [
        box.label for box in opened(topics_page, project).expander
    ]


def test_texts_that_went_other_ways_are_counted_too():
    told = {"moved": 1_250, "flows": [{"from": "A", "to": "B", "texts": 1_200}]}
    assert refit_changes._moved(told).endswith(": A → B (1,200), others (50).")
