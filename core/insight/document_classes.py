"""Documents sorted into classes that can be told apart: by first label, by date, the largest."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
import scipy.sparse as sp

from core.insight.document_facts import DocumentClasses


def by_first_label(indicator: sp.csr_array, names: Sequence[str]) -> DocumentClasses:
    """The first label of each document."""
    starts = indicator.indptr
    labelled = np.flatnonzero(np.diff(starts) > 0)
    codes = np.full(indicator.shape[0], -1, dtype=np.int32)
    codes[labelled] = indicator.indices[starts[labelled]]
    return DocumentClasses(tuple(names), codes)


def by_date(days: np.ndarray, n_steps: int) -> tuple[np.ndarray, list[date]]:
    """Even steps from the first day to the last: the step of each document, and their first days.

    A document without a date has step -1.
    """
    known = ~np.isnat(days)
    first, last = days[known].min().astype(int), days[known].max().astype(int)
    width = (last - first + 1) / n_steps
    codes = np.full(days.size, -1, dtype=np.int32)
    codes[known] = np.minimum((days[known].astype(int) - first) // width, n_steps - 1)
    starts = (int(first + step * width) for step in range(n_steps))
    return codes, [np.datetime64(start, "D").astype(date) for start in starts]


def largest_classes(codes: np.ndarray, n_classes: int, most: int) -> tuple[np.ndarray, list[int]]:
    """The ``most`` largest classes renumbered from 0, all others as one; and which these are."""
    if n_classes <= most:
        return codes, list(range(n_classes))
    counts = np.bincount(codes[codes >= 0], minlength=n_classes)
    kept = np.argsort(-counts, kind="stable")[:most]
    new = np.full(n_classes + 1, most, dtype=np.int32)
    new[kept], new[-1] = np.arange(most), -1
    return new[codes], [int(each) for each in kept]
