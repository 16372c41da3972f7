"""What each model brings to the contract suite: options, and its objective written densely."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from core import Supervision
from core.guide.pricing import guidance_strength
from core.models import MODELS
from tests.core.models.posterior import bound
from tests.oracles import nmf_alpha as alpha_oracle
from tests.oracles import ssnmf
from tests.oracles import tsnmf as oracle

N_TOPICS = 4
LABELS = ("alpha", "beta", "gamma")


def planted(n_docs: int = 60, n_terms: int = 40, seed: int = 0) -> np.ndarray:
    """Documents of one or two of four topics, each with words of its own; every term is used."""
    rng = np.random.default_rng(seed)
    H = rng.gamma(0.3, 1.0, (N_TOPICS, n_terms)) + 0.01
    W = rng.gamma(0.5, 1.0, (n_docs, N_TOPICS)) * (rng.uniform(size=(n_docs, N_TOPICS)) < 0.5)
    W[np.arange(n_docs), rng.integers(N_TOPICS, size=n_docs)] += 1
    return np.round(rng.poisson(3 * W @ H).astype(float), 0)


def some_labels(X: np.ndarray, seed: int = 0) -> Supervision:
    """A third of the documents labelled, some twice, some with a forbidden topic."""
    rng = np.random.default_rng(seed)
    draws = rng.uniform(size=X.shape[0])
    labels = [
        sorted(rng.choice(LABELS, size=rng.integers(1, 3), replace=False)) if u < 0.35 else []
        for u in draws
    ]
    forbidden = [["alpha"] if u > 0.9 else [] for u in draws]
    confidence = [("sure", "unsure", "expert")[i % 3] for i in range(len(labels))]
    return Supervision.of(labels, LABELS, forbidden=forbidden, confidence=confidence)


@dataclass
class Matrix:
    """As much of a DocumentTermMatrix as a fit reads."""

    X: sp.csr_array
    terms: tuple[str, ...]
    doc_ids: tuple[str, ...]
    fingerprint: str = "abc"
    vectors: None = None

    def rows_of(self, texts: Sequence[str]) -> sp.csr_array:
        """Labels are called alpha, beta and gamma; no word is."""
        return sp.csr_array((len(texts), len(self.terms)))

    @property
    def document_frequency(self) -> np.ndarray:
        return np.bincount(self.X.indices, minlength=self.X.shape[1])


def matrix_of(X: np.ndarray) -> Matrix:
    terms = tuple(f"word{j}" for j in range(X.shape[1]))
    return Matrix(sp.csr_array(X), terms, tuple(f"d{i}" for i in range(len(X))))


@dataclass(frozen=True)
class Case:
    """One way to run a model through the contract."""

    model: str
    options: dict[str, Any] = field(default_factory=dict)
    objective: Callable[[np.ndarray, Supervision, Any], float] | None = None
    rising: bool = False  # a bound that is maximised
    monotone: bool = True  # samplers and scikit-learn's own models make no such promise
    binds: bool = False  # labels are guarantees: zero outside the mask
    predicts: bool = False
    close: float = 2e-3  # float32 against float64, relative, on the objective

    def make(self, **more: Any) -> Any:
        options = {"n_topics": N_TOPICS, "max_iter": 30, "random_state": 0, **self.options, **more}
        return MODELS[self.model](**options)

    def __str__(self) -> str:
        return "-".join([self.model, *(str(value) for value in self.options.values())])


def squared(X: np.ndarray, y: Supervision, model: Any) -> float:
    mask, weight = np.ones((len(X), N_TOPICS)), np.ones(len(X))
    W, H = model.doc_topic_, model.components_
    if model.__class__.__name__ == "TSNMF":
        mask, weight = y.topic_mask(N_TOPICS), y.row_weight(model.labelled_weight, N_TOPICS)
        mask = np.repeat(mask, [len(columns) for columns in model.parts_], axis=1)
        W, H = model.part_doc_topic_, model.part_components_
    value = oracle.loss if model.loss == "frobenius" else oracle.divergence
    fit = value(X, W, H, mask, weight[:, None])
    return fit + price_paid(X, y, model)


def price_paid(X: np.ndarray, y: Supervision, model: Any) -> float:
    """2 Σ c · w over the unlabelled documents of a guided model."""
    if getattr(model, "uncovered_", None) is None:
        return 0.0
    each = price_of_doubt(X)[:, None] * doubt_of_topics(X, y, model)
    each *= guidance_strength(model.guidance, model.guide_)
    return float(2 * (each * model.doc_topic_)[~y.labelled].sum())


def price_of_doubt(X: np.ndarray) -> np.ndarray:
    """What guidance 1 costs per unit of doubt: more for documents of few words."""
    n_words = np.maximum((X > 0).sum(axis=1), 1)
    return 0.4 * np.linalg.norm(X, axis=1) * np.sqrt(np.sqrt(10 / n_words))


def doubt_of_topics(X: np.ndarray, y: Supervision, model: Any) -> np.ndarray:
    """log(p* / p) of every topic, written out: labels by the guide, free topics by what is left."""
    p = model.guide_.probabilities(sp.csr_array(X))
    taught = y.permitted.toarray().any(axis=0)
    none = np.prod(1 - np.minimum(p[:, taught], 0.999), axis=1)
    odds = none / (1 - none) * np.exp(model.uncovered_.shift)
    expected, best = odds / (1 + odds), p[:, taught].max(axis=1)
    free = np.maximum(expected, model.uncovered_.novelty.of(best))
    named = np.where(taught, p * np.minimum((1 - expected) / best, 1)[:, None], 0)
    n_free = N_TOPICS - p.shape[1]
    chances = np.column_stack([named, *[free] * n_free]) if n_free else p * taught
    chances = np.maximum(chances, 1e-6)
    return np.log(chances.max(axis=1, keepdims=True) / chances)


def joint(X: np.ndarray, y: Supervision, model: Any) -> float:
    """Eq. (5) of SSNMF: a labelled document is known in full, a forbidden label is a known zero."""
    known = (y.labelled[:, None] | y.forbidden.toarray()) * y.confidence[:, None]
    return ssnmf.objective(
        model.x_loss, model.y_loss, X.T, y.indicator().toarray().T, model.components_.T,
        model.label_topic_, model.doc_topic_.T, np.ones_like(X.T), known.T, model.label_strength,
    )  # fmt: skip


PAIRS = tuple(
    {"x_loss": x_loss, "y_loss": y_loss}
    for x_loss in ("frobenius", "i_divergence")
    for y_loss in ("frobenius", "i_divergence")
)


def margins(X: np.ndarray, y: Supervision, model: Any) -> float:
    S = model.margins_.toarray()
    V, H = model.components_.T, model.doc_topic_.T
    return alpha_oracle.loss(X.T, V, H, S, model.margin_strength_)


def tied(X: np.ndarray, y: Supervision, model: Any) -> float:
    """‖X − W H‖², and W must be what the ties make of the labels' rows."""
    told = np.diff(y.permitted.indptr) > 0
    shared = y.groups(unlabelled_group=False) @ model.label_topic_
    np.testing.assert_allclose(model.doc_topic_[told], shared[told], rtol=1e-6)
    return float(((X - model.doc_topic_ @ model.components_) ** 2).sum())


SOLVERS = (
    {"solver": "cd"},
    {"solver": "cd", "init": "nndsvd"},
    {"solver": "mu"},
    {"solver": "mu", "init": "acol"},
    {"solver": "mu", "loss": "i_divergence"},
)

PARTS = (
    {"parts": 2},
    {"parts": "auto", "guidance": 0.0},
    {"parts": {"beta": 3}, "solver": "mu"},
    {"parts": (1, 3, 2), "solver": "mu", "loss": "i_divergence", "init": "acol"},
)

MARGINS = (
    {},
    {"margin_strength": 50.0, "machines": "labels", "init": "acol"},
    {"learner": "perceptron", "init": "nndsvd"},
)

CASES = [
    *(Case("nmf", options, squared) for options in SOLVERS),
    *(Case("tsnmf", options, squared, binds=True) for options in SOLVERS),
    Case("tsnmf", {"guidance": 0.0}, squared, binds=True),
    Case("tsnmf", {"guidance": 1.0}, squared, binds=True),
    *(Case("tsnmf", options, squared, binds=True) for options in PARTS),
    Case("tsnmf", {"guidance": 0.0, "labelled_weight": "inverse_rate"}, squared, binds=True),
    *(Case("ssnmf", {**pair, "label_strength": 5.0}, joint, predicts=True) for pair in PAIRS),
    Case("ssnmf", {**PAIRS[0], "solver": "mu"}, joint, predicts=True),
    Case("ssnmf", {**PAIRS[3], "solver": "mu", "init": "acol"}, joint, predicts=True),
    *(Case("nmf_alpha", options, margins, predicts=True) for options in MARGINS),
    Case("cnmf", {}, tied),
    Case("cnmf", {"init": "acol"}, tied),
    Case("pfa", {}, rising=True, monotone=False),
    Case("pfa", {"data": "binary", "n_chains": 2, "thin": 2}, rising=True, monotone=False),
    Case("pfa_ssi", {}, rising=True, monotone=False, predicts=True),
    Case("pfa_ssi", {"data": "binary", "burn_in": 5}, rising=True, monotone=False, predicts=True),
    Case("lda", {}, rising=True, monotone=False),
    Case("vbnmf", {}, bound, rising=True),
    Case("vbnmf", {"learn_priors": False, "init": "acol", "weight_shape": 0.3}, bound, rising=True),
    Case("supervised_vbnmf", {}, bound, rising=True),
    Case("supervised_vbnmf", {"label_sparsity": 20.0, "init": "nndsvd"}, bound, rising=True),
]
