"""Do annotators agree beyond chance? Krippendorff's alpha for labels and for sets of labels.

α = 1 − observed / expected disagreement, over documents that at least two people judged: 1 is
perfect, 0 is chance, below 0 is systematic disagreement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import repeat
from typing import Any, Literal

import numpy as np

from core.errors import ModelError

Distance = Literal["nominal", "jaccard", "masi"]


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
    if distance not in DISTANCES:
        raise ModelError(f"distance is one of {', '.join(DISTANCES)}, not {distance!r}.")
    units = _units(judgements, times)
    values = sorted({value for unit, _ in units for value in unit}, key=repr)
    distance_between = _distances(values, DISTANCES[distance])
    place = {value: j for j, value in enumerate(values)}
    observed, total = 0.0, np.zeros(len(values))
    for unit, n_documents in units:
        where, count = _counts(unit, place)
        spread = _spread(count, distance_between[np.ix_(where, where)]) / (unit.total() - 1)
        observed += n_documents * spread
        total[where] += n_documents * count
    n = total.sum()
    expected = _spread(total, distance_between) / (n - 1) if n else 0.0
    return float(1 - observed / expected) if expected > 0 else float("nan")


def _units(
    judgements: Sequence[Sequence[Any]], times: Sequence[int] | None
) -> list[tuple[Counter[Hashable], int]]:
    """The judgements of each document that two people judged, and how many documents share them."""
    columns = zip(*(map(_value, row) for row in judgements), strict=True)
    patterns: Counter[tuple[Hashable, ...]] = Counter()
    for column, n_documents in zip(columns, repeat(1) if times is None else times, strict=False):
        patterns[column] += n_documents
    units = (
        (Counter(each for each in column if each is not None), n) for column, n in patterns.items()
    )
    return [(unit, n) for unit, n in units if unit.total() >= 2]


def _spread(count: np.ndarray, distance_between: np.ndarray) -> float:
    """Sum of the distances over ordered pairs of judgements."""
    return float(count @ distance_between @ count)


def _counts(unit: Counter[Hashable], place: dict[Hashable, int]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([place[value] for value in unit]), np.array(list(unit.values()), dtype=float)


def _value(given: Any) -> Hashable:
    return frozenset(given) if isinstance(given, (set, frozenset, list, tuple)) else given


def _distances(values: list[Hashable], distance_between: Callable[[Any, Any], float]) -> np.ndarray:
    return np.array([[distance_between(a, b) for b in values] for a in values]).reshape(
        2 * (len(values),)
    )


def _as_set(value: Any) -> frozenset[Any]:
    return value if isinstance(value, frozenset) else frozenset([value])


def _nominal(a: Any, b: Any) -> float:
    return float(a != b)


def _jaccard(a: Iterable[Any], b: Iterable[Any]) -> float:
    first, second = _as_set(a), _as_set(b)
    union = len(first | second)
    return 1 - len(first & second) / union if union else 0.0


def _masi(a: Any, b: Any) -> float:
    """Passonneau's: Jaccard index × 1, 2/3, 1/3 or 0 (equal, nested, overlapping, disjoint)."""
    first, second = _as_set(a), _as_set(b)
    if first == second:
        return 0.0
    nested = first <= second or second <= first
    kind = 2 / 3 if nested else 1 / 3 if first & second else 0.0
    return 1 - (1 - _jaccard(first, second)) * kind


DISTANCES: dict[str, Callable[[Any, Any], float]] = {
    "nominal": _nominal,
    "jaccard": _jaccard,
    "masi": _masi,
}
