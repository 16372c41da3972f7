"""How every kernel is compiled: without the interpreter's lock, and kept on disk."""

from __future__ import annotations

from typing import Any

from numba import njit

FAST = {"contract", "reassoc", "nsz", "arcp"}  # may reorder sums; keeps nan and inf honest
compiled: Any = njit(nogil=True, cache=True, fastmath=FAST)
inlined: Any = njit(nogil=True, cache=True, fastmath=FAST, inline="always")
