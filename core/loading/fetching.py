"""Download a known collection into its library's folder, with progress; it can be cancelled.

The file is written beside its place and moved there when it is complete and checked, so a broken
connection or a cancelled download leaves nothing behind.
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
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, BinaryIO

from core.errors import Cancelled, CorpusError
from core.loading.formats.archive import UNPACKING_ERRORS
from core.loading.isolation import ask

REUTERS_URL = (
    "https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/corpora/reuters.zip"
)
NEWSGROUPS_URL = "https://ndownloader.figshare.com/files/5975967"  # scikit-learn's own copy
NEWSGROUPS_SHA256 = "8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610"
CHUNK_BYTES = 64 * 1024
TIMEOUT_SECONDS = 20  # without a byte, after which the download fails
MAX_DOWNLOAD_BYTES = 200_000_000  # either collection has a tenth of this

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
        raise CorpusError("20 Newsgroups was downloaded but could not be unpacked.") from None


def fetch(
    name: str,
    url: str,
    target: Path,
    progress: Progress,
    *,
    check: Callable[[Path], bool],
    open: Open = urllib.request.urlopen,
) -> Path:
    """Download one file, whole or not at all."""
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _stream(url, partial, progress, open)
        if not check(partial):
            raise CorpusError(f"The downloaded file is not {name}; try again later.")
        os.replace(partial, target)
    except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError):
        raise CorpusError(
            f"{name} could not be downloaded: this machine seems to be offline, or the server does "
            "not answer. Try again later."
        ) from None
    except OSError as error:
        why = error.strerror or "the disk refused"
        raise CorpusError(f"{name} could not be saved in {target.parent}: {why}.") from None
    finally:
        with suppress(OSError):
            partial.unlink()
    return target


def _stream(url: str, partial: Path, progress: Progress, open: Open) -> None:
    with open(url, timeout=TIMEOUT_SECONDS) as answer, partial.open("wb") as file:
        length = answer.headers.get("Content-Length")
        total = int(length) if length and length.isdecimal() else None
        so_far = 0
        while chunk := answer.read(CHUNK_BYTES):
            so_far += file.write(chunk)
            if so_far > MAX_DOWNLOAD_BYTES:
                raise CorpusError("The download is larger than the collection.")
            if progress(so_far, total):
                raise Cancelled("The download was stopped; nothing was kept.")


def _is_reuters(path: Path) -> bool:
    """Looked at where uploads are read: it came over the network, and nobody signed it."""
    with path.open("rb") as file:
        answer = ask("is_reuters", {}, file, CorpusError)
    with closing(answer):
        return next(answer) is True


def holds_reuters(file: BinaryIO) -> bool:
    """Whether a file is the archive of Reuters; only a child process calls this."""
    try:
        with zipfile.ZipFile(file) as archive:
            return "reuters/cats.txt" in archive.namelist()
    except UNPACKING_ERRORS:
        return False


def _is_newsgroups(path: Path) -> bool:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == NEWSGROUPS_SHA256
