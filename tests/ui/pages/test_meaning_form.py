"""The Meaning section of the Corpus page: says whether it is on and from where, and changes it."""

from __future__ import annotations

import io
import sys
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from streamlit.testing.v1 import AppTest

from core.store import Store
from core.workspace.caches import vectors
from tests.core.workspace import small
from tests.model_folders import install_packages, model_folder
from tests.ui.pages.results_app import corpus_page
from tests.wordllama import require_wordllama
from tsnmf_ui import jobs
from tsnmf_ui.jobs import JobState
from tsnmf_ui.pages.corpus.meaning_form import (
    MEANING_AUTO,
    MEANING_FOLDER,
    MEANING_OFF,
    MEANING_OWN,
)

PLACE = "corpus.meaning.1"


@pytest.fixture
def store(tmp_path, monkeypatch):
    from tsnmf_ui.server import state

    vectors.forget_vectors()
    opened = Store.open(home=tmp_path / "home")
    monkeypatch.setattr(state, "store", lambda: opened)
    yield opened
    opened.close()


@pytest.fixture
def app(store, recorded_jobs):
    small.project(store, meaning=MEANING_AUTO)
    app = AppTest.from_function(corpus_page, default_timeout=30)
    app.query_params["project"] = "1"
    return app


@pytest.fixture
def without_wordllama(monkeypatch):
    monkeypatch.setitem(sys.modules, "wordllama", None)


def html(app: AppTest) -> str:
    return "\n".join(str(element.proto.body) for element in app.get("html"))


def choose(app: AppTest, way: str) -> AppTest:
    app.run()
    next(c for c in app.segmented_control if c.key == f"{PLACE}.way").set_value(way)
    return app.run()


def npy(values: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


def parquet(**columns) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


def test_without_the_extra_it_is_off_and_says_how_to_switch_it_on(app, without_wordllama):
    app.run()
    assert not app.exception
    assert "<b>Off.</b> To switch it on, install the extra" in html(app)
    assert 'pip install "tsnmf-studio[meaning]"' in [code.value for code in app.code]
    assert "Texts that say the same in other words" in html(app)
    assert app.button(key=f"{PLACE}.save").disabled


def test_with_the_extra_it_says_from_where(app, store):
    require_wordllama()
    app.run()
    assert "<b>On its way.</b> The texts are read with the next fit." in html(app)
    vectors.encode(store, store.project(1))
    app.run()
    assert "<b>On</b>, from wordllama 256." in html(app)


def test_it_is_switched_off_and_refitted(app, store, recorded_jobs):
    choose(app, MEANING_OFF)
    app.button(key=f"{PLACE}.save").click().run()
    assert not app.exception
    assert store.project(1).settings.meaning == MEANING_OFF
    assert (jobs.FIT, 1) in recorded_jobs.requested
    assert (jobs.ENCODE, 1) in recorded_jobs.cancelled
    assert "<b>Off.</b>" in html(app)


def test_a_model_folder_is_tried_before_it_is_saved(
    app, store, recorded_jobs, tmp_path, monkeypatch
):
    install_packages(monkeypatch)
    choose(app, MEANING_FOLDER)
    assert app.button(key=f"{PLACE}.save").disabled
    app.text_input(key=f"{PLACE}.folder").set_value(str(tmp_path / "none")).run()
    app.button(key=f"{PLACE}.save").click().run()
    assert "There is no model2vec" in app.error[0].value.replace("\\", "")
    assert store.project(1).settings.meaning == MEANING_AUTO
    assert recorded_jobs.requested == []
    folder = str(model_folder(tmp_path))
    app.text_input(key=f"{PLACE}.folder").set_value(folder).run()
    app.button(key=f"{PLACE}.save").click().run()
    assert not app.error
    assert store.project(1).settings.meaning == folder
    assert (jobs.FIT, 1) in recorded_jobs.requested


def test_vectors_of_ones_own_are_uploaded(app, store, recorded_jobs):
    choose(app, MEANING_OWN)
    app.file_uploader(key=f"{PLACE}.file").upload("mine.npy", npy(np.ones((30, 4)))).run()
    app.button(key=f"{PLACE}.use").click().run()
    assert not app.exception
    assert store.project(1).settings.meaning == MEANING_OWN
    assert "<b>On</b>, from your own vectors (mine.npy)." in html(app)
    assert (jobs.FIT, 1) in recorded_jobs.requested


def test_a_bad_file_of_vectors_is_one_sentence_and_changes_nothing(app, store, recorded_jobs):
    choose(app, MEANING_OWN)
    app.file_uploader(key=f"{PLACE}.file").upload("mine.npy", npy(np.ones((29, 4)))).run()
    app.button(key=f"{PLACE}.use").click().run()
    assert not app.exception
    said = app.error[0].value.replace("\\", "")
    assert said == "mine.npy: there are 29 vectors for 30 texts."
    assert store.project(1).settings.meaning == MEANING_AUTO
    assert recorded_jobs.requested == []


def test_a_parquet_file_with_several_lists_asks_which(app, store):
    rows = np.ones((30, 2)).tolist()
    choose(app, MEANING_OWN)
    app.file_uploader(key=f"{PLACE}.file").upload("e.parquet", parquet(a=rows, b=rows)).run()
    app.selectbox(key=f"{PLACE}.column").select("b").run()
    app.button(key=f"{PLACE}.use").click().run()
    assert "from your own vectors (e.parquet, column “b”)." in html(app)


def test_vectors_given_before_can_be_used_again(app, store, recorded_jobs):
    from core.workspace.meaning import use_own_vectors

    project = use_own_vectors(store, store.project(1), np.ones((30, 2)))
    store.update_settings(1, replace(project.settings, meaning=MEANING_OFF))
    choose(app, MEANING_OWN)
    app.button(key=f"{PLACE}.save").click().run()
    assert store.project(1).settings.meaning == MEANING_OWN


def test_progress_and_failure_are_told(app, store, recorded_jobs, tmp_path):
    project = store.project(1)
    store.update_settings(1, replace(project.settings, meaning=str(tmp_path)))
    recorded_jobs.states[jobs.ENCODE] = JobState(
        jobs.ENCODE, 1, phase="running", share=0.4, seconds_left=12.0
    )
    app.run()
    assert "The texts are being read: 40\u00a0%, about 12\u00a0s left." in html(app)
    recorded_jobs.states[jobs.ENCODE] = JobState(
        jobs.ENCODE, 1, phase="failed", error="The <model> is broken.", title=str(tmp_path)
    )
    app.run()
    assert "The &lt;model&gt; is broken." in html(app)


def test_a_list_column_is_chosen_at_upload(store, recorded_jobs):
    texts = ["lamp in the street", "", "bins in the street", "lamp and bins"]
    data = parquet(body=texts, embedding=[[1.0, 0.0], [9.0, 9.0], [0.0, 1.0], [1.0, 1.0]])
    app = AppTest.from_function(corpus_page, default_timeout=30).run()
    app.file_uploader(key="corpus.file").upload("desk.parquet", data).run()
    (box,) = (each for each in app.selectbox if each.label == "Vectors")
    assert (box.value, box.options) == ("embedding", ["embedding", "(none)"])
    next(each for each in app.number_input if "In at most" in each.label).set_value(100).run()
    app.button(key="corpus.create").click().run()
    assert not app.exception
    (project,) = store.projects()
    assert (project.n_docs, project.settings.meaning) == (3, MEANING_OWN)
    own = store.own_vectors(project.id)
    assert own is not None
    assert own.values[:2].tolist() == [[1, 0], [0, 1]]
    assert own.source == "your own vectors (desk.parquet, column “embedding”)"


def test_a_list_column_may_be_left_alone_or_be_wrong(store, recorded_jobs):
    data = parquet(body=["lamp street", "bins street"], embedding=[[1.0, 0.0], [1.0]])
    app = AppTest.from_function(corpus_page, default_timeout=30).run()
    app.file_uploader(key="corpus.file").upload("desk.parquet", data).run()
    next(each for each in app.number_input if "In at most" in each.label).set_value(100).run()
    app.button(key="corpus.create").click().run()
    assert "row 2, column “embedding”" in app.error[0].value.replace("\\", "")
    assert store.projects() == []
    next(each for each in app.selectbox if each.label == "Vectors").select("(none)").run()
    app.button(key="corpus.create").click().run()
    (project,) = store.projects()
    assert project.settings.meaning == MEANING_AUTO
