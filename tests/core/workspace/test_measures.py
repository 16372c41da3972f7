"""What is measured beside the store: coherence, facts, and the maps of each run."""

from __future__ import annotations

import numpy as np
import pytest

from core.evaluation.metrics import topic_coherence
from core.insight import neighbour_map
from core.workspace import maps
from core.workspace.caches import measures
from core.workspace.caches.matrices import matrix_of
from core.workspace.refits.refit import measure
from tests.ui.pages.results_app import fitted


@pytest.fixture
def fit(store):
    project = fitted(store)
    run = store.current_run(project.id)
    return project, run, store.run_topics(run)


def test_the_worker_leaves_coherence_and_facts_behind(store, fit):
    project, run, topics = fit
    assert measures.read_coherence(store, run, 4) is None
    measure(store, run).join()
    measured = measures.read_coherence(store, run, 4)
    matrix = matrix_of(store, project)
    assert measured == pytest.approx(topic_coherence(topics.topic_term, matrix.X), nan_ok=True)
    assert measures.read_coherence(store, run, 5) is None
    facts = measures.facts_of(store, project)
    assert facts.classes["district"].names == ("North", "South")
    assert facts.labels.shape == (30, 3)


def test_coherence_of_a_large_corpus_is_sampled(store, fit, monkeypatch):
    project, _, topics = fit
    monkeypatch.setattr(measures, "MAX_COHERENCE_DOCUMENTS", 10)
    matrix = matrix_of(store, project)
    every_third = topic_coherence(topics.topic_term, matrix.X[np.arange(0, 30, 3)])
    assert measures.coherence(topics, matrix) == pytest.approx(every_third, nan_ok=True)


def test_a_broken_file_of_facts_is_made_again(store, fit):
    project = fit[0]
    measures.facts_of(store, project)
    (path,) = (store.home / "cache").glob("*.facts.npz")
    path.write_bytes(b"nonsense")
    assert measures.facts_of(store, project).dated


def test_places_are_kept_and_carried_on_under_other_names(store, fit):
    project, run, topics = fit
    assert topics.keys == (1, 2, 3, "Free 1")
    first = maps.topic_places(store, project.id, run.id, topics)
    again = maps.topic_places(store, project.id, run.id, topics)
    assert np.array_equal(first, again)
    renamed = topics.renamed(("Wet", "Loud", "Green", "Free 1"))
    later = maps.topic_places(store, project.id, run.id + 1, renamed)
    assert later == pytest.approx(first, abs=0.05)


def test_the_slower_map_lies_like_the_quick_one(store, fit, monkeypatch):
    monkeypatch.setattr(neighbour_map, "TSNE_STEPS", 250)
    project, run, topics = fit
    asked = {"run": run.id}
    heard: list[float] = []
    assert maps.read_neighbour_map(store, project.id, run.id) is None
    n_placed = maps.make_neighbour_map(
        store, project.id, asked, lambda share: bool(heard.append(share))
    )
    made = maps.read_neighbour_map(store, project.id, run.id)
    assert maps.has_neighbour_map(store, project.id, run.id)
    assert made.placed.size == n_placed == 30
    main = topics.doc_topic.argmax(axis=1)
    gaps = np.linalg.norm(made.documents[:, None] - made.topics[None, :3], axis=2)
    assert (gaps.argmin(axis=1) == main).mean() > 0.8
    maps.make_neighbour_map(store, project.id, asked, lambda share: False)
    assert np.array_equal(
        maps.read_neighbour_map(store, project.id, run.id).documents, made.documents
    )
