"""Do annotators agree beyond chance? Krippendorff's alpha for labels and for sets of labels.

α = 1 − observed / expected disagreement, over documents that at least two people judged: 1 is
perfect, 0 is chance, below 0 is systematic disagreement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import chain, repeat
from typing import Any, Literal, NamedTuple

import numpy as np
import scipy.sparse as sp

from core.errors import ModelError
from core.evaluation.metrics.resampling import Interval

DRAWS_AT_ONCE, DRAW_BLOCKS = 50, 20  # a thousand draws, few in memory at a time

Distance = Literal["nominal", "jaccard", "masi"]


class _Units(NamedTuple):
    """Documents that two people judged, equal ones once; values are what was judged."""

    times: np.ndarray  # how many documents each unit represents
    spread: np.ndarray  # distances between the judgements of a unit, per further judgement
    counts: sp.csr_array  # units × values
    distances: np.ndarray  # values × values


def krippendorff_alpha(
    judgements: Sequence[Sequence[Any]],
    *,
    distance: Distance = "nominal",
    times: Sequence[int] | None = None,
) -> float:
    """``judgements[annotator][document]``: a label, a set of labels, or None for no judgement.

    Sets of labels (also lists or tuples) are compared whole (``"nominal"``), by one minus their
    Jaccard index, or by MASI distance, which is milder where one set contains the other. An empty
    set is a judgement: nothing fits. nan if there is nothing to compare or if all judgements are
    the same, because agreement by chance is then certain. ``times`` says how many documents each
    of the columns represents; one by default.
    """
    units = _units(judgements, distance, times)
    return float(_alphas(units, units.times[None])[0])


def krippendorff_interval(
    judgements: Sequence[Sequence[Any]],
    *,
    distance: Distance = "nominal",
    times: Sequence[int] | None = None,
    seed: int = 0,
) -> Interval | None:
    """The 95 % interval of alpha for other documents of the same kind, by drawing documents.

    None if the draws say nothing: people agree, or differ, on every document that was drawn, so
    that alpha is the same in all draws or cannot be computed in most of them.
    """
    units = _units(judgements, distance, times)
    n_docs = int(units.times.sum())
    if not n_docs:
        return None
    rng, share = np.random.default_rng(seed), units.times / n_docs
    blocks = (rng.multinomial(n_docs, share, DRAWS_AT_ONCE) for _ in range(DRAW_BLOCKS))
    values = np.concatenate([_alphas(units, drawn) for drawn in blocks])
    known = values[np.isfinite(values)]
    if len(known) < len(values) / 2 or np.ptp(known) == 0:
        return None
    low, high = np.quantile(known, (0.025, 0.975))
    return Interval(float(low), float(high))


def _alphas(units: _Units, weights: np.ndarray) -> np.ndarray:
    """Alpha for each row of weights of the units; nan where chance alone would agree."""
    observed = weights @ units.spread
    total = np.asarray((units.counts.T @ weights.T.astype(float)).T)  # judgements of each value
    n = total.sum(axis=1)
    expected = ((total @ units.distances) * total).sum(axis=1) / np.maximum(n - 1, 1)
    known = expected > 0
    ratio = np.divide(observed, expected, out=np.full(len(n), np.nan), where=known)
    return 1 - ratio


def _units(
    judgements: Sequence[Sequence[Any]], distance: Distance, times: Sequence[int] | None
) -> _Units:
    """The judgements of each document that two people judged, and how many documents share them."""
    if distance not in DISTANCES:
        raise ModelError(f"distance is one of {', '.join(DISTANCES)}, not {distance!r}.")
    columns = zip(*(map(_value, row) for row in judgements), strict=True)
    patterns: Counter[tuple[Hashable, ...]] = Counter()
    for column, n_documents in zip(columns, repeat(1) if times is None else times, strict=False):
        patterns[column] += n_documents
    found = [
        (Counter(each for each in column if each is not None), n) for column, n in patterns.items()
    ]
    units = [(unit, n) for unit, n in found if unit.total() >= 2]
    values = sorted({value for unit, _ in units for value in unit}, key=repr)
    between = DISTANCES[distance](values)
    counts = _counts([unit for unit, _ in units], values)
    pairs = np.asarray(counts.multiply(counts @ between).sum(axis=1)).ravel()
    judged = np.array([unit.total() - 1 for unit, _ in units], dtype=float)
    return _Units(np.array([n for _, n in units], dtype=int), pairs / judged, counts, between)


def _counts(units: Sequence[Counter[Hashable]], values: Sequence[Hashable]) -> sp.csr_array:
    place = {value: j for j, value in enumerate(values)}
    cells = [(i, place[value], n) for i, unit in enumerate(units) for value, n in unit.items()]
    rows, columns, counts = np.array(cells, dtype=int).reshape(-1, 3).T
    shape = (len(units), len(values))
    return sp.csr_array((counts.astype(float), (rows, columns)), shape=shape)


def _value(given: Any) -> Hashable:
    return frozenset(given) if isinstance(given, (set, frozenset, list, tuple)) else given


def _as_set(value: Any) -> frozenset[Any]:
    return value if isinstance(value, frozenset) else frozenset([value])


def _nominal(values: Sequence[Any]) -> np.ndarray:
    return 1 - np.eye(len(values))


def _jaccard(values: Sequence[Any]) -> np.ndarray:
    shared, sizes = _shared_labels(values)
    union = sizes[:, None] + sizes - shared
    return 1 - np.divide(shared, union, out=np.ones_like(shared), where=union > 0)


def _masi(values: Sequence[Any]) -> np.ndarray:
    """Passonneau's: Jaccard index × 1, 2/3, 1/3 or 0 (equal, nested, overlapping, disjoint)."""
    shared, sizes = _shared_labels(values)
    smaller, larger = np.minimum.outer(sizes, sizes), np.maximum.outer(sizes, sizes)
    kinds = [shared == larger, shared == smaller]
    return 1 - (1 - _jaccard(values)) * np.select(kinds, [1, 2 / 3], default=1 / 3)


def _shared_labels(values: Sequence[Any]) -> tuple[np.ndarray, np.ndarray]:
    """How many labels any two sets have in common, and how many each has."""
    sets = [_as_set(value) for value in values]
    place = {label: j for j, label in enumerate(dict.fromkeys(chain.from_iterable(sets)))}
    sizes = np.array([len(each) for each in sets], dtype=float)
    columns = np.array([place[label] for each in sets for label in each], dtype=int)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    held = sp.csr_array((np.ones(columns.size), columns, starts), shape=(len(sets), len(place)))
    return (held @ held.T).toarray(), sizes


DISTANCES: dict[str, Callable[[Sequence[Any]], np.ndarray]] = {
    "nominal": _nominal,
    "jaccard": _jaccard,
    "masi": _masi,
}
