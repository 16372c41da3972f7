"""What a child does: take on the limits, read one file, write the answer as lines of JSON.

The last line says how it ended. A line of values is written only after the limits are in force.
"""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any, BinaryIO

from core.errors import CorpusError, StudioError

SENTENCE_LIMIT = 2_000  # characters; a name in it can be as long as a file
READER_NICENESS = 5  # labelling goes first
OUT_OF_MEMORY, UNEXPECTED_ERROR, FILE_REFUSED = "memory", "unexpected", "refused"


def answer(connection: int, file: int) -> None:
    """Read the request from the connection, then the file, and answer on the connection."""
    quiet()
    gc.disable()  # it takes longer than the reading, and the process ends soon
    with os.fdopen(connection, "r+b" if connection > 2 else "wb", buffering=0) as out:
        request = json.loads(request_line(out, file))
        limit_process(request["memory_bytes"], request["seconds"])
        with os.fdopen(file, "rb") as data:
            end = outcome(out, request, data)
        write_line(out, {"end": end})


def request_line(out: Any, file: int) -> bytes:
    """The first line: on a connection of its own, or before the file where there is only a pipe."""
    line, source = b"", out if out.readable() else None
    while not line.endswith(b"\n"):
        byte = source.read(1) if source is not None else os.read(file, 1)
        if not byte:
            break
        line += byte
    return line


def quiet() -> None:
    """Nobody reads what libraries print when they run out of memory."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def limit_process(memory_bytes: int, seconds: float) -> None:
    """So much more address space than now, so much time, no files written, first to be killed."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    try:
        import resource
    except ImportError:  # only the caller's clock limits it there
        return
    with suppress(OSError):
        os.nice(READER_NICENESS)
    limits = {
        resource.RLIMIT_AS: _address_space() + memory_bytes,
        resource.RLIMIT_CPU: int(seconds) + 5,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for kind, limit in limits.items():
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (limit, limit))


def _address_space() -> int:
    """Bytes of address space in use; unknown counts as none."""
    with suppress(OSError), open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def outcome(out: Any, request: dict[str, Any], data: BinaryIO) -> dict[str, Any] | None:
    """Write the values; how it ended: None if well. Whatever goes wrong is told, never raised."""
    try:
        for value in read(request, data):
            write_line(out, {"value": value})
    except StudioError as error:
        return refusal(error)
    except MemoryError:
        return {"kind": OUT_OF_MEMORY}
    except BaseException as error:  # noqa: BLE001 (also panics of compiled libraries)
        return {
            "kind": UNEXPECTED_ERROR,
            "what": f"{type(error).__name__}: {error}"[:SENTENCE_LIMIT],
        }
    return None


def read(request: dict[str, Any], data: BinaryIO) -> Iterator[Any]:
    """The values of the reader that was asked for."""
    readers: Any = import_module("core.loading.readers")
    yield from readers.READERS[request["reader"]](data, request["options"])


def refusal(error: StudioError) -> dict[str, Any]:
    if isinstance(error, CorpusError):
        place = {"row": error.row, "column": error.column}
        return {"kind": FILE_REFUSED, "sentence": error.sentence[:SENTENCE_LIMIT], **place}
    return {"kind": FILE_REFUSED, "sentence": str(error)[:SENTENCE_LIMIT]}


def write_line(out: Any, value: Any) -> None:
    """One line; characters that are only half there become question marks."""
    line = json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
    rest = memoryview(line + b"\n")
    while rest:
        rest = rest[out.write(rest) :]
