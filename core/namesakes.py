"""Names for topics that belong to no label: each label lends its name to the topic it matches.

Only ``tsnmf`` gives every label a topic of its own. The other models find topics that stand beside
the labels; here they are paired one to one by weighted Jaccard on the labelled documents, and a
pair that is resolved shares the label's name. The name is a reading, not a promise.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.fitting import topic_names
from core.metrics.matching import match_topics
from core.supervision import Supervision
from core.topics import Topics

WORD = "Topic"  # what a topic is called that matches no label


def with_namesakes(topics: Topics, supervision: Supervision) -> tuple[Topics, tuple[int, ...]]:
    """The topics with matched ones first, in the order of their labels, and those labels.

    Topics that no document uses (a sampler prunes) are left out. The others keep their number.
    """
    used = np.flatnonzero(topics.doc_topic.any(axis=0))
    pairs = _resolved(topics, supervision)
    labels, columns = [label for label, _ in pairs], [topic for _, topic in pairs]
    rest = [int(topic) for topic in used if topic not in columns]
    order = [*columns, *rest] or [0]
    names = (*(supervision.names[label] for label in labels), *(topics.names[i] for i in rest))
    named = replace(topics.picked(order), names=names or topics.names[:1], n_supervised=len(labels))
    return named, tuple(labels)


def without_namesakes(topics: Topics) -> Topics:
    """The same topics under numbers again, so that a refit finds them by name."""
    taken = set(topics.names[topics.n_supervised :])
    free = (name for name in topic_names((), 2 * len(topics), WORD) if name not in taken)
    numbered = tuple(next(free) for _ in range(topics.n_supervised))
    return topics.renamed(numbered + topics.names[topics.n_supervised :])


def _resolved(topics: Topics, supervision: Supervision) -> list[tuple[int, int]]:
    """Pairs of a label and the topic that speaks for it, as far as the match is no accident."""
    found = match_topics(
        topics.doc_topic,
        supervision.indicator(),
        label_names=supervision.names,
        rows=supervision.labelled,
    ).table
    kept = found[found["resolved"]]
    pairs = zip(kept.index, kept["topic"], strict=True)
    return [(int(label), int(topic)) for label, topic in pairs]
