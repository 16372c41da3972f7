"""The corpus of a project, read from the store once per process.

A corpus changes only when texts are added, so its project's number and the event of the last
addition are the key. Pages, fits, evaluations and
comparisons all ask here; nobody else keeps a copy.
"""

from __future__ import annotations

from core.corpus import Corpus
from core.matrix import sampled_positions
from core.store import Project, Store
from core.workspace.caches.store_cache import StoreCache

MAX_CACHED_CORPORA = 3

_with_texts: StoreCache[Corpus] = StoreCache(MAX_CACHED_CORPORA)
_without_texts: StoreCache[Corpus] = StoreCache(MAX_CACHED_CORPORA)
_samples: StoreCache[Corpus] = StoreCache(MAX_CACHED_CORPORA)


def corpus_of(store: Store, project: int, *, texts: bool = True) -> Corpus:
    """All documents of a project; without their texts a large corpus is there much sooner.

    Without texts they may be empty: a corpus that was read with them serves for both.
    """
    key = _key(store, project)
    if texts or _with_texts.has(store, key):
        return _with_texts.get(store, key, lambda: store.corpus(project))
    return _without_texts.get(store, key, lambda: store.corpus(project, texts=False))


def sample_of(store: Store, project: Project) -> Corpus:
    """Evenly spaced texts with their ids: there at once, however large the project is."""

    def read() -> Corpus:
        found = store.documents(project.id, sampled_positions(project.n_docs))
        return Corpus(ids=tuple(d.id for d in found), texts=tuple(d.text for d in found))

    return _samples.get(store, (project.id, project.texts_revision), read)


def _key(store: Store, project: int) -> tuple[int, int]:
    return project, store.texts_revision(project)


def read_corpus_once(store: Store, project: int) -> Corpus:
    """All documents for one computation: from memory if they are there, else read and not kept.

    The fitting process counts words once and never asks for the texts again.
    """
    if _with_texts.has(store, _key(store, project)):
        return corpus_of(store, project)
    return store.corpus(project)


def forget_corpora() -> None:
    """Drop every corpus that is in memory."""
    _with_texts.clear()
    _without_texts.clear()
    _samples.clear()
