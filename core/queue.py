"""Which document to label next, and why.

Pure arithmetic on what the last fit says, so the line for a few hundred thousand documents is
drawn up while the finger leaves the key. Everything is a deterministic function of the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import numpy as np

from core.errors import StudioError
from core.topics import Topics

MODES = ("mixed", "uncertain", "thin", "mislabelled", "random", "in_order")
PATTERN = ("uncertain", "thin", "uncertain", "mislabelled", "uncertain") * 2
MIXED = (*PATTERN[:-1], "random")  # one in ten is drawn blind
THIN = 3  # one topic in so many counts as thin
DOUBT = 0.5  # a label is doubted when its topics hold less than this share of a free reading
RANDOM = "Random check"


class QueueItem(NamedTuple):
    """A document, the kind of reason it is next, and the reason in words."""

    position: int
    kind: str
    reason: str


@dataclass(frozen=True)
class _Desk:
    """What the strategies look at."""

    topics: Topics
    open: np.ndarray  # (n_docs,) bool: neither labelled, skipped nor a copy
    labels: Mapping[int, Collection[int]]  # columns of the topics a document was given
    reading: np.ndarray | None  # document weights found without labels
    limit: int
    key: np.ndarray = field(repr=False)  # one random number per document


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
    reading: np.ndarray | None = None,
) -> list[QueueItem]:
    """The next documents in a mode, first come first.

    ``labels`` names the topic columns each labelled document was given; without it they are
    read off the factors, where every other topic is exactly zero. ``reading`` is what the model
    makes of all documents when it ignores labels; only with it can a label be doubted.
    ``duplicates`` are (position, first copy) pairs: a text is offered once.
    """
    if mode not in MODES:
        raise StudioError(f"There is no queue mode “{mode}”.")
    taken = [*labelled, *skip, *(copy for copy, _ in duplicates)]
    is_open = np.ones(n_docs, dtype=bool)
    is_open[np.fromiter(taken, dtype=np.intp, count=len(taken))] = False
    if mode == "in_order":
        return [QueueItem(int(p), mode, "Next in the file") for p in _first(is_open, limit)]
    key = np.random.default_rng(seed).random(n_docs)
    if topics is None or mode == "random":
        return list(islice(_random(is_open, key, limit), limit))
    known = _labels_from(topics, labelled) if labels is None else labels
    desk = _Desk(topics, is_open, known, reading, limit, key)
    items = _mixed(desk) if mode == "mixed" else STRATEGIES[mode](desk)
    return list(islice(items, limit))


def _first(is_open: np.ndarray, limit: int) -> np.ndarray:
    return np.flatnonzero(is_open)[:limit]


def _labels_from(topics: Topics, labelled: Collection[int]) -> dict[int, list[int]]:
    """A labelled document has weight on its own topics only."""
    rows = np.fromiter(labelled, dtype=np.intp, count=len(labelled))
    used = topics.doc_topic[rows, : topics.n_supervised] > 0
    return {int(row): np.flatnonzero(mine).tolist() for row, mine in zip(rows, used, strict=True)}


def _random(is_open: np.ndarray, key: np.ndarray, limit: int) -> Iterator[QueueItem]:
    """Each document keeps its number, so labelling one does not shuffle the others."""
    for position in _smallest(np.where(is_open, key, np.inf), limit):
        yield QueueItem(int(position), "random", RANDOM)


def _smallest(values: np.ndarray, limit: int) -> np.ndarray:
    """Places of the smallest finite values, in order; ties by place."""
    n = min(limit, len(values))
    if n == 0:
        return np.empty(0, dtype=np.intp)
    bound = np.partition(values, n - 1)[n - 1]
    near = np.flatnonzero((values <= bound) & np.isfinite(values))
    return near[np.argsort(values[near], kind="stable")][:n]


def _uncertain(desk: _Desk) -> Iterator[QueueItem]:
    """Smallest gap between the two largest shares; without weight there is nothing to weigh."""
    shares = desk.topics.shares()
    if shares.shape[1] < 2:
        return
    first = shares.argmax(axis=1)
    rows = np.arange(len(shares))
    rest = shares.copy()
    rest[rows, first] = -1.0
    second = rest.argmax(axis=1)
    margin = shares[rows, first] - shares[rows, second]
    weighed = desk.open & (shares[rows, second] > 0)
    for row in _smallest(np.where(weighed, margin, np.inf), desk.limit):
        pair = [(desk.topics.names[t], shares[row, t]) for t in (first[row], second[row])]
        told = " · ".join(f"{name} {share * 100:.0f}\u00a0%" for name, share in pair)
        yield QueueItem(int(row), "uncertain", f"Close call: {told}")


def _thin(desk: _Desk) -> Iterator[QueueItem]:
    """Documents that lean most towards the topics with fewest labels, one topic after another."""
    n_named = desk.topics.n_supervised
    counts = np.zeros(n_named, dtype=int)
    for columns in desk.labels.values():
        counts[[column for column in columns if column < n_named]] += 1
    thinnest = np.argsort(counts, kind="stable")[: -(-n_named // THIN)]
    lines = [_leaning(desk, int(topic), int(counts[topic])) for topic in thinnest]
    seen: set[int] = set()
    while lines:
        for line in list(lines):
            item = next((each for each in line if each.position not in seen), None)
            if item is None:
                lines.remove(line)
            else:
                seen.add(item.position)
                yield item


def _leaning(desk: _Desk, topic: int, count: int) -> Iterator[QueueItem]:
    share = desk.topics.shares()[:, topic]
    name = desk.topics.names[topic]
    many = f"only {count} label{'' if count == 1 else 's'}" if count else "no label yet"
    for row in _smallest(np.where(desk.open & (share > 0), -share, np.inf), desk.limit):
        yield QueueItem(int(row), "thin", f"Thin topic: {many} for {name}")


def _mislabelled(desk: _Desk) -> Iterator[QueueItem]:
    """Labelled documents whose own topics hold little of what a free reading finds in them."""
    rows = np.array([row for row, columns in desk.labels.items() if columns], dtype=np.intp)
    if desk.reading is None or not len(rows):
        return
    weights = desk.reading[rows]
    total = weights.sum(axis=1)
    own = np.array([weights[i, list(desk.labels[int(row)])].sum() for i, row in enumerate(rows)])
    held = np.divide(own, total, out=np.ones_like(total), where=total > 0)
    names = desk.topics.names
    for i in _smallest(np.where(held < DOUBT, held, np.inf), desk.limit):
        row, best = int(rows[i]), int(weights[i].argmax())
        given = " and ".join(names[column] for column in sorted(desk.labels[row]))
        if best not in desk.labels[row]:
            reason = f"Looks mislabelled: labelled {given}, reads as {names[best]}"
            yield QueueItem(row, "mislabelled", reason)


STRATEGIES: dict[str, Callable[[_Desk], Iterator[QueueItem]]] = {
    "uncertain": _uncertain,
    "thin": _thin,
    "mislabelled": _mislabelled,
    "random": lambda desk: _random(desk.open, desk.key, desk.limit),
}


def _mixed(desk: _Desk) -> Iterator[QueueItem]:
    """The strategies in turn, each document once; one that runs dry gives its turn away."""
    lines = {name: strategy(desk) for name, strategy in STRATEGIES.items()}
    seen: set[int] = set()
    turn = 0
    while lines:
        kind = MIXED[turn % len(MIXED)]
        turn += 1
        if kind not in lines:
            continue
        item = next((each for each in lines[kind] if each.position not in seen), None)
        if item is None:
            del lines[kind]
        else:
            seen.add(item.position)
            yield item
