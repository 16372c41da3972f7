"""Present: one idea per screen, live or from a file; a label given together changes the model."""

from __future__ import annotations

import io
from dataclasses import replace
from html import escape

from core import report
from core.workspace import Workspace
from core.workspace.refits.refit import refit
from core.workspace.results import newest_fit
from tests.core.report.material import report as hostile_report
from tests.ui.pages.results_app import fitted, html, opened, report_page
from tsnmf_ui.pages.report.present.screens import screens_of, trends_figure


def test_screens_are_escaped_and_only_a_live_one_can_label():
    described = hostile_report()
    screens = screens_of(described, live=False)
    names = [screen.name for screen in screens]
    assert names[0] == "Title"
    assert [name for name in names if name in ("<b>Bills", "=1+1", "Free 1")]
    assert "Label together" not in names
    assert "Label together" in [screen.name for screen in screens_of(described, live=True)]
    page = "".join(screen.html for screen in screens)
    assert "<script" not in page
    assert "<b>Bills" not in page
    assert escape("<b>Bills") in page


def test_arrows_lead_through_the_screens(store):
    app = opened(report_page, fitted(store), present="1")
    assert "ts-p-title" in html(app)
    app.button(key="present.on").click().run()
    assert "This report describes 3 topics" in html(app)
    app.button(key="present.back").click().run()
    assert "ts-p-title" in html(app)


def test_the_audience_labels_a_text_and_sees_what_the_model_makes_of_it(store, recorded_jobs):
    project = fitted(store)
    app = opened(report_page, project, present="1")
    last = len(screens_of(Workspace(store).report(1), live=True)) - 2
    for _ in range(last):
        app.button(key="present.on").click().run()
    assert "Which topic is this about?" in html(app)
    before = newest_fit(store, 1)[0].id
    app.button(key="present.topic.2").click().run()
    assert store.project(1).n_labelled == project.n_labelled + 1
    assert any(each[0] == "fit" for each in recorded_jobs.requested)
    assert "Reading 30 texts again" in html(app)
    assert refit(store, 1).id > before
    app.run()
    assert "moved to another topic." in html(app)
    app.button(key="present.undo").click().run()
    assert store.project(1).n_labelled == project.n_labelled


def test_a_report_is_presented_from_its_file(store):
    app = opened(report_page, fitted(store), present="file")
    uploader = app.get("file_uploader")[0]
    uploader.upload("other.json", b'{"format": "other"}').run()
    assert "The file is no report of" in app.error[0].value
    file = io.BytesIO()
    report.FORMATS["json"].write(hostile_report(), file)
    app.get("file_uploader")[0].upload("report.json", file.getvalue()).run()
    app.run()
    assert "Desk &lt;i&gt;2026" in html(app)
    assert not app.exception


def test_the_chart_leaves_out_a_topic_that_has_no_trend():
    """A report from a file may say nothing of the largest one."""
    described = hostile_report()
    first, *others = sorted(described.topics, key=lambda topic: -topic.share)
    assert all(topic.trend for topic in others)
    without = replace(described, topics=(replace(first, trend=()), *others))
    lines = [each.name for each in trends_figure(without).data if each.mode == "lines+markers"]
    assert lines == [topic.name for topic in others]
