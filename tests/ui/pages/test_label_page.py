"""The Label page as Streamlit draws it; the pane itself is tested in a browser."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.core.workspace import small
from tests.ui.pages.results_app import label_page
from tsnmf_ui.theme import texts


def test_without_a_project_the_page_says_what_to_do(store):
    at = AppTest.from_function(label_page, default_timeout=30).run()
    assert not at.exception
    assert at.markdown[0].value == texts.NEED_PROJECT
    assert at.button(key="empty-state-projects").label == texts.TO_PROJECTS


def test_with_a_project_the_pane_is_mounted(store):
    project = small.project(store)
    at = AppTest.from_function(label_page, default_timeout=30)
    at.query_params["project"] = str(project.id)
    at.run()
    assert not at.exception
    assert not at.button


def test_a_project_that_is_gone_is_forgotten(store):
    at = AppTest.from_function(label_page, default_timeout=30)
    at.query_params["project"] = "77"
    at.run()
    assert at.markdown[0].value == texts.NEED_PROJECT
    assert "project" not in at.query_params


def test_the_project_follows_to_the_next_run(store):
    project = small.project(store)
    at = AppTest.from_function(label_page, default_timeout=30)
    at.session_state["project"] = project.id
    at.run()
    assert at.query_params["project"] == str(project.id)
