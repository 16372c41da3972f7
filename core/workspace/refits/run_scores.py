"""Scores that every run carries with it, counted right after its fit."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from core.evaluation.left_out import judge_left_out
from core.evaluation.metrics.matching import match_topics
from core.insight import summaries
from core.store import Project, RunScores, Store
from core.supervision import Supervision
from core.topics import Topics
from core.workspace.refits.inputs import given_labels

AGAINST_TRUTH = ("mean_jaccard", "n_resolved", "n_labels", "n_documents")


def scores_of(
    store: Store, project: Project, topics: Topics, supervision: Supervision
) -> RunScores:
    """What a run scored; against the true labels where the project has some.

    A document that came without a label is unknown, not unlabelled: it counts for neither.
    """
    labelled = supervision.labelled
    scores = RunScores(
        n_labelled=int(labelled.sum()),
        adherence=summaries.adherence(topics, supervision)
        if topics.spec.labels_own_topics
        else None,
        **_left_out(topics, supervision),
    )
    if not project.settings.has_truth:
        return scores
    truth = given_labels(store, project)
    unseen = (truth.labelled & ~labelled).nonzero()[0]
    found = match_topics(topics.doc_topic, truth.indicator(), label_names=truth.names, rows=unseen)
    counted: dict[str, Any] = {name: getattr(found, name) for name in AGAINST_TRUTH}
    return replace(scores, **counted)


def _left_out(topics: Topics, supervision: Supervision) -> dict[str, int]:
    """What the guide got right on labelled documents left out; nothing without a guide."""
    if topics.guide is None:
        return {}
    found = judge_left_out(topics.guide, supervision)
    return {f"left_out_{name}": value for name, value in asdict(found).items()}
