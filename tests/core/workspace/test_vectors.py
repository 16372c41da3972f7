"""Vectors of a project: made once, by the right process, kept beside the matrix or by the store."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.errors import Cancelled, CorpusError, StudioError, TextError
from core.store import Project, Store
from core.workspace import Workspace, meaning
from core.workspace.caches import vectors
from core.workspace.caches.matrices import matrix_of
from core.workspace.queue import neighbour_index_of
from tests.core.workspace import small
from tests.model_folders import ConceptModel, install_packages, model_folder
from tests.wordllama import require_wordllama


@pytest.fixture
def store(tmp_path):
    vectors.forget_vectors()
    with Store.open(home=tmp_path / "home") as store:
        yield store


@pytest.fixture
def without_wordllama(monkeypatch):
    monkeypatch.setitem(sys.modules, "wordllama", None)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    install_packages(monkeypatch)
    return str(model_folder(tmp_path))


def with_meaning(store: Store, project: Project, chosen: str) -> Project:
    return store.update_settings(project.id, replace(project.settings, meaning=chosen))


def test_without_the_extra_everything_works_on_words(store, without_wordllama):
    project = small.project(store, meaning="auto")
    Workspace(store).refit(project.id)
    assert matrix_of(store, project).vectors is None
    told = meaning.meaning_of(store, project)
    assert not told.on
    assert not told.waiting
    assert 'pip install "tsnmf-studio[meaning]"' in told.missing
    assert not vectors.needs_encoding(store, project)
    assert not list(store.home.rglob("*.vectors.npz"))


def test_with_the_extra_a_fit_reads_what_texts_mean(store):
    require_wordllama()
    project = small.project(store, meaning="auto")
    assert meaning.meaning_of(store, project).waiting
    Workspace(store).refit(project.id)
    told = meaning.meaning_of(store, project)
    assert (told.on, told.source) == (True, "wordllama 256")
    found = matrix_of(store, project).vectors
    assert found is not None
    assert found.values.shape == (30, 256)
    assert found.values[0] @ found.values[3] > found.values[0] @ found.values[1]


def test_a_model_folder_is_asked_once_and_kept_on_disk(store, folder):
    project = with_meaning(store, small.project(store), folder)
    vectors.encode_for_fit(store, project, large=False)
    [path] = store.home.rglob("*.vectors.npz")
    vectors.forget_vectors()
    found = vectors.vectors_of(store, project)
    assert found is not None
    assert (found.source, found.encoder) == ("tiny-model (model2vec)", folder)
    assert_allclose(found.values[:3], np.eye(3))
    assert vectors.vectors_of(store, project) is found
    path.write_bytes(b"half")
    vectors.forget_vectors()
    assert vectors.vectors_of(store, project) is None


def test_reading_a_matrix_never_encodes(store, folder):
    project = with_meaning(store, small.project(store), folder)
    assert matrix_of(store, project).vectors is None
    assert vectors.needs_encoding(store, project)
    assert ConceptModel.asked == []
    assert not list(store.home.rglob("*.vectors.npz"))


def test_another_model_in_the_folder_makes_other_vectors(store, folder):
    project = with_meaning(store, small.project(store), folder)
    before = vectors.vectors_name(store, project)
    with open(f"{folder}/model.safetensors", "ab") as file:
        file.write(b"more")
    assert vectors.vectors_name(store, project) != before


def test_stop_words_leave_the_vectors_alone(store, folder):
    from core.store import AddStopWord

    project = with_meaning(store, small.project(store), folder)
    vectors.encode_for_fit(store, project, large=False)
    store.record(project.id, AddStopWord("water"), author="ann")
    matrix = matrix_of(store, project)
    assert matrix.document_frequency[matrix.terms.index("water")] == 0
    assert matrix.vectors is vectors.vectors_of(store, project)


def test_a_first_fit_does_not_wait_for_a_large_corpus(store, folder, monkeypatch):
    monkeypatch.setattr(vectors, "TEXTS_ENCODED_AT_ONCE", 10)
    project = with_meaning(store, small.project(store), folder)
    Workspace(store).refit(project.id, wait=False)
    assert vectors.needs_encoding(store, project)
    meaning.encode_project(store, project.id, {}, Told())
    assert matrix_of(store, project).vectors is not None


def test_long_texts_count_as_large_too(store, folder, monkeypatch):
    monkeypatch.setattr(vectors, "CHARACTERS_ENCODED_AT_ONCE", 100)
    project = with_meaning(store, small.project(store), folder)
    vectors.encode_for_fit(store, project, large=False)
    assert vectors.needs_encoding(store, project)
    vectors.encode_for_fit(store, project, large=True)
    assert not vectors.needs_encoding(store, project)


class Told:
    """A reporter that remembers, and may want the work to stop."""

    def __init__(self, *, stop: bool = False) -> None:
        self.steps: list[tuple[float, str]] = []
        self.stop = stop

    def tell(self, share: float, seconds_left: float | None, doing: str = "") -> bool:
        self.steps.append((share, doing))
        return self.stop

    def seconds_left(self, share: float) -> float | None:
        return None


def test_the_job_tells_its_progress_and_can_be_stopped(store, folder):
    project = with_meaning(store, small.project(store), folder)
    with pytest.raises(Cancelled):
        meaning.encode_project(store, project.id, {}, Told(stop=True))
    assert vectors.needs_encoding(store, project)
    told = Told()
    assert meaning.encode_project(store, project.id, {}, told)
    assert told.steps == [(1.0, "Reading what the texts mean")]
    again = Told()
    meaning.encode_project(store, project.id, {}, again)
    assert again.steps == []


def test_a_fit_goes_on_without_a_model_that_is_gone(store, tmp_path):
    project = with_meaning(store, small.project(store), str(tmp_path / "gone"))
    Workspace(store).refit(project.id)
    assert matrix_of(store, project).vectors is None
    with pytest.raises(TextError, match="There is no model2vec"):
        meaning.encode_project(store, project.id, {}, Told())


def test_own_vectors_are_used_and_belong_to_their_project(store):
    project = small.project(store)
    values = np.random.default_rng(0).normal(size=(30, 5))
    own = meaning.use_own_vectors(store, project, values)
    assert own.settings.meaning == "own"
    assert meaning.meaning_of(store, own).source == "your own vectors"
    found = matrix_of(store, own).vectors
    assert found is not None
    assert_allclose(np.linalg.norm(found.values, axis=1), 1, rtol=1e-5)
    assert found.encoder == ""
    other = small.project(store)
    assert matrix_of(store, other).vectors is None
    newer = meaning.use_own_vectors(store, own, -values)
    again = matrix_of(store, newer).vectors
    assert again is not None
    assert_allclose(again.values, -found.values)


def test_own_vectors_come_from_a_file(store, tmp_path):
    project = small.project(store)
    np.save(tmp_path / "mine.npy", np.ones((30, 2)))
    own = meaning.use_own_vectors(store, project, tmp_path / "mine.npy", filename="mine.npy")
    assert meaning.meaning_of(store, own).source == "your own vectors (mine.npy)"
    np.save(tmp_path / "mine.npy", np.ones((29, 2)))
    with pytest.raises(CorpusError, match=r"mine\.npy: there are 29 vectors for 30 texts\."):
        meaning.use_own_vectors(store, own, tmp_path / "mine.npy", filename="mine.npy")
    assert matrix_of(store, own).vectors is not None


def test_own_vectors_that_are_gone_are_told(store):
    project = with_meaning(store, small.project(store), "own")
    assert "give them again" in meaning.meaning_of(store, project).missing
    with pytest.raises(StudioError, match="no vectors of your own yet"):
        meaning.change_meaning(store, project, "own")


def test_meaning_is_changed_only_to_what_works(store, folder, tmp_path):
    project = small.project(store, meaning="auto")
    with pytest.raises(TextError, match="There is no model2vec"):
        meaning.change_meaning(store, project, str(tmp_path / "nowhere"))
    assert store.project(project.id).settings.meaning == "auto"
    chosen = meaning.change_meaning(store, project, f" {folder} ")
    assert chosen.settings.meaning == folder
    assert meaning.meaning_of(store, chosen).waiting
    off = meaning.change_meaning(store, chosen, "off")
    assert meaning.meaning_of(store, off) == meaning.Meaning("")


def test_a_workspace_creates_with_vectors_and_changes_them(tmp_path, folder):
    with Workspace.open(home=tmp_path / "home", author="ann") as workspace:
        corpus = small.corpus()
        own = workspace.create("Desk", corpus, topics=["Water"], own_vectors=np.ones((30, 2)))
        assert workspace.meaning(own.id).on
        workspace.change_meaning(own.id, folder)
        assert workspace.meaning(own.id).waiting
        workspace.refit(own.id)
        assert workspace.meaning(own.id).source == "tiny-model (model2vec)"
        assert workspace.matrix(own.id).vectors is not None


def test_the_queue_takes_the_index_with_vectors_once_it_is_there(store, folder):
    project = small.project(store)
    off = with_meaning(store, project, "off")
    Workspace(store).refit(project.id)
    words = neighbour_index_of(store, off)
    assert words is not None
    chosen = with_meaning(store, project, folder)
    assert neighbour_index_of(store, chosen) is words
    Workspace(store).refit(project.id)
    both = neighbour_index_of(store, chosen)
    assert both is not None
    assert both.vectors is not None
    assert words.vectors is not None
    assert both.vectors.shape[1] == words.vectors.shape[1] + 3
    assert neighbour_index_of(store, off) is words
