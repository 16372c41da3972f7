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
from core.groups import Groups, Layout
from core.learned import learned_by
from core.models import MODELS
from core.part_starts import carried_parts
from core.steering import Limits, Steering
from core.supervision import Supervision
from core.text import TextSettings
from core.topics import Topics

if TYPE_CHECKING:
    from core.matrix import DocumentTermMatrix

COUNTING = frozenset({"lda", "pfa", "pfa_ssi"})  # models of whole numbers of words
DEAF = frozenset({"nmf", "vbnmf", "pfa", "lda"})  # models that no label changes


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

    @property
    def hears(self) -> bool:
        """Whether labels change the topics; to others they only lend names."""
        return self.model not in DEAF

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
    steering: Steering[str] | None = None,
) -> Topics:
    """Topics of a matrix under a model.

    ``start`` is an earlier result: its topics are found again by name and its documents by id, so a
    refit after one more label needs a few passes only. A callback that returns True cancels.
    ``steering`` says which words topics are held to, may not use or shall gain, by topic name.
    """
    n_docs = matrix.X.shape[0]
    supervision = Supervision.none(n_docs) if supervision is None else supervision
    estimator = spec.estimator(supervision.n_labels)
    owned = supervision.names if estimator.labels_own_topics else ()
    word = "Free" if estimator.labels_own_topics else "Topic"
    names = topic_names(owned, estimator.n_topics, word)
    start = start if _speaks_of(start, matrix) else None
    limits = _accepted(estimator, spec, steering).limits(names, matrix.terms)
    more: dict[str, Any] = {}
    layout = Layout.single(estimator.n_topics)
    if estimator.labels_own_topics:
        layout = _layout(estimator, matrix, supervision, start, names)
        layout = layout.single_at(limits.held)
        more = {"sizes": layout.sizes, "guide": None if start is None else start.guide}
    earlier = None if start is None else factors_from(start, matrix, supervision, names, layout)
    if earlier is not None:
        earlier[1][:, matrix.document_frequency == 0] = 0  # stop words of today
    if steering:
        estimator.limit(limits)
        _begin_new(earlier, start, names, limits, layout)
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
        groups=_groups_of(estimator, layout),
        learned=learned_by(estimator, supervision),
    )


def _accepted(estimator: Any, spec: ModelSpec, steering: Steering[str] | None) -> Steering[str]:
    if steering and not estimator.takes_limits:
        raise ModelError(
            f"{spec.model} finds the words of its topics by itself; tsnmf can be told."
        )
    return steering or Steering()


def _begin_new(
    earlier: Factors | None,
    start: Topics | None,
    names: tuple[str, ...],
    limits: Limits,
    layout: Layout,
) -> None:
    """Topics that the earlier result does not know start from the words they were given."""
    if start is None or earlier is None:
        return
    new = [k for k, name in enumerate(names) if name not in start.names]
    limits.of_topics(new).spread(layout.columns).begin(earlier[1])


def _speaks_of(start: Topics | None, matrix: DocumentTermMatrix) -> bool:
    """Whether a fit can start from earlier topics: the words and documents are the same."""
    return start is not None and (start.terms, start.doc_ids) == (matrix.terms, matrix.doc_ids)


def _layout(
    estimator: Any,
    matrix: DocumentTermMatrix,
    supervision: Supervision,
    start: Topics | None,
    names: tuple[str, ...],
) -> Layout:
    """How many parts each topic gets; those it had before stay if they may."""
    before = {} if start is None else dict(zip(start.names, start.parts, strict=True))
    earlier = [len(before.get(name, ())) for name in names]
    return Layout(estimator.sizes(matrix.X, supervision, earlier))


def _groups_of(estimator: Any, layout: Layout) -> Groups | None:
    if not layout.grouped:
        return None
    return Groups(layout.sizes, estimator.part_doc_topic_, estimator.part_components_)


def topic_names(labels: tuple[str, ...], n_topics: int, word: str = "Free") -> tuple[str, ...]:
    """The labels that own a topic, in order, then the other topics by number."""
    return labels + tuple(f"{word} {number + 1}" for number in range(n_topics - len(labels)))


def factors_from(
    earlier: Topics,
    matrix: DocumentTermMatrix,
    supervision: Supervision,
    names: tuple[str, ...],
    layout: Layout | None = None,
) -> Factors | None:
    """W and H of an earlier result, laid out for this fit; None if the words have changed.

    A topic that is new starts from its labelled documents, like in a first fit.
    """
    if not _speaks_of(earlier, matrix):
        return None
    layout = layout or Layout.single(len(names))
    before = dict(zip(earlier.names, earlier.parts, strict=True))
    rng = np.random.default_rng(earlier.spec.random_state)
    return carried_parts(
        (earlier.part_doc_topic, earlier.part_topic_term),
        [before.get(name, ()) for name in names],
        layout,
        matrix.X,
        supervision,
        rng,
    )
