"""Downloads beside the page: progress, cancel, one sentence on failure."""

from __future__ import annotations

import threading

from streamlit.testing.v1 import AppTest

from core.errors import Cancelled, CorpusError
from tsnmf_ui import jobs
from tsnmf_ui.jobs import JobRunner, download_kind
from tsnmf_ui.jobs.executors import THREAD, ThreadPerJob
from tsnmf_ui.jobs.kinds import download
from tsnmf_ui.pages.corpus import intake

REUTERS = download_kind("reuters")
MB = 1_000_000


class Paced:
    """A fetch that waits for the test between its steps."""

    def __init__(self, ending: Exception | None = None) -> None:
        self.half, self.go, self.ending = threading.Event(), threading.Event(), ending
        self.calls = 0

    def __call__(self, progress) -> None:
        self.calls += 1
        progress(3 * MB, 6 * MB)
        self.half.set()
        self.go.wait(20)
        if self.ending:
            raise self.ending
        if progress(6 * MB, 6 * MB):
            raise Cancelled("stopped")


def runner_of(paced) -> JobRunner:
    return JobRunner(
        lambda progress: {THREAD: ThreadPerJob(None, progress)}, kinds={REUTERS: download(paced)}
    )


def test_a_download_runs_to_its_end():
    paced = Paced()
    runner = runner_of(paced)
    runner.request(REUTERS)
    assert paced.half.wait(20)
    now = runner.state(REUTERS)
    assert (now.phase, now.share, now.doing) == ("running", 0.5, "3.0 of 6.0 MB")
    assert now.seconds_left is None  # one step is no measure of the others
    runner.request(REUTERS)  # a second click changes nothing
    paced.go.set()
    assert runner.wait(REUTERS, 0, 20).phase == "done"
    assert paced.calls == 1


def test_a_download_whose_size_is_unknown_tells_what_is_there():
    told = []
    work = download(lambda progress: progress(1_500_000, None)).work

    class Told:
        def tell(self, *report):
            told.append(report)

    work(None, 0, {}, Told())
    assert told == [(0.0, None, "1.5 MB")]


def test_a_download_can_be_stopped():
    paced = Paced()
    runner = runner_of(paced)
    runner.request(REUTERS)
    runner.cancel(REUTERS)
    paced.go.set()
    assert runner.wait(REUTERS, 0, 20).phase == "cancelled"


def test_a_failure_is_told():
    paced = Paced(CorpusError("It is offline."))
    paced.go.set()
    runner = runner_of(paced)
    runner.request(REUTERS)
    ended = runner.wait(REUTERS, 0, 20)
    assert (ended.phase, ended.error, ended.share) == ("failed", "It is offline.", 0.5)


def page():
    from tsnmf_ui.pages.corpus.collections import collections_list

    collections_list()


def test_the_page_offers_to_fetch_shows_how_far_and_says_why_not(monkeypatch):
    paced = Paced(CorpusError("It is <offline>."))
    monkeypatch.setattr(
        intake, "COLLECTIONS", {"reuters": ("Reuters", "10,788 news wires", lambda: False)}
    )
    with jobs.serving(runner_of(paced)) as runner:
        app = AppTest.from_function(page, default_timeout=30).run()
        app.button(key="corpus.fetch.reuters").click()
        app.run()
        assert paced.half.wait(20)
        app.run()
        assert app.button(key="corpus.stop.reuters").label == "Stop"
        assert "Downloading Reuters: 3.0 of 6.0 MB" in app.get("progress")[0].proto.text
        paced.go.set()
        runner.wait(REUTERS, 0, 20)
        app.run()
    assert not app.exception
    bodies = "".join(str(element.proto.body) for element in app.get("html"))
    assert "It is &lt;offline&gt;." in bodies
    assert app.button(key="corpus.fetch.reuters").label == "Download Reuters"
