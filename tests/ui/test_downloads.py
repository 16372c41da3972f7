"""Downloads beside the page: progress, cancel, one sentence on failure."""

from __future__ import annotations

import threading

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import Cancelled, CorpusError
from tsnmf_ui import intake
from tsnmf_ui.downloads import Download, Downloads
from tsnmf_ui.widgets import collections_list as widget


class Paced:
    """A fetch that waits for the test between its steps."""

    def __init__(self, ending: Exception | None = None) -> None:
        self.half, self.go, self.ending = threading.Event(), threading.Event(), ending

    def __call__(self, progress) -> None:
        progress(50, 100)
        self.half.set()
        self.go.wait(20)
        if self.ending:
            raise self.ending
        if progress(100, 100):
            raise Cancelled("stopped")


def test_a_download_runs_to_its_end():
    paced = Paced()
    downloads = Downloads({"reuters": paced})
    downloads.start("reuters")
    assert paced.half.wait(20)
    now = downloads.state("reuters")
    assert (now.phase, now.share) == ("running", 0.5)
    assert now.seconds_left(now.started + 3) == pytest.approx(3)
    downloads.start("reuters")  # a second click changes nothing
    paced.go.set()
    assert downloads.wait("reuters", 20).phase == "done"


def test_a_download_can_be_stopped():
    paced = Paced()
    downloads = Downloads({"reuters": paced})
    downloads.start("reuters")
    downloads.cancel("reuters")
    paced.go.set()
    assert downloads.wait("reuters", 20).phase == "cancelled"


def test_a_failure_is_told():
    paced = Paced(CorpusError("It is offline."))
    paced.go.set()
    downloads = Downloads({"reuters": paced})
    downloads.start("reuters")
    assert downloads.wait("reuters", 20) == Download(
        "failed", 50, 100, downloads.state("reuters").started, "It is offline."
    )


def page():
    from tsnmf_ui.widgets.collections_list import collections_list

    collections_list()


def test_the_page_offers_to_fetch_shows_how_far_and_says_why_not(monkeypatch):
    paced = Paced(CorpusError("It is <offline>."))
    downloads = Downloads({"reuters": paced})
    monkeypatch.setattr(widget, "DOWNLOADS", downloads)
    monkeypatch.setattr(
        intake, "COLLECTIONS", {"reuters": ("Reuters", "10,788 news wires", lambda: False)}
    )
    app = AppTest.from_function(page, default_timeout=30).run()
    app.button(key="corpus.fetch.reuters").click()
    app.run()
    assert paced.half.wait(20)
    app.run()
    assert app.button(key="corpus.stop.reuters").label == "Stop"
    paced.go.set()
    downloads.wait("reuters", 20)
    app.run()
    assert not app.exception
    bodies = "".join(str(element.proto.body) for element in app.get("html"))
    assert "It is &lt;offline&gt;." in bodies
    assert app.button(key="corpus.fetch.reuters").label == "Fetch Reuters"
