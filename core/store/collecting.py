"""Rest from collecting garbage while very many small values are made that all stay for a while.

Python looks through everything it holds again and again as the number of values grows; with a few
hundred thousand events that takes as long as the work itself.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Collect nothing for now; whoever stopped it first lets it go on."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
