"""Ask for a file to be read in another process, and take the answer as plain values.

The whole answer is collected before any of it is used: what a caller gets is complete, and no
caller makes a child wait.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from core.errors import StudioError
from core.loading.isolation.answering import FILE_REFUSED, OUT_OF_MEMORY
from core.loading.isolation.budget import Budget
from core.loading.isolation.children import ReaderChild, start_child

CHUNK_BYTES = 1 << 20
KEPT_IN_MEMORY = 1 << 26  # of an answer; a longer one goes to a temporary file
LINE_BYTES = 1 << 28
LAST_LINE_BYTES = 1 << 15
READERS_AT_ONCE = 2

UNREADABLE_FILE = "it cannot be read: it is damaged, or made to need more memory than there is."
TOO_LONG_AN_ANSWER = "it unpacks to far more than texts need."

Refuse = Callable[..., StudioError]  # from a sentence and, where known, row= and column=

logger = logging.getLogger(__name__)
_places = threading.BoundedSemaphore(READERS_AT_ONCE)


def ask(
    reader: str,
    options: Mapping[str, Any],
    file: IO[bytes],
    refuse: Refuse,
    *,
    budget: Budget | None = None,
) -> Answer:
    """The values that a reader of ``core.loading.readers`` makes of an open file.

    Whatever goes wrong is raised as ``refuse`` says it, before the first value.
    """
    chosen = budget or Budget.of(os.fstat(file.fileno()).st_size)
    limits = {"memory_bytes": chosen.memory_bytes, "seconds": chosen.seconds}
    request = json.dumps({"reader": reader, "options": options, **limits}).encode() + b"\n"
    with _places, closing(start_child(request, file)) as child:
        answer = _collected(child, chosen, refuse)
    try:
        _check_end(answer, chosen, refuse)
    except BaseException:
        answer.close()
        raise
    return Answer(answer, refuse)


def _collected(child: ReaderChild, budget: Budget, refuse: Refuse) -> IO[bytes]:
    """The whole answer; a child that takes too long or says too much is ended."""
    late = threading.Event()

    def end() -> None:
        late.set()
        child.kill()

    timer = threading.Timer(budget.seconds, end)
    timer.daemon = True
    timer.start()
    answer: IO[bytes] = SpooledTemporaryFile(KEPT_IN_MEMORY)  # noqa: SIM115 (closed by the caller)
    try:
        _copy(child, answer, budget.answer_bytes, refuse)
    except BaseException:
        answer.close()
        raise
    finally:
        timer.cancel()
    if late.is_set():
        answer.close()
        raise refuse(_too_slow(budget))
    return answer


def _copy(child: ReaderChild, answer: IO[bytes], most: int, refuse: Refuse) -> None:
    size = 0
    try:
        while chunk := child.answer.read(CHUNK_BYTES):
            size += len(chunk)
            if size > most:
                raise refuse(TOO_LONG_AN_ANSWER)
            answer.write(chunk)
    except ConnectionError:
        pass  # it was ended in the middle of a line: there is no last line


def _too_slow(budget: Budget) -> str:
    return (
        f"reading it takes more than {budget.seconds:,.0f} seconds, "
        "which is more than a file of its size should need."
    )


def _too_large(budget: Budget) -> str:
    return (
        f"reading it takes more than {budget.memory_bytes / 1e9:,.1f} GB of memory, "
        "which is more than a file of its size should need."
    )


def _check_end(answer: IO[bytes], budget: Budget, refuse: Refuse) -> None:
    """Raise what the last line says; without one, the child died."""
    size = answer.seek(0, os.SEEK_END)
    answer.seek(max(size - LAST_LINE_BYTES, 0))
    last = answer.read().removesuffix(b"\n").rpartition(b"\n")[2]
    answer.seek(0)
    try:
        end = json.loads(last)["end"]
        kind = None if end is None else str(end["kind"])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise refuse(UNREADABLE_FILE) from None
    if kind is None:
        return
    if kind == FILE_REFUSED:
        raise refuse(str(end["sentence"]), **_place(end))
    if kind == OUT_OF_MEMORY:
        raise refuse(_too_large(budget))
    logger.warning("A file could not be read: %r", end.get("what"))  # it may repeat the file
    raise refuse(UNREADABLE_FILE)


def _place(end: Mapping[str, Any]) -> dict[str, Any]:
    """Row and column, where the refusal names them."""
    row, column = end.get("row"), end.get("column")
    return {
        **({"row": row} if isinstance(row, int) else {}),
        **({"column": column} if isinstance(column, str) else {}),
    }


class Answer:
    """The values of an answer, one by one; close it if they are not all taken."""

    def __init__(self, lines: IO[bytes], refuse: Refuse) -> None:
        self._lines, self._refuse = lines, refuse

    def __iter__(self) -> Answer:
        return self

    def __next__(self) -> Any:
        if self._lines.closed:
            raise StopIteration
        try:
            found = json.loads(self._lines.readline(LINE_BYTES))
            if "end" not in found:
                return found["value"]
        except (ValueError, TypeError, KeyError, RecursionError):
            self.close()
            raise self._refuse(UNREADABLE_FILE) from None
        self.close()
        raise StopIteration

    def close(self) -> None:
        self._lines.close()
