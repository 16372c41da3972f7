"""Workers and schedulers that die in mid-fit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core import ModelSpec, fit
from core.cluster import Cluster
from core.cluster.held_documents import HeldDocuments, SumRequest
from core.engine.solvers import SquaredDocuments
from core.errors import ClusterError
from tests.core.models.cases import matrix_of, planted, some_labels

X = planted(500, 60)
LABELLED = some_labels(X)
PASSES = {"max_iter": 12, "tol": 0.0}
SCHEDULER = """
import distributed
cluster = distributed.LocalCluster(
    1, processes=False, protocol="tcp://", dashboard_address="127.0.0.1:0"
)
print(cluster.scheduler_address, flush=True)
input()
"""


def kill_a_worker_at(cluster, iteration):
    def callback(progress):
        if progress.iteration == iteration:
            victim = min(cluster.client.run_everywhere(os.getpid))
            os.kill(victim, signal.SIGKILL)

    return callback


@pytest.mark.parametrize("model", ["tsnmf", "ssnmf"])
def test_a_killed_worker_costs_its_documents_again_and_never_the_fit(cluster, model):
    matrix, spec = matrix_of(X), ModelSpec(model, 5, options=PASSES)
    here = fit(matrix, LABELLED, spec)
    there = fit(matrix, LABELLED, spec, cluster=cluster, callback=kill_a_worker_at(cluster, 4))
    objective = np.array(there.trace.objective)
    assert there.trace.n_iter == 12
    assert_allclose(objective[:5], here.trace.objective[:5], rtol=1e-5)
    assert (np.diff(objective) <= 1e-6 * objective[0]).all()
    assert objective[-1] <= 1.001 * here.trace.objective[-1]
    if model == "tsnmf":  # slow steps are further ahead after a restart than without one
        assert_allclose(there.topic_term, here.topic_term, atol=0.02)


def test_lost_weights_are_found_again_from_the_topics():
    """A worker that comes late reaches the weights of a solver that has converged."""
    matrix = matrix_of(X)
    topics = fit(matrix, None, ModelSpec("nmf", 5, options={"tol": 0.0, "max_iter": 300}))
    Ht = np.zeros((X.shape[1], 8))
    Ht[:, :5] = topics.topic_term.T
    mask, weight = np.ones((len(X), 5), bool), np.ones(len(X))
    held = HeldDocuments(SquaredDocuments(matrix.X, None, mask, weight))
    request = SumRequest(7, "move", (Ht, Ht.T @ Ht, 1.0, 1))
    square, cross, *_ = held.take(request)
    assert_allclose(held.weights(request), topics.doc_topic, atol=2e-3)
    again = held.take(request)
    assert again[0] is square
    assert again[1] is cross


def test_a_scheduler_that_is_gone_is_said_in_one_sentence():
    command = [sys.executable, "-c", SCHEDULER]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        with (
            Cluster(address) as cluster,
            pytest.raises(ClusterError, match=rf"^The scheduler at {address} is gone"),
        ):
            fit(
                matrix_of(X),
                None,
                ModelSpec("nmf", 5, options=PASSES),
                cluster=cluster,
                callback=lambda progress: server.kill(),
            )


def test_a_cluster_without_workers_says_so(monkeypatch):
    monkeypatch.setattr("core.cluster.dask_client.WAIT_FOR_WORKERS_SECONDS", 0.1)
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=0, processes=False, protocol="tcp://", dashboard_address="127.0.0.1:0"
        ) as empty,
        Cluster(empty.scheduler_address) as cluster,
        pytest.raises(ClusterError, match=r"^The cluster at tcp://.* has no workers\.$"),
    ):
        fit(matrix_of(X), None, ModelSpec("nmf", 5), cluster=cluster)


def test_a_scheduler_that_never_was_is_said_in_one_sentence(monkeypatch):
    monkeypatch.setattr("core.cluster.dask_client.CONNECT_SECONDS", 0.1)
    with pytest.raises(ClusterError, match=r"^No Dask scheduler answers at tcp://127.0.0.1:9"):
        Cluster("tcp://127.0.0.1:9")


def test_work_of_one_worker_is_never_given_to_another_that_is_idle(cluster):
    client = cluster.client
    busy = min(client.workers())
    asked = [client.submit_there(slow_process_id, worker=busy) for _ in range(12)]
    assert len({client.result(future, needed=[busy]) for future in asked}) == 1


def slow_process_id() -> int:
    time.sleep(0.15)
    return os.getpid()
