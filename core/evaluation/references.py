"""Small reference classifiers by name, as baselines for the models.

===============  ================================================================================
name             what it is
===============  ================================================================================
``svm``          a linear support vector machine on the documents as they are
``naive_bayes``  multinomial naive Bayes on the documents as they are
``nmf_svm``      plain NMF, then a linear machine on the topic weights
``pca_svm``      principal components, then a linear machine
``discriminant`` linear discriminant analysis, then a linear machine
===============  ================================================================================

Principal components are found by an iterative solver that centres without densifying. Linear
discriminant analysis needs the covariance of all its columns, which is not feasible for tens of
thousands of terms, so here it works on principal components (200 by default).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import LinearSVC

from core.engine.checks import check_count
from core.errors import ModelError
from core.models import MODELS

NEED_LABELS = (LinearDiscriminantAnalysis, LinearSVC, MultinomialNB)
DISCRIMINANT_COMPONENTS = 200  # principal components under linear discriminant analysis


def reference(
    name: str, *, n_topics: int = 20, cost: float = 1.0, random_state: int = 0
) -> Pipeline:
    """An unfitted pipeline that takes a sparse document-term matrix; see the table above."""
    if name not in REFERENCES:
        raise ModelError(f"There is no reference “{name}”; choose from {', '.join(REFERENCES)}.")
    check_count("n_topics", n_topics)
    reduction = REFERENCES[name](n_topics, random_state)
    last = (
        MultinomialNB()
        if name == "naive_bayes"
        else LinearSVC(C=cost, dual="auto", random_state=random_state)
    )
    return make_pipeline(*reduction, last)


def fit_labelled(pipeline: Pipeline, X: Any, y: Any) -> Pipeline:
    """A reference fitted to a partly labelled corpus; the one given stays as it is.

    ``y`` is a whole number per document, −1 where it is unlabelled, or an indicator matrix whose
    empty rows are unlabelled; then there is one classifier per label. Topics and components are
    found on all documents, as in the papers; steps that need labels see the labelled ones only.
    """
    y = np.asarray(y)
    labelled = y >= 0 if y.ndim == 1 else y.any(axis=1)
    steps = [clone(step) for _, step in pipeline.steps]
    n_unsupervised = sum(not isinstance(step, NEED_LABELS) for step in steps)
    unsupervised, supervised = steps[:n_unsupervised], make_pipeline(*steps[n_unsupervised:])
    for step in unsupervised:
        if isinstance(step, PCA):
            step.set_params(n_components=min(step.n_components, min(X.shape) - 1))
        X = step.fit_transform(X)
    supervised = supervised if y.ndim == 1 else OneVsRestClassifier(supervised)
    return make_pipeline(*unsupervised, supervised.fit(X[labelled], y[labelled]))


def nearest_neighbours(n_documents: int) -> KNeighborsClassifier:
    """The label of most of the √n documents with the largest cosine, as in the vbNMF paper.

    For dense rows such as topic weights. It learns nothing, so it shows how near a space by itself
    puts documents of one label.
    """
    check_count("n_documents", n_documents)
    size = round(n_documents**0.5)
    return KNeighborsClassifier(size, metric="cosine", algorithm="brute")


def _nmf(n_topics: int, random_state: int) -> list[Any]:
    return [MODELS["nmf"](n_topics, random_state=random_state)]


def _pca(n_topics: int, random_state: int) -> list[Any]:
    return [PCA(n_topics, svd_solver="arpack", random_state=random_state)]


def _discriminant(n_topics: int, random_state: int) -> list[Any]:
    return [
        *_pca(max(n_topics, DISCRIMINANT_COMPONENTS), random_state),
        LinearDiscriminantAnalysis(),
    ]


def _no_reduction(n_topics: int, random_state: int) -> list[Any]:
    return []


REFERENCES: dict[str, Callable[[int, int], list[Any]]] = {
    "svm": _no_reduction,
    "naive_bayes": _no_reduction,
    "nmf_svm": _nmf,
    "pca_svm": _pca,
    "discriminant": _discriminant,
}
