"""Pause Python's garbage collection while very many small values are made that all stay.

Python looks through everything it holds again and again as the number of values grows; with a few
hundred thousand events that takes as long as the work itself.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Collect nothing inside the block; nested blocks end with the outermost one."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
