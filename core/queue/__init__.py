"""Which document to label next, and why.

One module per reason: ``uncertain``, ``undecided``, ``informative``, ``thin``, ``novel``,
``influential``, ``mislabelled`` and ``audit`` each have a function ``rank`` that yields documents,
best first; ``mixed`` takes from them in turn. They read the last fit, the guide's ``Hints`` and
the ``NeighbourIndex`` of the corpus. All three are arrays, so a few hundred thousand documents are
ranked in well under a second. The result depends on the arguments and the seed alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import islice

import numpy as np

from core.errors import StudioError
from core.queue import (
    audit,
    influential,
    informative,
    mislabelled,
    mixed,
    novel,
    thin,
    uncertain,
    undecided,
)
from core.queue.context import QueueContext, QueueItem
from core.queue.hints import Hints
from core.queue.neighbour_index import NeighbourIndex, build_neighbour_index
from core.topics import Topics

__all__ = [
    "Hints",
    "QUEUE_MODES",
    "NeighbourIndex",
    "QueueItem",
    "build_neighbour_index",
    "next_documents",
]

RANKERS: dict[str, mixed.Ranker] = {
    "uncertain": uncertain.rank,
    "undecided": undecided.rank,
    "informative": informative.rank,
    "thin": thin.rank,
    "novel": novel.rank,
    "influential": influential.rank,
    "mislabelled": mislabelled.rank,
    "random": audit.rank,
}
QUEUE_MODES = (
    "mixed",
    "uncertain",
    "thin",
    "novel",
    "influential",
    "mislabelled",
    "random",
    "in_order",
)


def next_documents(
    topics: Topics | None,
    labelled: Collection[int],
    *,
    n_docs: int,
    mode: str = "mixed",
    limit: int = 50,
    seed: int = 0,
    skip: Iterable[int] = (),
    duplicates: Iterable[tuple[int, int]] = (),
    labels: Mapping[int, Collection[int]] | None = None,
    hints: Hints | None = None,
    neighbour_index: NeighbourIndex | None = None,
    unlabelled_weights: np.ndarray | None = None,
    confirmed: Iterable[int] = (),
    only: Collection[int] | None = None,
) -> list[QueueItem]:
    """The next ``limit`` documents in a mode, best first; ``only`` of these, where given.

    ``labels`` gives the topic columns of each labelled document; without it they are read from the
    factors, where every other topic is exactly zero. ``hints`` hold the guide's probabilities;
    without them the topics' shares are used. ``neighbour_index`` finds near-duplicates, of which
    one is offered, and similar documents. ``duplicates`` are further (position, first copy) pairs.
    A label is doubted by the hints, or by ``unlabelled_weights``, the topic weights of all
    documents when the model ignores labels; never one that is ``confirmed``.
    """
    if mode not in QUEUE_MODES:
        raise StudioError(f"There is no queue mode “{mode}”.")
    skipped = list(skip)
    copies = [copy for copy, _ in duplicates]
    is_open = _open(n_docs, [*labelled, *skipped], copies, neighbour_index)
    if only is not None:
        chosen = np.zeros(n_docs, dtype=bool)
        chosen[np.fromiter(only, dtype=np.intp, count=len(only))] = True
        is_open &= chosen
    if mode == "in_order":
        following = np.flatnonzero(is_open)[:limit]
        return [QueueItem(int(p), mode, "Next in the file") for p in following]
    random_key = np.random.default_rng(seed).random(n_docs)
    if mode == "random" or (topics is None and neighbour_index is None):
        return list(islice(audit.draw(is_open, random_key, limit), limit))
    if topics is None:
        assert neighbour_index is not None
        return _without_topics(neighbour_index, labelled, is_open, random_key, limit)
    context = QueueContext(
        topics=topics,
        open=is_open,
        labels=_labels_from(topics, labelled) if labels is None else labels,
        confirmed=frozenset([*skipped, *confirmed]),
        limit=limit,
        random_key=random_key,
        hints=hints,
        neighbour_index=neighbour_index,
        unlabelled_weights=unlabelled_weights,
    )
    items = mixed.rank(context, RANKERS) if mode == "mixed" else RANKERS[mode](context)
    return list(islice(items, limit))


def _open(
    n_docs: int,
    done: Collection[int],
    copies: Collection[int],
    neighbour_index: NeighbourIndex | None,
) -> np.ndarray:
    """Whether each document is neither labelled, skipped nor a copy of another."""
    is_open = np.ones(n_docs, dtype=bool)
    finished = np.fromiter(done, dtype=np.intp, count=len(done))
    is_open[finished] = False
    is_open[np.fromiter(copies, dtype=np.intp, count=len(copies))] = False
    if neighbour_index is not None:
        is_open &= ~neighbour_index.already_seen(finished)
    return is_open


def _labels_from(topics: Topics, labelled: Collection[int]) -> dict[int, list[int]]:
    """A labelled document has weight on its own topics only."""
    rows = np.fromiter(labelled, dtype=np.intp, count=len(labelled))
    used = topics.doc_topic[rows, : topics.n_supervised] > 0
    return {int(row): np.flatnonzero(mine).tolist() for row, mine in zip(rows, used, strict=True)}


def _without_topics(
    neighbour_index: NeighbourIndex,
    labelled: Collection[int],
    is_open: np.ndarray,
    random_key: np.ndarray,
    limit: int,
) -> list[QueueItem]:
    """Before the first fit: documents similar to most of the corpus, then random ones."""
    covered = neighbour_index.covered_by(np.fromiter(labelled, dtype=np.intp, count=len(labelled)))
    items = list(
        islice(influential.rank_by_reach(neighbour_index, covered, is_open, None, limit), limit)
    )
    rest = is_open.copy()
    rest[[item.position for item in items]] = False
    return [*items, *audit.draw(rest, random_key, limit - len(items))]
