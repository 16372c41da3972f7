"""From one fit to the next: topics that were merged, adopted or ended, and free ones in order.

Names, numbers and places of topics stay put across refits. A warm start does most of it; what a
warm start cannot know is told here, and where there is none, free topics are matched to the
earlier ones by their words (Kuhn–Munkres on cosines).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from core.groups import Groups
from core.topics import Topics

ENDED = "\x00ended {}"  # a name that no topic can have, so that nothing starts from it


def carried(
    topics: Topics,
    places: Mapping[int, int],
    heirs: Mapping[int, Sequence[int]],
    names: Mapping[int, str],
) -> Topics:
    """The topics of a run as the next fit starts from them.

    ``places`` are the columns of numbered topics, free ones that were adopted among them; ``heirs``
    tell what each number stands for now, ``names`` what the topics in force are called. A merged
    topic starts from the sum of what it was merged from; a topic that ended, by deletion or by a
    split, starts nothing.
    """
    called = list(topics.names)
    for number, column in places.items():
        now = tuple(heirs.get(number, ()))
        if now == (number,):
            called[column] = names[number]
            continue
        called[column] = ENDED.format(number)
        if len(now) == 1 and now[0] in places:
            topics = joined(topics, places[now[0]], column)
        elif len(now) == 1 and names[now[0]] not in called:
            called[column] = names[now[0]]  # it lives on in a topic this run did not know
    return topics.renamed(tuple(called))


def joined(topics: Topics, into: int, other: int) -> Topics:
    """One topic made of two, in the place of the first; the other keeps its own place and words."""
    use = topics.doc_topic[:, [into, other]].sum(axis=0, dtype=np.float64)
    share = use / use.sum() if use.any() else np.array([0.5, 0.5])
    row = share @ topics.topic_term[[into, other]].astype(np.float64)
    doc_topic, topic_term = topics.doc_topic.copy(), topics.topic_term.copy()
    doc_topic[:, into] += doc_topic[:, other]
    topic_term[into] = row / max(float(np.linalg.norm(row)), 1e-30)
    return replace(
        topics,
        doc_topic=doc_topic,
        topic_term=topic_term,
        groups=None if topics.groups is None else _joined_groups(topics.groups, into, other),
    )


def _joined_groups(groups: Groups, into: int, other: int) -> Groups:
    """The parts of both, side by side."""
    columns = [list(each) for each in groups.columns]
    columns[into] += columns[other]
    order = [column for each in columns for column in each]
    return Groups(
        tuple(len(each) for each in columns),
        np.ascontiguousarray(groups.doc_part[:, order]),
        np.ascontiguousarray(groups.part_term[order]),
    )


def in_earlier_order(topics: Topics, earlier: Topics) -> Topics:
    """Free topics in the places, and under the names, of the earlier ones they are most like."""
    free = list(range(topics.n_supervised, len(topics)))
    before = list(range(earlier.n_supervised, len(earlier)))
    if len(free) < 2 or not before:
        return topics
    likeness = _cosines(topics, free, earlier, before)
    rows, columns = linear_sum_assignment(likeness, maximize=True)
    wanted = {
        free[row]: earlier.names[before[column]] for row, column in zip(rows, columns, strict=True)
    }
    names = [topics.names[k] for k in free]
    placed = {names.index(name): k for k, name in wanted.items() if name in names}
    rest = iter([k for k in free if k not in placed.values()])
    order = [placed[i] if i in placed else next(rest) for i in range(len(free))]
    moved = topics.picked([*range(topics.n_supervised), *order])
    return moved.renamed(topics.names)


def _cosines(topics: Topics, free: list[int], earlier: Topics, before: list[int]) -> np.ndarray:
    """Over the words that both know."""
    place = {term: t for t, term in enumerate(earlier.terms)}
    known = [(t, place[term]) for t, term in enumerate(topics.terms) if term in place]
    if not known:
        return np.zeros((len(free), len(before)))
    here, there = map(list, zip(*known, strict=True))
    one, other = topics.topic_term[np.ix_(free, here)], earlier.topic_term[np.ix_(before, there)]
    length = np.outer(np.linalg.norm(one, axis=1), np.linalg.norm(other, axis=1))
    return np.asarray(one @ other.T) / np.maximum(length, 1e-30)
