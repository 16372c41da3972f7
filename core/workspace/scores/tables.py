"""The tables that are kept with the scores of a run: label by label, topic by topic."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.evaluation.forecast import coverage
from core.evaluation.metrics import topic_coherence
from core.evaluation.metrics.matching import match_topics
from core.evaluation.scoring import HeldOutDocuments
from core.insight.topic_titles import topic_titles
from core.matrix import DocumentTermMatrix
from core.supervision import Supervision
from core.topics import Topics

SOME_FREE_TOPIC = "a free topic"


def label_table(judged: HeldOutDocuments | None, topics: Topics | None) -> list[Any]:
    """Label by label: the topic it found, and how well.

    ``topics`` are those that were judged. Without them labels were held out by folds, each of
    which has free topics of its own: no words are common to them.
    """
    if judged is None:
        return []
    free = len(judged.topic_names) - len(judged.names)
    titles = (*judged.names, *[SOME_FREE_TOPIC] * free) if topics is None else topic_titles(topics)
    found = match_topics(
        judged.doc_topic, judged.truth, label_names=judged.names, topic_names=titles
    ).table
    return list(found[found["documents"] > 0].to_dict("records"))


def coverage_table(topics: Topics, supervision: Supervision) -> list[Any]:
    """How labels are spread over the named topics; nothing if no topic bears a label's name."""
    owners = [supervision.keys.index(key) for key in topics.label_keys if key in supervision.keys]
    if not owners or len(owners) < topics.n_supervised:
        return []
    in_order = replace(
        supervision,
        names=tuple(supervision.names[i] for i in owners),
        keys=topics.label_keys,
        permitted=supervision.permitted[:, owners],
    )
    table = coverage(topics, in_order)
    table["id"] = [topics.keys[topic] for topic in table["topic"]]
    return list(table.to_dict("records"))


def coherence_table(topics: Topics, matrix: DocumentTermMatrix) -> list[Any]:
    """NPMI topic by topic; nothing if the run read other words than the matrix."""
    if topics.terms != matrix.terms:
        return []
    values = topic_coherence(topics.topic_term, matrix.X)
    return [
        {"name": name, "coherence": float(value)}
        for name, value in zip(topic_titles(topics), values, strict=True)
    ]
