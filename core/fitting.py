"""From matrix and supervision to topics: the model, its options, and the warm start."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.descent import Callback
from core.engine.documents import DocumentHost
from core.engine.estimator import Factors
from core.engine.groups import Groups, Layout
from core.engine.learned import learned_by
from core.engine.limits import Steering, TopicLimits
from core.engine.starts.parts import carried_parts
from core.errors import Cancelled, ModelError
from core.fitted import state_of
from core.guide.descriptions import describe_labels
from core.spec import ModelSpec
from core.supervision import Supervision, TopicKey
from core.topics import Topics

if TYPE_CHECKING:
    from core.matrix import DocumentTermMatrix

FREE_TOPIC_WORD = "Free"  # a topic beside those of the labels
UNNAMED_TOPIC = "Topic"  # a topic of a model whose topics belong to no label


def fit(
    matrix: DocumentTermMatrix,
    supervision: Supervision | None,
    spec: ModelSpec,
    *,
    start: Topics | None = None,
    callback: Callback | None = None,
    steering: Steering[Any] | None = None,
    cluster: DocumentHost | None = None,
) -> Topics:
    """Topics of a matrix under a model.

    ``start`` is an earlier result: its topics are found again by key and its documents by id, so a
    refit after one more label needs a few passes only. A topic that is not in it begins from its
    labelled documents. A callback that returns True cancels. ``steering`` says which words topics
    are held to, may not use or shall gain, by topic key. On a ``core.cluster.Cluster`` documents
    are solved there, with the same result.
    """
    n_docs = matrix.X.shape[0]
    supervision = Supervision.none(n_docs) if supervision is None else supervision
    estimator = spec.estimator(supervision.n_labels)
    names, keys = _names_and_keys(estimator, supervision)
    start = _usable_start(start, matrix)
    limits = _accepted(estimator, spec, steering).limits(keys, matrix.terms)
    more: dict[str, Any] = {"limits": limits} if estimator.takes_limits else {}
    if cluster is not None:
        more["host"] = _usable_host(estimator, spec, cluster)
    layout = Layout.single(estimator.n_topics)
    if estimator.labels_own_topics:
        layout = _layout(estimator, matrix, supervision, start, keys)
        layout = layout.single_at(limits.held)
        more |= {"sizes": layout.sizes, "guide": None if start is None else start.guide}
        more |= _guide_reads(matrix, supervision, limits)
    earlier = None if start is None else _start_factors(start, matrix, supervision, keys, layout)
    if steering:
        _begin_new(earlier, start, keys, limits, layout)
    estimator.fit(matrix.X, supervision, start=earlier, callback=callback, **more)
    if estimator.trace_.stopped == "cancelled":
        raise Cancelled("The fit was cancelled; the earlier topics are unchanged.")
    return Topics(
        doc_topic=estimator.doc_topic_,
        topic_term=estimator.components_,
        terms=matrix.terms,
        doc_ids=matrix.doc_ids,
        names=names,
        keys=keys,
        n_supervised=supervision.n_labels if estimator.labels_own_topics else 0,
        spec=spec,
        trace=estimator.trace_,
        fingerprint=matrix.fingerprint,
        guide=getattr(estimator, "guide_", None),
        groups=_groups_of(estimator, layout),
        learned=learned_by(estimator, supervision),
        state=state_of(estimator, spec.model, supervision.keys),
    )


def _guide_reads(
    matrix: DocumentTermMatrix, supervision: Supervision, limits: TopicLimits
) -> dict[str, Any]:
    """What teaches the guide besides words and labels: vectors of documents, texts about labels."""
    return {
        "vectors": None if matrix.vectors is None else matrix.vectors.values,
        "descriptions": describe_labels(matrix, supervision.descriptions, limits),
    }


def _names_and_keys(
    estimator: Any, supervision: Supervision
) -> tuple[tuple[str, ...], tuple[TopicKey, ...]]:
    """The labels that own a topic, in order, then the others; a free topic's name is its key."""
    if not estimator.labels_own_topics:
        names = free_names(estimator.n_topics, UNNAMED_TOPIC)
        return names, names
    free = free_names(estimator.n_topics - supervision.n_labels, FREE_TOPIC_WORD)
    return supervision.names + free, supervision.keys + free


def free_names(n: int, word: str = FREE_TOPIC_WORD) -> tuple[str, ...]:
    """Names of topics that belong to no label."""
    return tuple(f"{word} {number + 1}" for number in range(n))


def _usable_start(start: Topics | None, matrix: DocumentTermMatrix) -> Topics | None:
    """Earlier topics of the same words and documents, by the keys that a fit gives them."""
    if start is None or (start.terms, start.doc_ids) != (matrix.terms, matrix.doc_ids):
        return None
    return start if start.spec.labels_own_topics else _without_label_keys(start)


def _without_label_keys(topics: Topics) -> Topics:
    """Where labels only lend names, each topic goes by a number: its own, or the next unused."""
    taken = set(topics.keys[topics.n_supervised :])
    unused = (name for name in free_names(2 * len(topics), UNNAMED_TOPIC) if name not in taken)
    numbered = tuple(next(unused) for _ in range(topics.n_supervised))
    return replace(topics, keys=numbered + topics.keys[topics.n_supervised :])


def _accepted(estimator: Any, spec: ModelSpec, steering: Steering[Any] | None) -> Steering[Any]:
    if steering and not estimator.takes_limits:
        raise ModelError(f"{spec.model} takes no rules about words; tsnmf does.")
    return steering or Steering()


def _usable_host(estimator: Any, spec: ModelSpec, cluster: DocumentHost) -> DocumentHost:
    if not estimator.runs_on_cluster:
        raise ModelError(
            f"{spec.model} runs on one machine; nmf, tsnmf and ssnmf run on a cluster, too."
        )
    return cluster


def _begin_new(
    earlier: Factors | None,
    start: Topics | None,
    keys: tuple[TopicKey, ...],
    limits: TopicLimits,
    layout: Layout,
) -> None:
    """Topics that the earlier result does not know start from the words they were given."""
    if start is None or earlier is None:
        return
    new = [k for k, key in enumerate(keys) if start.column(key) is None]
    limits.of_topics(new).spread(layout.columns).begin(earlier[1])


def _layout(
    estimator: Any,
    matrix: DocumentTermMatrix,
    supervision: Supervision,
    start: Topics | None,
    keys: tuple[TopicKey, ...],
) -> Layout:
    """How many parts each topic gets; those it had before stay if they may."""
    before = {} if start is None else dict(zip(start.keys, start.parts, strict=True))
    earlier = [len(before.get(key, ())) for key in keys]
    return Layout(estimator.sizes(matrix.X, supervision, earlier))


def _groups_of(estimator: Any, layout: Layout) -> Groups | None:
    if not layout.grouped:
        return None
    return Groups(layout.sizes, estimator.part_doc_topic_, estimator.part_components_)


def _start_factors(
    start: Topics,
    matrix: DocumentTermMatrix,
    supervision: Supervision,
    keys: tuple[TopicKey, ...],
    layout: Layout,
) -> Factors:
    """W and H of an earlier result, laid out for this fit.

    A topic that is new starts from its labelled documents, like in a first fit.
    """
    before = dict(zip(start.keys, start.parts, strict=True))
    W, H = carried_parts(
        (start.part_doc_topic, start.part_topic_term),
        [before.get(key, ()) for key in keys],
        layout,
        matrix.X,
        supervision,
        np.random.default_rng(start.spec.random_state),
    )
    H[:, matrix.document_frequency == 0] = 0  # stop words of today
    return W, H
