"""Work that a real executor does in the tests: what it does is one of its arguments."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from typing import Any

from core.errors import Cancelled, TextError
from core.store import Store
from tsnmf_ui.jobs.worker import OUT_OF_MEMORY_FILE

FAILURE = "No words are left."


def work(store: Store, project: int, arguments: Mapping[str, Any], report: Any) -> Any:
    """Report a half, then do as told."""
    report.tell(0.5, 2.0, "half")
    return {
        "finish": lambda: (project, str(store.home), os.getpid()),
        "fail": _fail,
        "obey": lambda: _obey(report),
        "break": lambda: 1 // 0,
        "die": lambda: os._exit(3),
        "block": lambda: _block(arguments["path"]),
        "niceness": lambda: os.nice(0),
        "memory": lambda: OUT_OF_MEMORY_FILE.read_text("ascii").strip(),
    }[arguments["do"]]()


def _fail() -> None:
    raise TextError(FAILURE)


def _obey(report: Any) -> None:
    """Go on until told to stop."""
    while not report(0.5):
        threading.Event().wait(0.005)
    raise Cancelled("Stopped.")


def _block(path: str) -> None:
    """Say that the work has begun, and never look up again."""
    with open(path, "w", encoding="utf-8"):
        threading.Event().wait()
