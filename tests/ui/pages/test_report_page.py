"""The Report page: opens empty and full, keeps the wording, hands out both files."""

from __future__ import annotations

import csv
import io
import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from core import report
from core.store import EditReport, Label
from core.workspace.reports import material, report_material, write_report_job
from core.workspace.results import results_of
from core.workspace.scores import evaluate
from tests.core.workspace import small
from tests.ui.pages.results_app import fitted, html, opened, report_page, said
from tsnmf_ui.jobs import JobState
from tsnmf_ui.pages.report import arrangement_form
from tsnmf_ui.server import tokens
from tsnmf_ui.theme.texts import file_stem


@pytest.fixture
def files(monkeypatch):
    """What the download buttons would hand out, made at once instead of on the click."""
    import streamlit as st

    made: dict[str, object] = {}
    plain = st.download_button

    def read(key, data):
        return data.decode() if key == "report.html" else data

    def button(label, data, **rest):
        made[rest["key"]] = read(rest["key"], data())
        return plain(label, "x", **rest)

    monkeypatch.setattr(st, "download_button", button)
    return made


def captions(app):
    return " ".join(each.value for each in app.caption)


def preview(app):
    return str(app.get("iframe")[0].proto)


def test_without_a_project_it_says_what_to_do(store):
    assert "Open a project first" in said(opened(report_page))


def test_before_the_first_fit_it_offers_one(store):
    assert "No topics yet" in said(opened(report_page, small.project(store)))


def test_it_opens_with_a_summary_of_its_own(store):
    app = opened(report_page, fitted(store))
    assert app.text_input(key="report.title.1").value == "Desk"
    assert "3 topics in 30 texts" in app.text_area(key="report.summary.1").placeholder
    assert "iframe sandbox title" in preview(app)


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
    assert app.text_area(key="report.summary.1").value.startswith("This report describes 3 topics")


def test_the_setting_on_top_holds_for_the_file_and_can_be_undone(store, files):
    project = fitted(store)
    app = opened(report_page, project)
    assert "<dt>by person 1</dt><dd>6</dd>" in files["report.html"]
    app.selectbox(key="report.people.1").set_value("named").run()
    assert "<dt>by ann</dt><dd>6</dd>" in files["report.html"]
    app.segmented_control(key="report.readers.1").set_value("public").run()
    assert "<blockquote>" not in files["report.html"]
    assert "Quotes are withheld." in files["report.html"]
    assert store.report_fields(1)["texts"].text == "without"
    store.undo(1, author=store.events(1)[-1].author)
    app.run()
    assert "<dt>by ann</dt><dd>6</dd>" in files["report.html"]
    assert "<blockquote>" in files["report.html"]


def test_nothing_is_described_or_drawn_again_on_a_rerun(store, monkeypatch):
    project = fitted(store)
    app = opened(report_page, project)
    calls = []

    def counted(module, name):
        plain = getattr(module, name)
        call = lambda *args, **rest: calls.append(name) or plain(*args, **rest)  # noqa: E731
        monkeypatch.setattr(module, name, call)

    for name in ("build_report", "render_html", "count_personal"):
        counted(report, name)
    counted(material, "shown_recipe")
    app.run()
    assert calls == []
    store.record(1, EditReport({"hidden": "3"}), author="ann")
    app.run()
    assert sorted(calls) == ["build_report", "render_html", "shown_recipe"]


def test_the_table_of_topics_orders_hides_and_comments(store, files):
    project = fitted(store)
    opened(report_page, project)
    found = results_of(store, project, resting=True)
    table = arrangement_form.topic_table(found, report_material(store, found))
    last = len(table) - 1
    edits = {last: {"place": 1, "comment": "See page 4."}, 0: {"shown": False}}
    fields = arrangement_form.edited_fields(table, edits)
    store.record(1, EditReport(fields), author="ann")
    opened(report_page, store.project(1))
    names = re.findall(r"<h3>(.*?)</h3>", files["report.html"])
    assert names[0] == table["topic"][last].replace("&", "&amp;")
    assert table["topic"][0] not in names[:last]
    assert '<p class="comment">See page 4.</p>' in files["report.html"]
    assert "1 topic is not shown" in files["report.html"]


def test_quotes_are_chosen_by_hand(store, files):
    project = fitted(store)
    app = opened(report_page, project)
    app.selectbox(key="report.quotes.1").set_value("chosen").run()
    assert "No quote was chosen." in files["report.html"]
    box = next(each for each in app.checkbox if str(each.key).startswith("report.quote.1."))
    box.check().run()
    assert files["report.html"].count("<blockquote>") == 1


def test_a_fit_without_scores_has_them_computed(store, files, recorded_jobs):
    project = fitted(store)
    opened(report_page, project)
    assert "The scores of this run have not been computed yet." in files["report.html"]
    assert recorded_jobs.requested == [("evaluate", project.id)]
    evaluate.evaluate(store, project.id, {}, lambda share: False)
    opened(report_page, project)
    assert "Scored against the labels in the file, on 24 texts" in files["report.html"]


def test_the_table_has_every_document(store, files):
    app = opened(report_page, fitted(store))
    app.selectbox(key="report.format").set_value("csv").run()
    rows = list(csv.DictReader(io.StringIO(files["report.csv"].decode("utf-8-sig"))))
    assert len(rows) == 30
    assert rows[0]["labels"] == rows[0]["given labels"] == rows[0]["main topic"] == "Water"


def test_outsiders_get_no_texts_in_tables_unless_somebody_chose_so(store, files):
    app = opened(report_page, fitted(store))
    app.selectbox(key="report.format").set_value("csv").run()
    assert app.segmented_control(key="report.readers.1").value == "others"
    assert b'"text"' not in files["report.csv"]
    assert "The texts themselves are left out" in captions(app)
    app.selectbox(key="report.texts.1").set_value("with").run()
    assert b'"text"' in files["report.csv"]
    assert "The texts themselves are left out" not in captions(app)


def test_a_large_report_is_written_by_a_job(store, files, recorded_jobs, monkeypatch):
    monkeypatch.setattr("tsnmf_ui.pages.report.files.TEXTS_AT_ONCE", 10)
    project = fitted(store)
    app = opened(report_page, project)
    app.selectbox(key="report.format").set_value("csv").run()
    app.button(key="report.make").click().run()
    (asked,) = [each for each in recorded_jobs.requested if each[0] == "report"]
    arguments = asked[2]
    told: list[float] = []
    path = write_report_job(store, project.id, arguments, lambda share: bool(told.append(share)))
    assert Path(path).read_bytes().startswith(b"\xef\xbb\xbf")
    app.run()
    (link,) = re.findall(r'ts-file-link.* href="([^"]+)"', html(app))
    ticket = tokens.ticket_of(parse_qs(urlsplit(unescape(link)).query)["file"][0])
    assert (ticket.path, ticket.name) == (path, "desk.csv")
    assert "report.csv" not in files  # which would be in memory
    store.record(1, EditReport({"texts": "with"}), author="ann")
    app.run()
    assert app.button(key="report.make")  # the file was made under another setting


@pytest.mark.parametrize(
    ("phase", "left", "sentence"),
    [
        ("waiting", None, "Waiting for other work"),
        ("running", None, "Preparing"),
        ("running", 42.0, "Writing, about 42\u00a0s left"),
    ],
)
def test_the_bar_says_what_a_large_report_is_at(
    store, recorded_jobs, monkeypatch, phase, left, sentence
):
    monkeypatch.setattr("tsnmf_ui.pages.report.files.TEXTS_AT_ONCE", 10)
    state = JobState("report", 1, phase=phase, seconds_left=left)
    monkeypatch.setattr(recorded_jobs, "state", lambda kind, project: state)
    app = opened(report_page, fitted(store))
    app.selectbox(key="report.format").set_value("csv").run()
    (bar,) = app.get("progress")
    assert bar.proto.text == sentence


def test_file_names_are_harmless():
    assert file_stem("Ämter & Wege / 2026") == "ämter-wege-2026"
    assert file_stem("***") == "report"
