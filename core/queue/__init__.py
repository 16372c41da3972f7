"""Which document to label next, and why.

One file per reason: ``uncertain``, ``torn``, ``telling``, ``thin``, ``novel``, ``influential``,
``mislabelled`` and ``audit`` each draw up a line of documents, best first; ``mixed`` takes from
them in turn. They look at the last fit, at the guide's ``Hints`` and at the ``Outline`` of the
corpus, all arrays, so the line for a few hundred thousand documents is drawn up while the finger
leaves the key. Everything is a deterministic function of the seed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import islice

import numpy as np

from core.errors import StudioError
from core.queue import audit, influential, mislabelled, mixed, novel, telling, thin, torn, uncertain
from core.queue.hints import Hints
from core.queue.outline import Outline, outline_of
from core.queue.view import QueueItem, View
from core.topics import Topics

__all__ = ["Hints", "MODES", "Outline", "QueueItem", "next_documents", "outline_of"]

LINES: dict[str, mixed.Line] = {
    "uncertain": uncertain.line,
    "torn": torn.line,
    "telling": telling.line,
    "thin": thin.line,
    "novel": novel.line,
    "influential": influential.line,
    "mislabelled": mislabelled.line,
    "random": audit.line,
}
MODES = ("mixed", "uncertain", "thin", "novel", "influential", "mislabelled", "random", "in_order")


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
    outline: Outline | None = None,
    reading: np.ndarray | None = None,
    settled: Iterable[int] = (),
) -> list[QueueItem]:
    """The next documents in a mode, first come first.

    ``labels`` names the topic columns each labelled document was given; without it they are
    read off the factors, where every other topic is exactly zero. ``hints`` are what the guide
    thinks of each document; without them the topics' shares speak. ``outline`` knows near-copies,
    which are offered once, and who resembles whom. ``duplicates`` are further (position, first
    copy) pairs. A label is doubted if the hints judge it, or if ``reading`` is given, what the
    model makes of all documents when it ignores labels; never one that is ``settled``.
    """
    if mode not in MODES:
        raise StudioError(f"There is no queue mode “{mode}”.")
    skipped = list(skip)
    copies = [copy for copy, _ in duplicates]
    is_open = _open(n_docs, [*labelled, *skipped], copies, outline)
    if mode == "in_order":
        chosen = np.flatnonzero(is_open)[:limit]
        return [QueueItem(int(p), mode, "Next in the file") for p in chosen]
    key = np.random.default_rng(seed).random(n_docs)
    if mode == "random" or (topics is None and outline is None):
        return list(islice(audit.drawn(is_open, key, limit), limit))
    if topics is None:
        assert outline is not None
        return _without_topics(outline, labelled, is_open, key, limit)
    view = View(
        topics=topics,
        open=is_open,
        labels=_labels_from(topics, labelled) if labels is None else labels,
        settled=frozenset([*skipped, *settled]),
        limit=limit,
        key=key,
        hints=hints,
        outline=outline,
        reading=reading,
    )
    items = mixed.line(view, LINES) if mode == "mixed" else LINES[mode](view)
    return list(islice(items, limit))


def _open(
    n_docs: int, done: Collection[int], copies: Collection[int], outline: Outline | None
) -> np.ndarray:
    """Where a document is neither dealt with nor a copy of another."""
    is_open = np.ones(n_docs, dtype=bool)
    settled = np.fromiter(done, dtype=np.intp, count=len(done))
    is_open[settled] = False
    is_open[np.fromiter(copies, dtype=np.intp, count=len(copies))] = False
    if outline is not None:
        is_open &= ~outline.closed(settled)
    return is_open


def _labels_from(topics: Topics, labelled: Collection[int]) -> dict[int, list[int]]:
    """A labelled document has weight on its own topics only."""
    rows = np.fromiter(labelled, dtype=np.intp, count=len(labelled))
    used = topics.doc_topic[rows, : topics.n_supervised] > 0
    return {int(row): np.flatnonzero(mine).tolist() for row, mine in zip(rows, used, strict=True)}


def _without_topics(
    outline: Outline, labelled: Collection[int], is_open: np.ndarray, key: np.ndarray, limit: int
) -> list[QueueItem]:
    """Before the first fit: documents that reach most of the corpus, then whatever is left."""
    covered = outline.covered_by(np.fromiter(labelled, dtype=np.intp, count=len(labelled)))
    items = list(islice(influential.reaching(outline, covered, is_open, None, limit), limit))
    rest = is_open.copy()
    rest[[item.position for item in items]] = False
    return [*items, *audit.drawn(rest, key, limit - len(items))]
