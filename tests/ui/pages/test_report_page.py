"""The Report page: opens empty and full, keeps the wording, hands out both files."""

from __future__ import annotations

import csv
import io

import pytest

from core.store import Label
from core.workspace.scores import evaluate
from tests.core.workspace import small
from tests.ui.pages.results_app import fitted, html, opened, report_page, said
from tsnmf_ui import figures


@pytest.fixture
def store(store, monkeypatch):
    monkeypatch.setattr(figures, "plotly_js", lambda: "/* plotly */")
    return store


@pytest.fixture
def files(monkeypatch):
    """What the download buttons would hand out, made at once instead of on the click."""
    import streamlit as st

    made: dict[str, object] = {}
    plain = st.download_button

    def button(label, data, **rest):
        made[rest["key"]] = data() if callable(data) else data
        return plain(label, "x", **rest)

    monkeypatch.setattr(st, "download_button", button)
    return made


def preview(app):
    return str(app.get("iframe")[0].proto)


def test_without_a_project_it_says_what_to_do(store):
    assert "Open a project first" in said(opened(report_page))


def test_before_the_first_fit_it_offers_one(store):
    assert "No topics yet" in said(opened(report_page, small.project(store)))


def test_it_opens_with_a_summary_of_its_own(store):
    app = opened(report_page, fitted(store))
    assert app.text_input(key="report.title.1").value == "Desk"
    assert "4 topics in 30 texts" in app.text_area(key="report.summary.1").placeholder
    assert 'sandbox="allow-scripts"' in preview(app).replace('\\"', '"')


def test_title_and_summary_reach_the_file_and_stay_after_a_reload(store, files):
    project = fitted(store)
    app = opened(report_page, project)
    app.text_input(key="report.title.1").set_value("Spring <1>").run()
    app.text_area(key="report.summary.1").set_value("Our own words.").run()
    for again in (app, opened(report_page, project)):
        assert again.text_input(key="report.title.1").value == "Spring <1>"
        assert again.text_area(key="report.summary.1").value == "Our own words."
        assert "<h1>Spring &lt;1&gt;</h1>" in files["report.html"]
        assert "<p>Our own words.</p>" in files["report.html"]
    assert [event.kind for event in store.events(1)[-2:]] == ["report", "report"]
    assert "since</span>" not in html(app)  # no fit hears of it


def test_an_undo_elsewhere_is_seen_and_an_emptied_title_is_the_projects(store, files):
    project = fitted(store)
    app = opened(report_page, project)
    app.text_input(key="report.title.1").set_value("Spring").run()
    store.undo(1, author=store.events(1)[-1].author)
    app.run()
    assert app.text_input(key="report.title.1").value == "Desk"
    app.text_input(key="report.title.1").set_value("Summer").run()
    app.text_input(key="report.title.1").set_value("").run()
    assert app.text_input(key="report.title.1").value == "Desk"
    assert "<h1>Desk</h1>" in files["report.html"]


def test_a_summary_that_is_older_than_the_labels_says_so(store, files):
    project = fitted(store)
    app = opened(report_page, project)
    app.text_area(key="report.summary.1").set_value("Our own words.").run()
    assert "wrote this summary" not in files["report.html"]
    store.record(1, Label(20, (3,)), author="bob")
    app.run()
    assert "wrote this summary on" in files["report.html"]
    assert "1 event since then." in files["report.html"]


def test_words_that_cannot_be_kept_are_refused_with_a_sentence(store):
    app = opened(report_page, fitted(store))
    app.text_input(key="report.title.1").set_value("a\x00b").run()
    assert app.text_input(key="report.title.1").value == "Desk"
    assert not app.exception


def test_the_automatic_summary_can_be_taken_over(store):
    app = opened(report_page, fitted(store))
    app.button(key="report.edit").click().run()
    assert app.text_area(key="report.summary.1").value.startswith("This report describes 4 topics")


def test_the_page_holds_three_figures_and_the_work(store, files):
    project = fitted(store)
    evaluate.evaluate(store, project.id, {}, lambda share: False)
    opened(report_page, project)
    page = files["report.html"]
    for place in ("shares", "association", "matching"):
        assert f'id="figure-{place}"' in page
    assert "<dt>by ann</dt><dd>6</dd>" in page


def test_a_fit_without_scores_has_them_computed(store, files, recorded_jobs):
    project = fitted(store)
    opened(report_page, project)
    assert "The scores of this run have not been computed yet." in files["report.html"]
    assert recorded_jobs.requested == [("evaluate", project.id)]
    evaluate.evaluate(store, project.id, {}, lambda share: False)
    opened(report_page, project)
    assert "Scored against the labels in the file, on 24 texts" in files["report.html"]


def test_the_table_has_every_document(store, files):
    opened(report_page, fitted(store))
    rows = list(csv.DictReader(io.StringIO(files["report.csv"].decode("utf-8-sig"))))
    assert len(rows) == 30
    assert rows[0]["labels"] == rows[0]["given labels"] == rows[0]["main topic"] == "Water"


def test_file_names_are_harmless():
    from tsnmf_ui.pages.report.page import _file_name

    assert _file_name("Ämter & Wege / 2026") == "ämter-wege-2026"
    assert _file_name("***") == "report"
