"""Fetching a collection: whole or not at all, cancelled at once, one sentence when offline."""

from __future__ import annotations

import io
import urllib.error
import zipfile

import pytest

from core.errors import Cancelled, CorpusError
from core.loading import fetching, reuters_available
from core.loading.fetching import CHUNK_BYTES, fetch, fetch_newsgroups, fetch_reuters


class Answer(io.BytesIO):
    """What a server sends."""

    def __init__(self, data: bytes, length: int | None = None) -> None:
        super().__init__(data)
        self.headers = {} if length is None else {"Content-Length": str(length)}


def serving(data: bytes, length: int | None = None):
    return lambda url, timeout: Answer(data, length)


def archive(name: str = "reuters/cats.txt") -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr(name, "training/1 tea")
    return packed.getvalue()


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("NLTK_DATA", str(tmp_path / "nltk"))
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "sklearn"))
    return tmp_path


def left(home) -> list[str]:
    return [path.name for path in home.rglob("*") if path.is_file()]


def test_reuters_lands_where_nltk_looks(home):
    assert not reuters_available()
    seen = []
    fetch_reuters(lambda *progress: seen.append(progress), open=serving(archive(), 140))
    assert reuters_available()
    assert seen == [(len(archive()), 140)]
    assert left(home) == ["reuters.zip"]


def test_progress_is_told_and_may_stop_it(home):
    seen = []

    def stop_at_two(so_far, total):
        seen.append((so_far, total))
        return len(seen) == 2

    with pytest.raises(Cancelled, match="nothing was kept"):
        fetch_reuters(stop_at_two, open=serving(b"x" * 5 * CHUNK_BYTES))
    assert seen == [(CHUNK_BYTES, None), (2 * CHUNK_BYTES, None)]
    assert left(home) == []


@pytest.mark.parametrize("error", [urllib.error.URLError("no route"), TimeoutError()])
def test_offline_is_one_sentence(home, error):
    def dead(url, timeout):
        raise error

    with pytest.raises(CorpusError, match="20 Newsgroups could not be downloaded: this machine"):
        fetch_newsgroups(lambda *progress: None, open=dead)


@pytest.mark.parametrize("data", [b"<html>", archive("other.txt")])
def test_something_else_is_not_kept(home, data):
    with pytest.raises(CorpusError, match="The downloaded file is not"):
        fetch_reuters(lambda *progress: None, open=serving(data))
    assert left(home) == []


def test_newsgroups_must_have_the_right_fingerprint(home):
    with pytest.raises(CorpusError, match="The downloaded file is not"):
        fetch_newsgroups(lambda *progress: None, open=serving(b"not the archive"))


def test_a_full_disk_is_one_sentence(home):
    (home / "wall").write_text("a file, not a folder")
    with pytest.raises(CorpusError, match="could not be saved"):
        fetch(
            "It",
            "https://example.org",
            home / "wall" / "a.zip",
            lambda *progress: None,
            check=lambda path: True,
            open=serving(b"x"),
        )


def test_no_server_sends_without_end(home, monkeypatch):
    monkeypatch.setattr(fetching, "MAX_DOWNLOAD_BYTES", 10)
    with pytest.raises(CorpusError, match="larger than the collection"):
        fetch_reuters(lambda *progress: None, open=serving(b"x" * 20))
