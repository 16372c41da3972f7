"""From matrix and supervision to topics: the model, its options, and the warm start."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from core.descent import Callback
from core.errors import Cancelled, ModelError
from core.estimator import Factors
from core.models import MODELS
from core.starts import label_topics
from core.supervision import Supervision
from core.text import TextSettings
from core.topics import Topics

if TYPE_CHECKING:
    from core.matrix import DocumentTermMatrix

COUNTING = frozenset({"lda", "pfa", "pfa_ssi"})  # models of whole numbers of words


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """Which model, how many topics, and every option that differs from its default."""

    model: str = "tsnmf"
    n_topics: int | None = None  # None: as many as there are labels
    random_state: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "n_topics": self.n_topics,
            "random_state": self.random_state,
            "options": dict(self.options),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ModelSpec:
        return cls(**values)

    @property
    def obeys(self) -> bool:
        """Whether every label owns a topic and a labelled document can use no other."""
        return bool(self._kind().labels_own_topics)

    def reads(self, settings: TextSettings) -> TextSettings:
        """The text settings under which this model is fitted: some models need plain counts."""
        if self.model not in COUNTING:
            return settings
        return replace(settings, weighting="counts", l2=False)

    def _kind(self) -> type[Any]:
        if self.model not in MODELS:
            raise ModelError(f"There is no model “{self.model}”; choose from {', '.join(MODELS)}.")
        return MODELS[self.model]

    def estimator(self, n_labels: int = 0) -> Any:
        """The model itself, unfitted; a misspelt option is refused, not ignored."""
        kind = self._kind()
        known = inspect.signature(kind).parameters
        unknown = sorted(set(self.options) - set(known))
        if unknown:
            raise ModelError(
                f"{self.model} has no option “{unknown[0]}”; it has {', '.join(sorted(known))}."
            )
        n_topics = self.n_topics or n_labels or 10
        return kind(n_topics=n_topics, random_state=self.random_state, **self.options)


def fit(
    matrix: DocumentTermMatrix,
    supervision: Supervision | None,
    spec: ModelSpec,
    *,
    start: Topics | None = None,
    callback: Callback | None = None,
) -> Topics:
    """Topics of a matrix under a model.

    ``start`` is an earlier result: its topics are found again by name and its documents by id, so a
    refit after one more label needs a few passes only. A callback that returns True cancels.
    """
    n_docs = matrix.X.shape[0]
    supervision = Supervision.none(n_docs) if supervision is None else supervision
    estimator = spec.estimator(supervision.n_labels)
    owned = supervision.names if estimator.labels_own_topics else ()
    word = "Free" if estimator.labels_own_topics else "Topic"
    names = topic_names(owned, estimator.n_topics, word)
    earlier = None if start is None else factors_from(start, matrix, supervision, names)
    more: dict[str, Any] = {}
    if start is not None and earlier is not None and hasattr(estimator, "guidance"):
        more["guide"] = start.guide
    estimator.fit(matrix.X, supervision, start=earlier, callback=callback, **more)
    if estimator.trace_.stopped == "cancelled":
        raise Cancelled("The fit was cancelled; the earlier topics are unchanged.")
    return Topics(
        doc_topic=estimator.doc_topic_,
        topic_term=estimator.components_,
        terms=matrix.terms,
        doc_ids=matrix.doc_ids,
        names=names,
        n_supervised=len(owned),
        spec=spec,
        trace=estimator.trace_,
        fingerprint=matrix.fingerprint,
        guide=getattr(estimator, "guide_", None),
    )


def topic_names(labels: tuple[str, ...], n_topics: int, word: str = "Free") -> tuple[str, ...]:
    """The labels that own a topic, in order, then the other topics by number."""
    return labels + tuple(f"{word} {number + 1}" for number in range(n_topics - len(labels)))


def factors_from(
    earlier: Topics,
    matrix: DocumentTermMatrix,
    supervision: Supervision,
    names: tuple[str, ...],
) -> Factors | None:
    """W and H of an earlier result, laid out for this fit; None if the words have changed.

    A topic that is new starts from its labelled documents, like in a first fit.
    """
    if earlier.terms != matrix.terms or earlier.doc_ids != matrix.doc_ids:
        return None
    column = {name: j for j, name in enumerate(earlier.names)}
    known = np.array([name in column for name in names])
    source = [column[name] for name in names if name in column]
    W = np.zeros((len(matrix.doc_ids), len(names)), earlier.doc_topic.dtype)
    H = np.zeros((len(names), len(matrix.terms)), earlier.topic_term.dtype)
    W[:, known] = earlier.doc_topic[:, source]
    H[known] = earlier.topic_term[source]
    if not known.all():
        rng = np.random.default_rng(earlier.spec.random_state)
        H[~known] = label_topics(matrix.X, supervision, len(names), rng)[~known]
    return W, H
