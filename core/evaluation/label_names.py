"""Names for topics that belong to no label: each label lends its name to the topic it matches.

Only ``tsnmf`` gives every label a topic of its own. The other models find topics that stand beside
the labels; here they are paired one to one by weighted Jaccard on the labelled documents, and a
pair that is resolved shares the label's name and key. The name is a reading, not a promise.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.evaluation.metrics.matching import match_topics
from core.supervision import Supervision
from core.topics import Topics


def name_after_labels(topics: Topics, supervision: Supervision) -> Topics:
    """The topics with those that match a label first, in the order of the labels.

    Topics that no document uses (a sampler prunes) are left out. The others keep name and key.
    """
    used = np.flatnonzero(topics.doc_topic.any(axis=0))
    pairs = _resolved(topics, supervision)
    labels, columns = [label for label, _ in pairs], [topic for _, topic in pairs]
    rest = [int(topic) for topic in used if topic not in columns]
    picked = topics.picked([*columns, *rest] or [0])
    n = len(labels)
    return replace(
        picked,
        names=(*(supervision.names[label] for label in labels), *picked.names[n:]),
        keys=(*(supervision.keys[label] for label in labels), *picked.keys[n:]),
        n_supervised=n,
    )


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
