"""Factors from a stranger: those of the right documents, of the right shapes, and no larger than
what they came with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.engine.descent import Trace
from core.errors import StoreError
from core.store.files.checked_parts import checked_spec
from core.store.files.field_types import fits, require, require_fields
from core.topics import Topics

MIN_FACTOR_CELLS = 20_000_000  # documents × topics that any file may have
FACTOR_CELLS_PER_BYTE = 25  # of the file: zeros are packed well, but each document has a text
MAX_WEIGHT = 1e18  # sums and products of two are numbers, too
OTHER_DOCUMENTS = "The factors in this file belong to other texts."


def checked_topics(
    about: Mapping[str, Any],
    arrays: Mapping[str, np.ndarray],
    ids: Sequence[str],
    n_named: int,
    n_bytes: int,
    most_docs: int | None = None,
) -> Topics:
    """The topics, if they are those of the documents with these ids.

    ``n_named`` of them carry labels; ``n_bytes`` is the size of the file they came with. Topics
    from before texts were added or taken back are of other documents, ``most_docs`` at most.
    """
    names = ("terms", "doc_ids", "names")
    require(all(fits(about[name], tuple[str, ...]) for name in names))
    require(fits(about.get("keys", []), tuple[str | int, ...]) and fits(about["fingerprint"], str))
    require(fits(about.get("sizes", []), tuple[int, ...]))
    require(type(about["n_supervised"]) is int)
    require_fields(Trace, about["trace"])
    checked_spec(about["spec"])
    same = (
        about["doc_ids"] == list(ids) if most_docs is None else len(about["doc_ids"]) <= most_docs
    )
    if not same or n_named > len(about["names"]):
        raise StoreError(OTHER_DOCUMENTS)
    n_parts = max(len(about["names"]), sum(about.get("sizes", [])))
    most = max(MIN_FACTOR_CELLS, FACTOR_CELLS_PER_BYTE * n_bytes)
    require(
        all(size > 0 for size in about.get("sizes", [])) and len(about["doc_ids"]) * n_parts <= most
    )
    topics = Topics.of_arrays(about, arrays)
    require(_sound(topics))
    return topics


def _sound(topics: Topics) -> bool:
    """Whether shapes agree and weights are fractions, not negative, and none is huge."""
    n_topics, n_terms = len(topics.names), len(topics.terms)
    weights = [topics.doc_topic, topics.topic_term]
    shapes = [topics.topic_term.shape == (n_topics, n_terms)]
    if topics.groups is not None:
        weights += [topics.groups.doc_part, topics.groups.part_term]
        shapes += [len(topics.groups.sizes) == n_topics]
        shapes += [topics.groups.part_term.shape == (sum(topics.groups.sizes), n_terms)]
    if topics.learned is not None:
        learned = topics.learned
        levels = learned.nodes.weights if learned.nodes is not None else ()
        label_topic = [] if learned.label_topic is None else [learned.label_topic]
        shapes += [each.ndim == 2 and each.shape[1] == n_topics for each in (*label_topic, *levels)]
        shapes += [len(each) == len(learned.label_names) for each in label_topic]
        weights += [*label_topic, *levels]
    return all(shapes) and all(map(_are_weights, weights)) and 0 <= topics.n_supervised <= n_topics


def _are_weights(array: np.ndarray) -> bool:
    """Shares of whole numbers could not be told: NumPy writes them into an array of its kind."""
    return array.dtype.kind == "f" and bool(((array >= 0) & (array <= MAX_WEIGHT)).all())
