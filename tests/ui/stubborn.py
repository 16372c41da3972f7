"""A part of the worker that never looks up from its work."""

from __future__ import annotations

import os
import threading
from typing import Any


def prepare(*given: Any) -> None:
    """Nothing to do."""


def ready() -> int:
    return os.getpid()


def work(path: str) -> None:
    """Say that the work has begun, and never end it."""
    with open(path, "w", encoding="utf-8"):
        threading.Event().wait()
