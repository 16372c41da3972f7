"""``TSNMF_STUDIO_CLUSTER``: the app's full fits run on a cluster, with the same topics."""

from __future__ import annotations

from numpy.testing import assert_allclose

from core import ModelSpec
from core.cluster import CLUSTER_VARIABLE, Cluster, app_cluster
from core.store import Store
from core.workspace.refits import refit as refits
from tests.core.workspace import small


def test_full_fits_run_on_the_cluster_that_is_named_and_previews_here(tmp_path, monkeypatch):
    hosts, found, fit = [], [], refits.fit

    def watched(*given, cluster, **options):
        hosts.append(cluster)
        found.append(fit(*given, cluster=cluster, **options))
        return found[-1]

    monkeypatch.setattr(refits, "fit", watched)
    monkeypatch.setattr(refits, "needs_preview", lambda last: True)
    with Store.open(home=tmp_path) as store, Cluster("local:1") as workers:
        project = small.project(store)
        refits.refit(store, project.id)
        monkeypatch.setenv(CLUSTER_VARIABLE, workers.client.scheduler)
        assert app_cluster(ModelSpec("lda")) is None
        refits.refit(store, project.id)
        refits.refit(store, project.id, preview=True)
        app_cluster(ModelSpec("tsnmf")).close()
    assert [host is not None for host in hosts] == [False, True, False]
    assert_allclose(found[1].topic_term, found[0].topic_term, atol=1e-5)
