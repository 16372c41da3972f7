"""Fetch a known collection once, with progress and a way out; it lands where its library looks.

The file is written beside its place and moved there when it is whole and is what it should be, so
a broken connection or a cancel leaves nothing behind.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import tarfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.errors import Cancelled, CorpusError

REUTERS_URL = (
    "https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/corpora/reuters.zip"
)
NEWSGROUPS_URL = "https://ndownloader.figshare.com/files/5975967"  # scikit-learn's own copy
NEWSGROUPS_SHA256 = "8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610"
CHUNK = 64 * 1024
PATIENCE = 20  # seconds without a byte, after which the connection counts as dead
LARGEST = 200_000_000  # bytes; either collection has a tenth of this

Progress = Callable[[int, int | None], bool | None]  # bytes so far, bytes in all; True cancels
Open = Callable[..., Any]


def fetch_reuters(progress: Progress, *, open: Open = urllib.request.urlopen) -> None:
    """Reuters into NLTK's folder."""
    folder = Path(os.environ.get("NLTK_DATA", "").split(os.pathsep)[0] or "~/nltk_data")
    target = folder.expanduser() / "corpora" / "reuters.zip"
    fetch("Reuters", REUTERS_URL, target, progress, check=_is_reuters, open=open)


def fetch_newsgroups(progress: Progress, *, open: Open = urllib.request.urlopen) -> None:
    """20 Newsgroups into scikit-learn's folder, unpacked by scikit-learn itself."""
    home = Path(os.environ.get("SCIKIT_LEARN_DATA", "~/scikit_learn_data")).expanduser()
    target = home / "20news_home" / "20news-bydate.tar.gz"
    fetch("20 Newsgroups", NEWSGROUPS_URL, target, progress, check=_is_newsgroups, open=open)
    from sklearn.datasets import fetch_20newsgroups

    try:
        fetch_20newsgroups(subset="all")  # finds the archive, and keeps it in its own form
    except (OSError, ValueError, EOFError, tarfile.TarError):
        raise CorpusError("20 Newsgroups came, but could not be unpacked.") from None


def fetch(
    name: str,
    url: str,
    target: Path,
    progress: Progress,
    *,
    check: Callable[[Path], bool],
    open: Open = urllib.request.urlopen,
) -> Path:
    """Fetch one file whole, or not at all."""
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _stream(url, partial, progress, open)
        if not check(partial):
            raise CorpusError(f"What came instead of {name} is something else; try again later.")
        os.replace(partial, target)
    except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError):
        raise CorpusError(
            f"{name} could not be fetched: this machine seems to be offline, or the server does "
            "not answer. Try again later."
        ) from None
    except OSError as error:
        why = error.strerror or "the disk refuses"
        raise CorpusError(f"{name} could not be kept in {target.parent}: {why}.") from None
    finally:
        with suppress(OSError):
            partial.unlink()
    return target


def _stream(url: str, partial: Path, progress: Progress, open: Open) -> None:
    with open(url, timeout=PATIENCE) as answer, partial.open("wb") as file:
        told = answer.headers.get("Content-Length")
        total = int(told) if told and told.isdecimal() else None
        so_far = 0
        while chunk := answer.read(CHUNK):
            so_far += file.write(chunk)
            if so_far > LARGEST:
                raise CorpusError("The server sends more than the collection holds.")
            if progress(so_far, total):
                raise Cancelled("The download was stopped; nothing was kept.")


def _is_reuters(path: Path) -> bool:
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return "reuters/cats.txt" in archive.namelist()


def _is_newsgroups(path: Path) -> bool:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == NEWSGROUPS_SHA256
