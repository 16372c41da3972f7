"""A fit on a cluster is the fit of one process: the same objective, topics and weights."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core import ModelSpec, fit
from core.cluster import Cluster
from core.engine.limits import Steering
from core.errors import Cancelled, ClusterError, ModelError
from tests.core.models.cases import matrix_of, planted, some_labels

X = planted(500, 60)
LABELLED = some_labels(X)
STEERING = Steering(
    held={"alpha": {"word3": 1.0, "word8": 0.5}},
    removed={"beta": ("word1", "word2")},
    added={"gamma": {"word5": 1.0}},
)
PASSES = {"max_iter": 15, "tol": 0.0}
MU = {"solver": "mu", **PASSES}
DIVERGENCES = {"x_loss": "i_divergence", "y_loss": "i_divergence", **PASSES}
CASES = {
    "plain NMF": (ModelSpec("nmf", 5, options=PASSES), None),
    "NMF, printed steps": (ModelSpec("nmf", 5, options=MU), None),
    "pure TS-NMF": (ModelSpec("tsnmf", 5, options=PASSES | {"guidance": 0}), None),
    "TS-NMF, printed steps": (ModelSpec("tsnmf", 5, options=MU | {"guidance": 0}), None),
    "TS-NMF, divergence": (
        ModelSpec("tsnmf", 5, options=MU | {"guidance": 0, "loss": "i_divergence"}),
        None,
    ),
    "guided TS-NMF": (ModelSpec("tsnmf", 5, options=PASSES | {"parts": 2}), None),
    "steered TS-NMF": (ModelSpec("tsnmf", 5, options=PASSES), STEERING),
    "SSNMF": (ModelSpec("ssnmf", 5, options=PASSES), None),
    "SSNMF, divergences": (ModelSpec("ssnmf", 5, options=DIVERGENCES), None),
    "SSNMF, both": (ModelSpec("ssnmf", 5, options=PASSES | {"y_loss": "i_divergence"}), None),
}


@pytest.mark.parametrize("case", CASES)
def test_the_numbers_are_those_of_one_process(cluster, case):
    spec, steering = CASES[case]
    matrix = matrix_of(X)
    here = fit(matrix, LABELLED, spec, steering=steering)
    there = fit(matrix, LABELLED, spec, steering=steering, cluster=cluster)
    assert there.trace.n_iter == here.trace.n_iter == 15
    assert_allclose(there.trace.objective, here.trace.objective, rtol=1e-5)
    assert_allclose(there.topic_term, here.topic_term, atol=1e-5)
    assert_allclose(there.doc_topic, here.doc_topic, atol=1e-5 * np.abs(here.doc_topic).max())


def test_a_warm_start_goes_along(cluster):
    matrix, spec = matrix_of(X), ModelSpec("tsnmf", 5, options=PASSES)
    start = fit(matrix, None, ModelSpec("tsnmf", 5, options={"max_iter": 3}))
    here = fit(matrix, LABELLED, spec, start=start)
    there = fit(matrix, LABELLED, spec, start=start, cluster=cluster)
    assert_allclose(there.trace.objective, here.trace.objective, rtol=1e-5)
    assert_allclose(there.topic_term, here.topic_term, atol=1e-5)


def test_other_models_say_that_they_run_on_one_machine(cluster):
    with pytest.raises(ModelError, match=r"^lda runs on one machine; nmf, tsnmf and ssnmf"):
        fit(matrix_of(X), None, ModelSpec("lda", 5), cluster=cluster)


def test_a_callback_sees_every_pass_and_can_cancel(cluster):
    seen = []

    def callback(progress):
        seen.append(progress.iteration)
        return len(seen) == 3

    with pytest.raises(Cancelled):
        fit(matrix_of(X), None, ModelSpec("nmf", 5), cluster=cluster, callback=callback)
    assert seen == [1, 2, 3]


@pytest.mark.parametrize("address", ["four", "local:", "local:0", "local:x"])
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(ClusterError, match=r"A cluster's address is “tcp://host:port”"):
        Cluster(address)


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r'pip install "tsnmf-studio\[cluster\]"'):
        Cluster("local:2")


def test_dask_is_imported_by_a_cluster_alone():
    code = "import sys, core.cluster; print(bool({'dask', 'distributed'} & {*sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "False"
