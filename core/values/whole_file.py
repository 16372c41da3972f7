"""Write a file whole or not at all: it appears under its name only when everything is in it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: Path | str, *, durable: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, readable by its owner alone; ``durable`` waits until the disk has it."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.partial")
    partial.unlink(missing_ok=True)  # of a process of the same number that was killed
    try:
        with open(partial, "xb", opener=_owner_only) as file:  # follows no link
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _owner_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
