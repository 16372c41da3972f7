"""The History page: every act in words, filters in the address, and restoring a point."""

from __future__ import annotations

import pytest

from core.store import Label, RenameTopic, Restore, Store
from tests.ui import small
from tests.ui.results_app import html, opened, said
from tsnmf_ui import state


def history_page():
    from tsnmf_ui.pages import history

    history.page()


@pytest.fixture
def store(tmp_path, monkeypatch):
    with Store.open(home=tmp_path) as store:
        monkeypatch.setattr(state, "store", lambda: store)
        monkeypatch.setattr(state, "author", lambda: "ann")
        yield store


@pytest.fixture
def project(store):
    return small.project(store)  # three topics, six labels


def test_without_a_project_it_says_what_to_do(store):
    assert "Open a project first" in said(opened(history_page))


def test_before_the_first_act_it_says_what_will_be_listed(store):
    made = store.create_project("Empty", small.corpus(), author="ann")
    assert "Nothing has been done here yet" in said(opened(history_page, made))


def test_every_act_is_a_line_with_author_before_and_after(store, project):
    store.record(project.id, Label(0, (2,), note="<b>loud</b>"), author="Ben & Co")
    page = html(opened(history_page, project))
    assert page.count('class="ts-act') == 10
    assert "Ben &amp; Co" in page
    assert "<i>Water → </i>Noise" in page
    assert "Note: &lt;b&gt;loud&lt;/b&gt;" in page


def test_filters_narrow_the_list(store, project):
    store.record(project.id, RenameTopic(1, "Mains"), author="ben")
    app = opened(history_page, project)
    app.multiselect(key="who").set_value(["ben"]).run()
    assert html(app).count('class="ts-act') == 1
    app.multiselect(key="who").set_value([]).run()
    app.selectbox(key="topic").set_value(1).run()
    assert html(app).count('class="ts-act') == 4  # its creation, two labels, its new name
    app.text_input(key="words").set_value("d3").run()
    assert html(app).count('class="ts-act') == 1
    app.text_input(key="words").set_value("zeppelin").run()
    assert "No act matches" in said(app)


def test_long_histories_come_in_pages(store, project):
    for position in range(40):
        store.record(project.id, Label(position % 30, (1 + position % 2,)), author="ann")
    app = opened(history_page, project, page="2")
    page = html(app)
    assert page.count('class="ts-act') == 24  # of 49 acts
    assert "Created the topic “Water”" in page


def test_a_restore_is_announced_done_and_undone(store, project):
    before = store.annotations(project.id)
    app = opened(history_page, project)
    app.button(key="history.restore.3").click().run()
    assert "6 documents lose their labels" in said(app)
    assert store.annotations(project.id) == before  # only told so far
    app.button(key="history.confirm").click().run()
    assert store.annotations(project.id) == {}
    assert store.events(project.id)[-1].payload == {"to": 3}
    app.button(key="history.undo").click().run()
    assert store.annotations(project.id) == before


def test_where_nothing_would_change_nothing_is_offered(store, project):
    app = opened(history_page, project)
    app.button(key=f"history.restore.{project.revision}").click().run()
    assert "already as it was" in said(app)
    assert not [button for button in app.button if button.key == "history.confirm"]


def test_the_acts_of_a_batch_unfold(store, project):
    acts = [Label(7, (1,)), Label(8, (2,))]
    head = store.record_batch(project.id, "Import of more.csv", acts, author="ann")
    app = opened(history_page, project)
    assert "Import of more.csv (2 acts)" in html(app)
    app.button(key=f"history.unfold.{head.id}").click().run()
    assert html(app).count('class="ts-act') == 2
    app.button(key="history.fold").click().run()
    assert html(app).count('class="ts-act') == 10


def test_nothing_to_redo_is_said(store, project):
    store.record(project.id, Restore(2), author="ben")
    app = opened(history_page, project)
    app.button(key="history.redo").click().run()
    assert app.info[0].value == "There is nothing of yours to redo."
