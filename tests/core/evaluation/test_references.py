"""Reference classifiers by name."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from core.errors import ModelError
from core.evaluation.references import (
    REFERENCES,
    fit_labelled,
    nearest_neighbours,
    reference,
)
from tests.core.models.test_nmf_alpha import separable


@pytest.mark.parametrize("name", list(REFERENCES))
def test_each_tells_labels_apart(name):
    X, truth, y = separable(120, 3)
    model = fit_labelled(reference(name, n_topics=4), sp.csr_array(X), y)
    assert (model.predict(sp.csr_array(X))[y < 0] == truth[y < 0]).mean() > 0.8


@pytest.mark.parametrize("name", list(REFERENCES))
def test_each_takes_sets_of_labels(name):
    X, truth, _ = separable(120, 3)
    sets = np.eye(3, dtype=int)[truth]
    told = sets.copy()
    told[90:] = 0
    model = fit_labelled(reference(name, n_topics=4), sp.csr_array(X), told)
    assert (model.predict(sp.csr_array(X))[90:] == sets[90:]).mean() > 0.8


def test_a_reference_is_a_plain_pipeline():
    X, truth, _ = separable(120, 3)
    pipeline = reference("nmf_svm", n_topics=4)
    assert pipeline.fit(sp.csr_array(X), truth).score(X, truth) > 0.8


def test_topics_are_found_on_all_documents():
    X, _, y = separable(120, 3)
    model = fit_labelled(reference("nmf_svm", n_topics=4), sp.csr_array(X), y)
    assert model[0].doc_topic_.shape == (120, 4)
    assert not hasattr(reference("nmf_svm")[0], "doc_topic_")


def test_an_unknown_reference_is_refused():
    with pytest.raises(ModelError, match="no reference “forest”"):
        reference("forest")


def test_neighbours_are_near_in_direction_whatever_their_length():
    W = np.array([[1.0, 0.1], [9.0, 0.0], [0.1, 0.1], [0.0, 5.0], [0.0, 0.01], [0.0, 7.0]])
    labels = ["first", "first", "second", "second", "second", "second"]
    near = nearest_neighbours(4).fit(W, labels)  # the two nearest
    assert near.predict([[0.01, 0.0], [3.0, 100.0], [1.0, 0.9]]).tolist() == [
        *("first", "second", "first"),
    ]
    assert nearest_neighbours(11_314).n_neighbors == 106
    with pytest.raises(ModelError, match="n_documents"):
        nearest_neighbours(0)
