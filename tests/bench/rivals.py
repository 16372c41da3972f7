"""The models that the labelling benchmark compares: what each makes of the same labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression

from core import Supervision
from core.evaluation.metrics import f1_macro, f1_micro, match_topics, topic_coherence
from core.guide.teachers import Descriptions
from core.models import MODELS
from tests.bench.corpora import Bench

ALSO = 0.3  # a label beyond the likeliest one is given when it holds this share
MEASURES = ("jaccard", "resolved", "first", "f1_micro", "f1_macro", "npmi")


@dataclass(frozen=True)
class Answer:
    """What a model says: how much of each label, and its topics if it has any."""

    by_label: np.ndarray  # (n_docs, n_labels)
    doc_topic: np.ndarray | None = None
    topic_term: np.ndarray | None = None


def pure(bench: Bench, said: Supervision, seed: int) -> Answer:
    return _tsnmf(bench, said, seed, guidance=0)


def guided(bench: Bench, said: Supervision, seed: int) -> Answer:
    """As in the app: names and meaning teach."""
    return _tsnmf(bench, said, seed, vectors=bench.vectors, descriptions=bench.names_read)


def guided_by_words(bench: Bench, said: Supervision, seed: int) -> Answer:
    """Labels alone, as if names said nothing and there were no vectors."""
    return _tsnmf(bench, said, seed)


def guided_by_names(bench: Bench, said: Supervision, seed: int) -> Answer:
    """Names by their words; no vectors."""
    names = None if bench.names_read is None else Descriptions(bench.names_read.rows)
    return _tsnmf(bench, said, seed, descriptions=names)


def _tsnmf(
    bench: Bench,
    said: Supervision,
    seed: int,
    *,
    guidance: float | str = "auto",
    vectors: np.ndarray | None = None,
    descriptions: Descriptions | None = None,
) -> Answer:
    n = len(bench.names)
    model = MODELS["tsnmf"](n, random_state=seed, guidance=guidance)
    model.fit(bench.X, said, vectors=vectors, descriptions=descriptions)
    return Answer(model.doc_topic_[:, :n], model.doc_topic_, model.components_)


def ssnmf(bench: Bench, said: Supervision, seed: int) -> Answer:
    """(D, F): I-divergence for the words, squared error for the labels, λ of the paper's table."""
    model = MODELS["ssnmf"](
        len(bench.names), x_loss="i_divergence", label_strength=100.0, random_state=seed
    )
    model.fit(bench.X, said)
    return Answer(model.doc_topic_ @ model.label_topic_.T, model.doc_topic_, model.components_)


def package(bench: Bench, said: Supervision, seed: int) -> Answer:
    """The ``tsnmf`` package, as it comes."""
    from tsnmf import TSNMF

    X = sp.csr_matrix(bench.X.astype(np.float64))
    told = said.permitted
    labels = [told.indices[slice(*told.indptr[i : i + 2])].tolist() for i in range(X.shape[0])]
    model = TSNMF(n_components=len(bench.names), init="random", random_state=seed)
    W = np.asarray(model.fit_transform(X, labels))
    length = np.maximum(np.linalg.norm(model.components_, axis=1), 1e-12)
    return Answer(W * length, W * length, model.components_)


def logistic(bench: Bench, said: Supervision, seed: int) -> Answer:
    """One logistic regression per label, on words: a reference without topics."""
    return _logistic(sp.csr_matrix(bench.X), bench, said)


def logistic_on_vectors(bench: Bench, said: Supervision, seed: int) -> Answer:
    """The same on the vectors of the documents."""
    return _logistic(bench.vectors, bench, said)


def _logistic(X: Any, bench: Bench, said: Supervision) -> Answer:
    rows = np.flatnonzero(said.labelled)
    targets = said.indicator()[rows].toarray()
    scores = np.zeros((X.shape[0], len(bench.names)))
    for label in np.flatnonzero(targets.any(axis=0)):
        if targets[:, label].all():
            scores[:, label] = 1.0
            continue
        model = LogisticRegression(C=10.0, max_iter=300).fit(X[rows], targets[:, label])
        scores[:, label] = model.predict_proba(X)[:, 1]
    return Answer(scores)


RIVALS: dict[str, Callable[[Bench, Supervision, int], Answer]] = {
    "pure": pure,
    "guided": guided,
    "guided by names": guided_by_names,
    "guided by words": guided_by_words,
    "ssnmf": ssnmf,
    "package": package,
    "logistic": logistic,
    "logistic on vectors": logistic_on_vectors,
}
NEEDS_NO_LABEL = {"guided", "guided by names"}


def scores(bench: Bench, said: Supervision, answer: Answer) -> dict[str, float]:
    """Every measure on the documents nobody has labelled; nan where a model has no topics."""
    rows = np.flatnonzero(~said.labelled)
    truth = Supervision.of(bench.labels, bench.names).indicator()
    shares = answer.by_label[rows]
    shares = shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-12)
    best, true = shares.argmax(axis=1), truth[rows].toarray() > 0
    given = shares >= ALSO
    given[np.arange(rows.size), best] = True
    found = {
        "first": float(true[np.arange(rows.size), best].mean()),
        "f1_micro": f1_micro(true, given),
        "f1_macro": f1_macro(true, given),
    }
    if answer.doc_topic is None or answer.topic_term is None:
        return {name: found.get(name, float("nan")) for name in MEASURES}
    matched = match_topics(answer.doc_topic, truth, label_names=bench.names, rows=rows)
    coherence = topic_coherence(answer.topic_term, bench.X)
    found |= {"jaccard": matched.mean_jaccard, "resolved": matched.n_resolved}
    return found | {"npmi": float(np.nanmean(coherence))}
