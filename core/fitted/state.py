"""What a fitted model answers about new documents with: arrays and numbers, no document of the fit.

One table names, for every model, the fitted attributes that ``transform`` and ``predict`` read, and
the shape of each. It is the content of a model's file, so a file is held against it when it is read
(``core.fitted.checks``), and everything else of a fit, its documents above all, stays behind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

import numpy as np
from sklearn.decomposition import LatentDirichletAllocation

from core.engine.groups import Layout
from core.engine.margins import LabelMachines
from core.guide.classifier import Guide
from core.guide.latent import Latent
from core.guide.novelty import Novelty
from core.guide.teachers import Teachers
from core.guide.uncovered import UncoveredChance
from core.guide.views import Views
from core.supervision import TopicKey
from core.values import ArrayValue

Number = float | int | bool | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StoredArray:
    """An array of a fitted model: where it is found, what its axes are, what its numbers are."""

    attribute: str
    axes: tuple[str, ...]
    holds: str = "weights"  # weights (at least 0), reals, counts or flags


@dataclass(frozen=True, slots=True)
class StoredState:
    """What is kept of one kind of model."""

    arrays: tuple[StoredArray, ...]
    numbers: tuple[str, ...] = ()


TOPIC_TERMS = StoredArray("components_", ("topics", "terms"))
CLASS_COUNT = StoredArray("class_count_", ("labels",), "counts")
LABEL_PROFILES = StoredArray("label_profiles_", ("labels", "topics"))
LABEL_TOPICS = StoredArray("label_topic_", ("labels", "topics"))
SAMPLED_ARRAYS = (
    StoredArray("topic_length_", ("topics",)),
    StoredArray("scale_", ("topics",)),
    StoredArray("weight_prior_", ("topics",)),
)
POSTERIOR_ARRAYS = (
    StoredArray("components_spread_", ("topics", "terms")),
    StoredArray("weight_rate_", ("topics",)),
)
GUIDE_STATE = StoredState(
    (
        StoredArray("guide_.coefficients", ("terms", "labels"), "reals"),
        StoredArray("guide_.direction_coefficients", ("places", "labels"), "reals"),
        StoredArray("guide_.views.latent.directions", ("terms", "directions"), "reals"),
        StoredArray("guide_.constant", ("labels",), "reals"),
        StoredArray("guide_.examples", ("labels",), "counts"),
        StoredArray("guide_.teachers.described", ("labels",), "flags"),
        StoredArray("uncovered_.novelty.thresholds", ("thresholds",)),
        StoredArray("uncovered_.novelty.chances", ("chances",)),
    ),
    ("guide_.slope", "guide_.offset", "guide_.skill", "guide_.uncovered", "uncovered_.shift"),
)
MEANING_STATE = StoredState(
    (
        StoredArray("guide_.meaning_coefficients", ("dimensions", "labels"), "reals"),
        StoredArray("guide_.views.mean_vector", ("dimensions",), "reals"),
    )
)
STORED_STATES: Mapping[str, StoredState] = {
    "nmf": StoredState((LABEL_PROFILES,)),
    "tsnmf": StoredState(
        (StoredArray("part_components_", ("parts", "terms")),), ("layout_.sizes",)
    ),
    "ssnmf": StoredState((LABEL_TOPICS,)),
    "cnmf": StoredState((LABEL_TOPICS,)),
    "nmf_alpha": StoredState(
        (
            StoredArray("label_machines_.coefficients", ("labels", "topics"), "reals"),
            StoredArray("label_machines_.intercept", ("labels",), "reals"),
        )
    ),
    "vbnmf": StoredState((LABEL_PROFILES, *POSTERIOR_ARRAYS), ("unit_",)),
    "supervised_vbnmf": StoredState((LABEL_TOPICS, *POSTERIOR_ARRAYS), ("unit_",)),
    "pfa": StoredState((LABEL_PROFILES, *SAMPLED_ARRAYS), ("seed_",)),
    "pfa_ssi": StoredState(
        (
            *SAMPLED_ARRAYS,
            StoredArray("node_shares_", ("nodes", "topics")),
            StoredArray("is_placed_", ("nodes",), "flags"),
        ),
        ("seed_", "has_unlabelled_node_"),
    ),
    "lda": StoredState(
        (
            LABEL_PROFILES,
            StoredArray("allocation_.components_", ("topics", "terms")),
            StoredArray("allocation_.exp_dirichlet_component_", ("topics", "terms")),
        ),
        ("allocation_.doc_topic_prior_",),
    ),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class PredictionState(ArrayValue):
    """The part of a fitted model that speaks of words, topics and labels."""

    model: str
    n_topics: int
    labels: tuple[str, ...]
    label_keys: tuple[TopicKey, ...]
    several: bool  # whether a document may get several labels
    columns: tuple[int, ...]  # the model's topics in the order in which they are shown
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)
    numbers: Mapping[str, Number] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"PredictionState({self.model!r}, {self.n_topics} topics, {len(self.labels)} labels)"

    @property
    def guided(self) -> bool:
        return "guide_.coefficients" in self.arrays

    @property
    def n_dimensions(self) -> int:
        """Numbers of a document's vector, as the guide reads it; 0: it reads none."""
        mean = self.arrays.get("guide_.views.mean_vector")
        return 0 if mean is None else mean.size

    def stored(self) -> StoredState:
        """What this model keeps, guide and meaning included where it has them."""
        parts = [StoredState((TOPIC_TERMS, CLASS_COUNT)), STORED_STATES[self.model]]
        parts += [GUIDE_STATE] if self.guided else []
        parts += [MEANING_STATE] if self.n_dimensions else []
        return StoredState(
            tuple(array for part in parts for array in part.arrays),
            tuple(name for part in parts for name in part.numbers),
        )

    def picked(self, topics: Sequence[int]) -> PredictionState:
        """These topics only, in this order."""
        return replace(self, columns=tuple(self.columns[topic] for topic in topics))

    def restored(self, estimator: Any) -> Any:
        """An unfitted model of the same kind and options, able to answer as the fitted one did."""
        found = self.arrays
        estimator._check_options()
        estimator.n_topics = self.n_topics
        estimator.n_features_in_ = found["components_"].shape[1]
        estimator.label_names_ = self.labels
        estimator.classes_ = np.array(self.labels, dtype=object)
        estimator.multilabel_ = self.several
        for name, value in [*found.items(), *self.numbers.items()]:
            if "." not in name:
                setattr(estimator, name, value)
        _restore_parts(estimator, self)
        return estimator


def state_of(estimator: Any, model: str, keys: Sequence[TopicKey]) -> PredictionState:
    """What of a fitted model answers about new documents; ``keys`` of the labels it was given."""
    named = estimator.classes_ is not None  # otherwise it was fitted to real numbers
    labels = tuple(estimator.label_names_) if named else ()
    state = PredictionState(
        model=model,
        n_topics=int(estimator.components_.shape[0]),
        labels=labels,
        label_keys=(*keys, *labels[len(keys) :])[: len(labels)],
        several=bool(estimator.multilabel_),
        columns=tuple(range(estimator.components_.shape[0])),
    )
    parts = [StoredState((TOPIC_TERMS, CLASS_COUNT)), STORED_STATES[model], *_guide_of(estimator)]
    arrays = {each.attribute: _array(estimator, each) for part in parts for each in part.arrays}
    numbers = {name: attrgetter(name)(estimator) for part in parts for name in part.numbers}
    if not named:
        arrays["class_count_"] = np.zeros(0, np.intp)
        arrays["label_topic_"] = np.zeros((0, state.n_topics))
    return replace(state, arrays=arrays, numbers={k: _number(v) for k, v in numbers.items()})


def _guide_of(estimator: Any) -> list[StoredState]:
    guide = getattr(estimator, "guide_", None)
    if guide is None:
        return []
    return [GUIDE_STATE] if guide.meaning_coefficients is None else [GUIDE_STATE, MEANING_STATE]


def _array(estimator: Any, stored: StoredArray) -> np.ndarray:
    value = attrgetter(stored.attribute)(estimator)
    return np.asarray(value[0] if stored.attribute == "node_shares_" else value)  # labels' level


def _number(value: Any) -> Number:
    if isinstance(value, tuple):
        return tuple(int(each) for each in value)
    plain: Number = value.item() if isinstance(value, np.generic) else value
    return plain


def _restore_parts(estimator: Any, state: PredictionState) -> None:
    """The fitted attributes that are values of their own."""
    if state.model == "tsnmf":
        sizes = state.numbers["layout_.sizes"]
        assert isinstance(sizes, tuple)
        estimator.layout_ = Layout(sizes)
        estimator.guide_ = _guide(state) if state.guided else None
        estimator.uncovered_ = _uncovered(state) if state.guided else None
    elif state.model == "nmf_alpha":
        of = _part_of(state.arrays, "label_machines_")
        estimator.label_machines_ = LabelMachines(of["coefficients"], of["intercept"])
    elif state.model == "pfa_ssi":
        unlabelled = ("",) if state.numbers["has_unlabelled_node_"] else ()
        estimator.node_names_ = ((*state.labels, *unlabelled),)
        estimator.node_shares_ = (state.arrays["node_shares_"],)
    elif state.model == "lda":
        estimator.allocation_ = _allocation(state)


def _part_of(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    start = f"{name}."
    return {
        key.removeprefix(start): value for key, value in values.items() if key.startswith(start)
    }


def _guide(state: PredictionState) -> Guide:
    """A guide that answers; what it learnt from is not there, so it learns nothing more."""
    arrays, numbers = _part_of(state.arrays, "guide_"), _part_of(state.numbers, "guide_")
    directions, n_labels = arrays["views.latent.directions"], len(state.labels)
    nobody, n_places = np.zeros(0, np.intp), arrays["direction_coefficients"].shape[0]
    latent = Latent(directions, np.zeros((0, n_places), directions.dtype))
    return Guide(
        coefficients=arrays["coefficients"],
        direction_coefficients=arrays["direction_coefficients"],
        meaning_coefficients=arrays.get("meaning_coefficients"),
        constant=arrays["constant"],
        positions=nobody,
        left_out=np.zeros((0, n_labels)),
        examples=arrays["examples"],
        views=Views(latent, arrays.get("views.mean_vector")),
        teachers=Teachers(nobody, nobody, np.zeros(0), arrays["teachers.described"]),
        descriptions=None,
        inverse=np.zeros((0, 0)),
        **numbers,
    )


def _uncovered(state: PredictionState) -> UncoveredChance:
    of = _part_of(state.arrays, "uncovered_")
    shift = state.numbers["uncovered_.shift"]
    assert isinstance(shift, float)
    return UncoveredChance(shift, Novelty(of["novelty.thresholds"], of["novelty.chances"]))


def _allocation(state: PredictionState) -> LatentDirichletAllocation:
    of = _part_of(state.arrays, "allocation_")
    model = LatentDirichletAllocation(state.n_topics)
    model.components_ = of["components_"]
    model.exp_dirichlet_component_ = of["exp_dirichlet_component_"]
    model.doc_topic_prior_ = state.numbers["allocation_.doc_topic_prior_"]
    model.n_features_in_ = of["components_"].shape[1]
    return model
