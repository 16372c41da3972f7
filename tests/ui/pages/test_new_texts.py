"""New texts on the Corpus page: a file goes to a job, and what it found is shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import Cancelled, NotFound
from core.store.members.personal_store import PersonalStore
from core.workspace.caches.paths import new_texts_path
from core.workspace.new_texts import FILES_KEPT, PredictedTexts, keep_upload, predict_texts
from tests.core.workspace import small
from tests.ui.pages.results_app import corpus_page, fitted, opened
from tsnmf_ui import jobs

FILE = b"id,message,left\nn1,the pipe and the tap leak,x\nn2,music at night,y\nn3,xylophone,\n"


@pytest.fixture
def project(store):
    return fitted(store)


def predicted(store, project, tell=lambda share: False) -> PredictedTexts:
    upload = keep_upload(store, project.id, FILE)
    return predict_texts(store, project.id, {"upload": upload, "name": "june.csv"}, tell)


def test_an_upload_becomes_a_job_and_its_result_a_table(store, project, recorded_jobs):
    app = opened(corpus_page, project)
    app.file_uploader(key="new-texts.file.1").upload("june.csv", FILE).run()
    app.button(key="new-texts.predict").click().run()
    assert not app.exception
    [(kind, number, arguments)] = recorded_jobs.requested
    assert (kind, number, arguments["text"]) == (jobs.PREDICT, 1, "message")
    found = predict_texts(store, 1, arguments, lambda share: False)
    state = jobs.JobState(jobs.PREDICT, 1, "done", result=found)
    recorded_jobs.states[jobs.PREDICT] = state
    app.run()
    assert not app.exception
    shown = app.dataframe[-1].value
    assert shown["labels"].tolist() == ["Water", "Noise", ""]
    said = " ".join(each.value.replace("\\", "") for each in app.caption)
    assert "No topic for 1 text: no word that the model knows." in said
    assert "Not used: left." in said
    others = replace(found, author="somebody else", first=({"id": "s", "text": "secret"},))
    recorded_jobs.states[jobs.PREDICT] = replace(state, result=others)
    assert app.run().dataframe[-1].value["labels"].tolist() == ["Water", "Noise", ""]
    assert len(opened(corpus_page, project).dataframe) == len(app.dataframe) - 1  # in a new tab
    recorded_jobs.states[jobs.PREDICT] = replace(state, result=replace(found, run=99))
    assert "another fit since" in " ".join(
        each.value for each in opened(corpus_page, project).caption
    )


def test_the_job_writes_the_table_and_drops_the_upload(store, project):
    found = predicted(store, project)
    assert (found.n_texts, found.file, len(found.first)) == (3, "june.csv", 3)
    with open(found.table, encoding="utf-8-sig") as file:
        assert len(file.readlines()) == 4
    with pytest.raises(Cancelled):
        predicted(store, project, lambda share: True)


def test_two_people_who_ask_at_once_each_get_their_own_table(store, project):
    uploads = {name: keep_upload(store, 1, FILE[:end]) for name, end in [("a", 46), ("b", None)]}
    found = {
        name: predict_texts(store, 1, {"upload": upload, "name": name}, lambda share: False)
        for name, upload in uploads.items()
    }
    assert {name: each.n_texts for name, each in found.items()} == {"a": 1, "b": 3}
    assert found["a"].table != found["b"].table
    for _ in range(FILES_KEPT):
        keep_upload(store, 1, FILE)
    kept = new_texts_path(store, 1, "").iterdir()
    assert [path.suffix for path in kept] == [".upload"] * FILES_KEPT


def test_whoever_may_not_read_the_project_leaves_no_file_there(store, project):
    with pytest.raises(NotFound):
        keep_upload(PersonalStore(store, "stranger"), project.id, FILE)
    assert not list(new_texts_path(store, 1, "").parent.glob("*/*.upload"))


def test_before_the_first_fit_there_is_nothing_to_ask(store, recorded_jobs):
    app = opened(corpus_page, small.project(store))
    assert not app.exception
    assert any("Once the project is fitted" in each.value for each in app.caption)
