"""The cluster of the app's own fits: ``TSNMF_STUDIO_CLUSTER`` names its scheduler."""

from __future__ import annotations

import os

from core.cluster.cluster import Cluster
from core.spec import ModelSpec

CLUSTER_VARIABLE = "TSNMF_STUDIO_CLUSTER"

_connected: dict[str, Cluster] = {}  # by address: one connection serves all fits of a process


def app_cluster(spec: ModelSpec) -> Cluster | None:
    """Where a full fit runs; None: in this process, as models that know no cluster always do."""
    address = os.environ.get(CLUSTER_VARIABLE, "").strip()
    if not address or not spec.estimator().runs_on_cluster:
        return None
    cluster = _connected.get(address)
    if cluster is None or not cluster.client.is_connected:
        cluster = _connected[address] = Cluster(address)
    return cluster
