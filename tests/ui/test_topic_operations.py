"""Operations on the Topics page: on the log, followed by a fit, told afterwards, taken back."""

from __future__ import annotations

import pytest

from core.store import RemoveWord, RenameTopic, Store
from tests.ui import small
from tests.ui.results_app import fitted, html, opened
from tsnmf_ui import operating, worker
from tsnmf_ui.widgets import refit_changes


def beside_water():
    from tsnmf_ui import state
    from tsnmf_ui.widgets import operation_verdicts, topic_operations

    project = state.require_project()
    run = state.current_run(project)
    state.show_messages()
    operation_verdicts.draw(project.id)
    topic_operations.draw_undo(project)
    topic_operations.draw(project, run, None)
    topic_operations.draw(project, run, 0)


@pytest.fixture
def store(tmp_path, monkeypatch):
    import streamlit as st

    from tsnmf_ui import state

    st.cache_resource.clear()
    worker._matrices.clear()
    with Store.open(home=tmp_path) as opened_store:
        monkeypatch.setattr(state, "store", lambda: opened_store)
        monkeypatch.setattr(state, "author", lambda: "ann")
        yield opened_store


@pytest.fixture
def project(store):
    return fitted(store)


@pytest.fixture
def water(store, project, monkeypatch):
    """What is drawn beside the topic Water; a fit that is asked for is done at once."""
    from tsnmf_ui import jobs

    monkeypatch.setattr(jobs, "request_fit", lambda number: worker.refit(store, number))
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
    assert "Taken back" in app.toast[0].value
    assert "One topic" not in html(app)


def test_a_lock_is_kept_and_opened(store, water):
    app = water.button(key="topics.lock").click().run()
    assert "kept their weights exactly" in html(app)
    assert "locked" in "".join(each.value for each in app.markdown)
    app = app.button(key="topics.lock").click().run()
    assert not store.wording(1).topics.held


def test_a_split_makes_two_topics(store, water):
    app = water.button(key="topics.split").click().run()
    assert not app.exception
    assert len(names(store)) == 4
    assert all(name.startswith("Water: ") for name in names(store)[2:])


def test_a_word_comes_in(store, water):
    water.text_input(key="topics.word.1").set_value("Parties")
    app = water.button(key="topics.word-add").click().run()
    assert store.wording(1).topics.added == {1: {"party": 1.0}}
    assert "“party” is word" in html(app)


def test_a_word_that_no_text_holds_is_refused(store, water):
    water.text_input(key="topics.word.1").set_value("submarine")
    app = water.button(key="topics.word-add").click().run()
    assert "No text that the model reads holds “submarine”" in app.error[0].value.replace("\\", "")
    assert not store.wording(1).topics


def test_words_that_were_chosen_are_taken_out_or_stopped(store, project, monkeypatch):
    from tsnmf_ui import jobs, state
    from tsnmf_ui.widgets import topic_words

    said: list[str] = []
    monkeypatch.setattr(jobs, "request_fit", lambda number: None)
    kept = {"chosen": ["pipe", "tap"]}
    monkeypatch.setattr(state, "recall", kept.get)
    monkeypatch.setattr(state, "tell", lambda sentence, kind="success": said.append(kind))
    monkeypatch.setattr(state, "remember", kept.__setitem__)
    topic_words._take_out(1, 1, "chosen")
    assert store.wording(1).topics.removed == {1: ("pipe", "tap")}
    topic_words._release(1, 1, "chosen")
    topic_words._stop(1, "chosen")
    assert store.wording(1).stop_words == ("pipe", "tap")
    store.undo(1, author="ann")
    assert store.wording(1).stop_words == ()
    assert said == ["success"] * 3


def test_a_topic_is_made_of_words(store, water):
    water.text_input(key="topics.new").set_value("Greens")
    water.text_input(key="topics.new-words").set_value("tree, gardens")
    app = water.button(key="topics.create").click().run()
    assert not app.exception
    assert names(store)[-1] == "Greens"
    assert store.wording(1).topics.added == {4: {"tree": 1.0, "garden": 1.0}}


def test_chosen_documents_become_a_topic_or_move(store, project):
    def selection():
        from tsnmf_ui import state
        from tsnmf_ui.widgets import topic_operations

        state.show_messages()
        project = state.require_project()
        topic_operations.draw_selection(project, state.current_run(project), (7, 8))

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
    assert operating.read_words(1, "Leaking pipes; bench,") == ["leak", "pipe", "bench"]


def topics_page():
    from tsnmf_ui.pages import topics

    topics.page()


def test_after_an_operation_the_diff_is_told_topic_by_topic(store, project):
    store.record(1, RenameTopic(3, "<b>Parks</b>"), author="ann")
    store.record(1, RemoveWord(2, "noise"), author="bob")
    worker.refit(store, 1)
    app = opened(topics_page, project)
    assert "ts-changes" not in html(app)  # closed, and not read
    app.session_state["topics.changes"] = True
    table = html(app.run()).split('class="ts-table ts-changes"')[1]
    rows = table.split("</table>")[0].split("<tr>")[2:]
    assert [row.count("an act spoke of it") for row in rows] == [1, 1, 0, 0]
    noise = next(row for row in rows if "Noise</span>" in row)
    assert "<td>–</td><td>noise</td><td>5 of 6</td>" in noise
    assert "&lt;b&gt;Parks&lt;/b&gt;</span>" in table
    assert "<b>Parks" not in table
    assert "moved to another main topic" in table


def test_a_first_fit_has_no_diff(project):
    assert refit_changes.TITLE not in [box.label for box in opened(topics_page, project).expander]


def test_texts_that_went_other_ways_are_counted_too():
    told = {"moved": 1_250, "flows": [{"from": "A", "to": "B", "texts": 1_200}]}
    assert refit_changes._moved(told).endswith(": A → B (1,200), other ways (50).")
