"""Add texts on the Corpus page: a preview, the choices, the act and its undo."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.store import Skip
from core.workspace import Workspace
from tests.ui.pages.results_app import corpus_page, fitted, html, opened
from tsnmf_ui import jobs

FILE = b"id,message,district\nd1,noise of *drums* at night,North\nn1,a new park bench,West\nn2,,\n"


@pytest.fixture
def project(store):
    return fitted(store)


def upload(app: AppTest, data: bytes) -> AppTest:
    app.file_uploader(key="add-texts.file.0").upload("june.csv", data).run()
    assert not app.exception
    return app


def test_a_file_is_previewed_added_and_taken_back(store, project, recorded_jobs):
    app = upload(opened(corpus_page, project), FILE)
    told = " ".join(each.value.replace("\\", "") for each in app.markdown)
    assert "New texts: 1." in told
    assert "1 row left out: the text is empty (1); row 4." in told
    assert app.button(key="add-texts.do").label == "Add 1 text"
    app.radio(key="add-texts.existing").set_value("update").run()
    assert app.button(key="add-texts.do").label == "Add 1 text and update 1"
    app.button(key="add-texts.do").click().run()
    assert not app.exception
    assert store.project(1).n_docs == 31
    assert store.document(1, 1).text == "noise of *drums* at night"
    assert recorded_jobs.requested[-1] == (jobs.FULL_FIT, 1, {"afresh": True})
    app.button(key="add-texts.undo").click().run()
    assert not app.exception
    assert store.project(1).n_docs == 30
    assert len(recorded_jobs.requested) == 2


def test_texts_that_were_touched_offer_no_undo(store, project):
    Workspace(store, "ann").add_texts(1, file_of(store))
    store.record(1, Skip(30), author="ben")
    app = opened(corpus_page, project)
    assert not app.exception
    assert "add-texts.undo" not in {each.key for each in app.button}
    assert any("Added 1 text from" in each.value for each in app.caption)


def file_of(store):
    path = store.home / "june.csv"
    path.write_bytes(FILE)
    return path


def test_a_wrong_file_is_one_sentence(store, project):
    app = upload(opened(corpus_page, project), b"%PDF-1.7 no table")
    assert "june" in app.error[0].value
    assert store.project(1).n_docs == 30


def test_after_an_addition_it_says_what_is_told_of_the_first_file_alone(store, project):
    before = html(opened(corpus_page, project))
    assert "<span>rows skipped</span>" in before
    Workspace(store, "ann").add_texts(1, file_of(store))
    after = html(opened(corpus_page, project))
    assert "<b>31</b><span>texts</span>" in after
    assert "<span>rows of the first file skipped</span>" in after
    assert "First file: " in after
    assert "1 text was added, 1 text was there already, 1 row was left out" in after
