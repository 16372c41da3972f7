"""How every kernel is compiled: without the interpreter's lock, and kept on disk."""

from __future__ import annotations

from typing import Any

from numba import njit

FAST_MATH_FLAGS = {"contract", "reassoc", "nsz", "arcp"}  # may reorder sums; keeps nan, inf
jit: Any = njit
compiled = jit(nogil=True, cache=True, fastmath=FAST_MATH_FLAGS)
inlined = jit(nogil=True, cache=True, fastmath=FAST_MATH_FLAGS, inline="always")
# The same for kernels that make no arrays of their own. They count no references: threads that
# count them on shared arrays wait for one another, and a short row costs less than the counting.
compiled_without_arrays = jit(
    nogil=True, cache=True, fastmath=FAST_MATH_FLAGS, error_model="numpy", _nrt=False
)
