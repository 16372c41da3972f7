"""The Projects page: opens empty, opens full, and each of its actions does what it says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.corpus import Corpus
from core.store import (
    CreateTopic,
    DoubleCoding,
    Label,
    ProjectSettings,
    RunOutcome,
    RunScores,
    RunSummary,
    Store,
)
from core.store.database import HOME_VARIABLE, URL_VARIABLE
from tsnmf_ui.pages.projects.card import _facts, _score, ago
from tsnmf_ui.pages.projects.page import WHOLE_LOG_IN_FILE
from tsnmf_ui.server import state
from tsnmf_ui.theme.texts import escape_markdown

CORPUS = Corpus(ids=("a", "b", "c", "d"), texts=("bins", "lamps", "roads", "noise"))


def projects_page() -> None:
    from tsnmf_ui.pages.projects import page as projects
    from tsnmf_ui.server import state

    state.show_messages()
    projects.page()


def page_of_a_project() -> None:
    from tsnmf_ui.server import state

    state.require_project()


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    monkeypatch.delenv(URL_VARIABLE, raising=False)
    state.server_store.cache_clear()
    opened = state.server_store()
    yield opened
    opened.close()
    state.server_store.cache_clear()


@pytest.fixture
def desk(store: Store) -> Store:
    acts = [(CreateTopic("Waste <b>"), "ann"), (Label(0, (1,)), "ann")]
    store.create_project("Desk <i>one</i>", CORPUS, author="ann", first_events=acts)
    return store


def test_no_visitor_can_have_the_store_opened_anew(store: Store) -> None:
    """As Streamlit's “clear cache” would, which every browser can send, signed in or not."""
    st.cache_resource.clear()
    assert state.server_store() is store


def show() -> AppTest:
    page = AppTest.from_function(projects_page, default_timeout=30).run()
    assert not page.exception
    return page


def press(page: AppTest, key: str) -> AppTest:
    page.button(key=key).click().run()
    assert not page.exception
    return page


def bodies(page: AppTest) -> str:
    return " ".join(element.proto.body for element in page.get("html"))


def test_an_empty_page_says_what_to_do(store: Store) -> None:
    page = show()
    assert "Teach a topic model" in bodies(page)
    assert {"projects.demo", "projects.new"} <= {button.key for button in page.button}


def test_a_card_tells_the_project_and_escapes_it(desk: Store) -> None:
    body = bodies(show())
    assert "Desk &lt;i&gt;one&lt;/i&gt;" in body
    assert "4 texts" in body
    assert "<b>1</b> labelled" in body
    assert "width:25.0%" in body
    assert "Waste &lt;b&gt;" in body
    assert "not fitted yet" in body


def test_open_makes_it_the_open_project(desk: Store) -> None:
    page = press(show(), "projects.open.1")
    assert page.session_state[state.PROJECT] == 1
    assert page.query_params[state.PROJECT] == "1"


def test_new_project_leaves_the_open_one(desk: Store) -> None:
    page = press(press(show(), "projects.open.1"), "projects.new")
    assert state.PROJECT not in page.session_state


def test_the_demo_is_made_once(store: Store) -> None:
    page = press(show(), "projects.demo")
    demo = store.projects()[0]
    assert demo.settings.demo
    assert demo.n_labelled > 0
    assert page.session_state[state.PROJECT] == demo.id
    store.duplicate_project(demo.id)
    again = press(show(), "projects.demo")
    assert again.session_state[state.PROJECT] == demo.id
    assert len(store.projects()) == 2


def test_rename(desk: Store) -> None:
    page = show()
    page.text_input(key="projects.name.1").set_value("Harbour desk")
    page = press(page, "projects.rename.1")
    assert desk.project(1).name == "Harbour desk"
    assert "Harbour desk" in page.toast[0].value


def test_a_bad_name_is_one_sentence(desk: Store) -> None:
    page = show()
    page.text_input(key="projects.name.1").set_value("   ")
    page = press(page, "projects.rename.1")
    assert page.error[0].value == escape_markdown("A project needs a name.")
    assert desk.project(1).name == "Desk <i>one</i>"


def test_duplicate(desk: Store) -> None:
    page = press(show(), "projects.duplicate.1")
    assert [project.n_labelled for project in desk.projects()] == [1, 1]
    assert "copy" in bodies(page)


def test_delete_and_undo(desk: Store) -> None:
    page = press(press(show(), "projects.open.1"), "projects.delete.1")
    assert desk.projects() == []
    assert state.PROJECT not in page.session_state
    page = press(page, "projects.undo")
    assert [project.id for project in desk.projects()] == [1]
    assert "projects.undo" not in {button.key for button in page.button}


def test_a_deleted_project_waits_for_another_visit(desk: Store) -> None:
    desk.delete_project(1)
    press(show(), "projects.restore.1")
    assert desk.project(1).n_labelled == 1


def test_export_and_import(desk: Store, tmp_path: Path) -> None:
    file = desk.export_project(1, tmp_path / "desk.studio.zip")
    page = show()
    page.file_uploader[0].upload("desk.studio.zip", file.read_bytes()).run()
    assert not page.exception
    assert [project.n_labelled for project in desk.projects()] == [1, 1]
    assert "imported with its history" in page.toast[0].value


def test_a_file_that_is_no_project_is_one_sentence(desk: Store) -> None:
    page = show()
    page.file_uploader[0].upload("desk.studio.zip", b"not a zip").run()
    assert "not a project" in page.error[0].value
    assert len(desk.projects()) == 1


def test_file_names_are_plain() -> None:
    from tsnmf_ui.pages.projects import page as projects

    assert projects._file_name("../Désk: Q1 / 2026") == "désk-q1-2026"
    assert projects._file_name("???") == "project"


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (timedelta(seconds=5), "just now"),
        (timedelta(seconds=61), "1 minute ago"),
        (timedelta(hours=5), "5 hours ago"),
        (timedelta(days=2), "2 days ago"),
        (timedelta(days=90), "03 Oct 2025"),
    ],
)
def test_ages_as_one_says_them(age: timedelta, words: str) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert ago(now - age, now) == words


def test_a_fitted_project_tells_its_score(desk: Store) -> None:
    import numpy as np

    from core.spec import ModelSpec
    from core.topics import Topics

    topics = Topics(
        doc_topic=np.ones((4, 1)),
        topic_term=np.ones((1, 1)),
        terms=("x",),
        doc_ids=CORPUS.ids,
        names=("Waste",),
        keys=(1,),
        n_supervised=1,
        spec=ModelSpec(),
    )
    scores = RunScores(mean_jaccard=0.314, n_resolved=2, n_labels=3)
    desk.add_run(
        1,
        revision=2,
        topics=topics,
        outcome=RunOutcome(scores=scores),
        seconds=0.094,
        settings=ProjectSettings(),
    )
    body = bodies(show())
    assert "just now, in 0.09\u00a0s" in body
    assert "2 of 3 labels resolved · Jaccard 0.31" in body


def test_a_card_claims_no_match_where_none_was_counted() -> None:
    scores = RunScores(mean_jaccard=0.0, n_labels=0, n_resolved=0, adherence=1.0, n_labelled=4)
    made = RunSummary(run=1, revision=1, seconds=0.1, scores=scores, finished=datetime.now(UTC))
    assert _score(made) == ("Labels", "4 texts used in the fit")
    broken = replace(made, scores=replace(scores, adherence=0.95))
    shown = '<b class="ts-bad">5.0\u00a0% not followed</b>'
    assert _score(broken) == ("Labels", shown)
    assert _score(replace(broken, scores=replace(broken.scores, n_labels=3))) == ("Labels", shown)
    tested = replace(made, scores=replace(scores, left_out_right=14, left_out_of=22))
    assert _score(tested) == ("Score", "right on 14 of 22 labels left out, 64\u00a0%")


def test_a_score_that_is_no_number_is_no_markup() -> None:
    scores = RunScores(mean_jaccard=0.5, n_labels=3, n_resolved="<b>2", adherence=1.0)  # type: ignore[arg-type]
    made = RunSummary(run=1, revision=1, seconds=0.1, scores=scores, finished=datetime.now(UTC))
    assert _score(made) == ("Score", "&lt;b&gt;2 of 3 labels resolved · Jaccard 0.50")


def test_a_score_says_how_many_labels_it_is_about_once_there_are_others(desk: Store) -> None:
    scores = RunScores(mean_jaccard=0.5, n_labels=3, n_resolved=2, adherence=1.0, n_labelled=4)
    made = RunSummary(run=1, revision=1, seconds=0.1, scores=scores, finished=datetime.now(UTC))
    project = replace(desk.projects()[0], last_run=made, n_labelled=4)
    assert _facts(project)[1] == ("Score", "2 of 3 labels resolved · Jaccard 0.50")
    later = replace(project, n_labelled=9)
    assert _facts(later)[1] == ("Score", "2 of 3 labels resolved · Jaccard 0.50 · with 4 labels")


def test_the_export_says_that_it_holds_hidden_labels(desk: Store) -> None:
    captions = [each.value for each in show().caption]
    assert WHOLE_LOG_IN_FILE not in captions
    desk.record(1, DoubleCoding(0.5), author="ann")
    assert WHOLE_LOG_IN_FILE in [each.value for each in show().caption]


@pytest.mark.parametrize("number", ["9" * 19, "9" * 5_000])
def test_an_address_with_an_impossible_number_opens_nothing(store: Store, number: str) -> None:
    app = AppTest.from_function(page_of_a_project, default_timeout=60)
    app.query_params["project"] = number
    assert not app.run().exception
    assert app.button(key="empty-state-projects")
