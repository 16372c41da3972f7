"""Whether the arrays and numbers of a model's file can be those of such a model.

A file may come from anybody, and compiled loops trust the shapes they are given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from core.errors import ModelError
from core.fitted.state import STORED_STATES, PredictionState, StoredArray
from core.guide.latent import LATENT_RANKS
from core.loading.model_parts import DAMAGED_MODEL, MAX_SEED

DTYPE_KINDS = {"weights": "f", "reals": "f", "counts": "iu", "flags": "b"}  # of NumPy's dtypes
MAX_TOPICS = 100_000
MAX_VALUE = 1e18  # products of two are numbers, too


def check_state(state: PredictionState, n_terms: int) -> None:
    """ModelError, in one sentence, if anything does not fit."""
    problem = next(_problems(state, n_terms), None)
    if problem is not None:
        raise ModelError(DAMAGED_MODEL.format(problem))


def _problems(state: PredictionState, n_terms: int) -> Iterator[str]:
    if not 1 <= state.n_topics <= MAX_TOPICS:
        yield "the number of topics is impossible"
    if any(not 0 <= column < state.n_topics for column in state.columns):
        yield "a topic is shown that the model does not have"
    stored = state.stored()
    if set(state.arrays) != {each.attribute for each in stored.arrays}:
        yield f"{state.model} has other arrays"
    if set(state.numbers) != set(stored.numbers):
        yield f"{state.model} has other numbers"
    yield from _number_problems(state)
    sizes = {"topics": state.n_topics, "terms": n_terms, "labels": len(state.labels)}
    sizes |= _derived_sizes(state)
    for each in stored.arrays:
        yield from _array_problems(each, state.arrays[each.attribute], sizes)
    yield from _joint_problems(sizes)


def _number_problems(state: PredictionState) -> Iterator[str]:
    for name, value in state.numbers.items():
        whole = isinstance(value, int) and not isinstance(value, bool)
        if name == "layout_.sizes":
            right = isinstance(value, tuple) and all(1 <= size <= MAX_TOPICS for size in value)
            right = right and isinstance(value, tuple) and len(value) == state.n_topics
        elif name == "seed_":
            right = whole and isinstance(value, int) and 0 <= value < MAX_SEED
        elif name == "has_unlabelled_node_":
            right = isinstance(value, bool)
        else:
            right = isinstance(value, float) and abs(value) <= MAX_VALUE
        if not right:
            yield f"{name} has an impossible value"


def _derived_sizes(state: PredictionState) -> dict[str, int]:
    found: dict[str, int] = {}
    layout = state.numbers.get("layout_.sizes")
    if isinstance(layout, tuple):
        found["parts"] = sum(layout)
    if "has_unlabelled_node_" in state.numbers:
        found["nodes"] = len(state.labels) + bool(state.numbers["has_unlabelled_node_"])
    return found


def _array_problems(stored: StoredArray, array: np.ndarray, sizes: dict[str, int]) -> Iterator[str]:
    name = stored.attribute
    if array.dtype.kind not in DTYPE_KINDS[stored.holds] or array.dtype.itemsize > 8:
        yield f"{name} holds no {stored.holds}"
    if array.ndim != len(stored.axes):
        yield f"{name} has {array.ndim} axes"
    for axis, size in zip(stored.axes, array.shape, strict=True):
        if sizes.setdefault(axis, size) != size:
            yield f"{name} has {size} {axis} where there are {sizes[axis]}"
    if array.dtype.kind == "f" and not (np.abs(array) <= MAX_VALUE).all():
        yield f"{name} holds a value that is no number, or a huge one"
    if stored.holds in ("weights", "counts") and (array < 0).any():
        yield f"{name} holds a value below 0"


def _joint_problems(sizes: Mapping[str, int]) -> Iterator[str]:
    """Axes that depend on others."""
    if "directions" in sizes:
        places = sum(min(rank, sizes["directions"]) for rank in LATENT_RANKS)
        if sizes["places"] != places or sizes["chances"] != sizes["thresholds"] + 1:
            yield "the guide's arrays do not fit together"


def known_model(name: object) -> str:
    """A model that can be restored; ModelError otherwise."""
    if not isinstance(name, str) or name not in STORED_STATES:
        raise ModelError(f"There is no model “{name}”; this file needs a newer version.")
    return name
