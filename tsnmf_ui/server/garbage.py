"""Collect garbage without looking at what stays anyway.

Streamlit collects all garbage after every run of a page or fragment, while every other thread
waits. With the modules of all pages loaded that took 0.15 s each time, of which nothing came.
"""

from __future__ import annotations

import gc
from functools import cache


@cache
def leave_out_modules() -> None:
    """Look no more at what there is now, which are modules; called when all pages are loaded."""
    gc.collect()
    gc.freeze()
