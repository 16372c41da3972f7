"""The size of one label's group, set beside its topic."""

from __future__ import annotations

import pytest

from core.workspace.refits.refit import refit
from tests.ui.pages.results_app import fitted, opened


def beside_first_topic():
    from tsnmf_ui.pages.topics.operations import topic_parts
    from tsnmf_ui.server import state

    project = state.require_project()
    run = state.store().current_run(project.id)
    for topic in (0, len(run.topic_ids)):  # a label's topic, and one the model found
        topic_parts.render(project, run, topic)


@pytest.fixture
def store(store, recorded_jobs):
    recorded_jobs.on_request = lambda kind, project: refit(store, project)
    return store


def parts(store, project):
    return store.run_topics(store.current_run(project.id)).parts


def test_a_size_set_by_hand_is_fitted_and_given_back(store):
    project = fitted(store)
    app = opened(beside_first_topic, project)
    assert [radio.value for radio in app.radio] == ["Same as all labels"]
    app.radio(key="topics.parts.1").set_value("Fixed number").run()
    app.number_input(key="topics.parts.1.number").set_value(3).run()
    app.button(key="topics.parts.1.use").click().run()
    assert not app.exception
    assert parts(store, project)[0] == (0, 1, 2)
    app = opened(beside_first_topic, project)
    assert app.number_input(key="topics.parts.1.number").value == 3
    app.radio(key="topics.parts.1").set_value("Same as all labels").run()
    app.button(key="topics.parts.1.use").click().run()
    assert store.project(project.id).settings.spec == project.settings.spec
    assert parts(store, project)[0] == (0,)
