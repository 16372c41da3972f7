"""What was computed from the last large matrix, kept as long as the matrix is."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
import scipy.sparse as sp

MIN_CACHED_DOCUMENTS = 4000  # a smaller matrix is computed anew each time

T = TypeVar("T")


class LastResult(Generic[T]):
    """The result for the last large matrix, because a refit needs it for the whole corpus again.

    It refers to the matrix weakly and is forgotten together with it. A copy starts without it.
    """

    def __init__(self) -> None:
        self._matrix: tuple[weakref.ref[np.ndarray], ...] = ()  # its arrays, and that beside it
        self._result: T | None = None

    def of(
        self,
        X: sp.csr_array,
        compute: Callable[[sp.csr_array], T],
        beside: np.ndarray | None = None,
    ) -> T:
        """What ``compute`` makes of the matrix, and of the array beside it if there is one."""
        if X.shape[0] < MIN_CACHED_DOCUMENTS:
            return compute(X)
        result = self._result
        arrays = _arrays(X) if beside is None else (*_arrays(X), beside)
        if result is None or not self._is_for(arrays):
            result = compute(X)
            if isinstance(result, np.ndarray):
                result.flags.writeable = False
            self._matrix = tuple(weakref.ref(array, self._forget) for array in arrays)
            self._result = result
        return result

    def _is_for(self, arrays: tuple[np.ndarray, ...]) -> bool:
        """Whether the matrix holds the same; comparing costs a hundredth of computing."""
        pairs = zip((array() for array in self._matrix), arrays, strict=False)
        return len(self._matrix) == len(arrays) and all(
            mine is other or (mine is not None and np.array_equal(mine, other))
            for mine, other in pairs
        )

    def _forget(self, dead: weakref.ref[np.ndarray]) -> None:
        if any(dead is array for array in self._matrix):
            self._matrix, self._result = (), None

    def __reduce__(self) -> tuple[type[LastResult[Any]], tuple[()]]:
        return LastResult, ()


def _arrays(X: sp.csr_array) -> tuple[np.ndarray, ...]:
    return X.indptr, X.indices, X.data
