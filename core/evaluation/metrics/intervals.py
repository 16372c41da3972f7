"""Wilson's interval of a share, which is valid at 0, at 1 and for few documents."""

from __future__ import annotations

from typing import Any

import numpy as np

TWO_SIDED_95 = 1.959964  # the normal quantile at 0.975


def wilson(hits: Any, of: Any, *, quantile: float = TWO_SIDED_95) -> tuple[np.ndarray, np.ndarray]:
    """Ends of the 95 % interval of ``hits / of``, element by element; 0 to 1 where ``of`` is 0."""
    hits, of = np.asarray(hits, dtype=np.float64), np.asarray(of, dtype=np.float64)
    n = np.maximum(of, 1.0)
    share, z2 = hits / n, quantile**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half_width = quantile / (1 + z2 / n) * np.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    low = np.where(of > 0, np.clip(middle - half_width, 0.0, share), 0.0)
    high = np.where(of > 0, np.clip(middle + half_width, share, 1.0), 1.0)
    return low, high
