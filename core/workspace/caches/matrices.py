"""The document-term matrix of a project: in memory, on disk beside the store, or counted anew."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from pathlib import Path

from core.corpus import Corpus
from core.errors import StudioError
from core.matrix import DocumentTermMatrix, build_matrix
from core.steering.stop_words import without_words
from core.store import Project, Store
from core.text import TextSettings
from core.workspace.caches.corpora import read_corpus_once
from core.workspace.caches.paths import matrix_path
from core.workspace.caches.store_cache import StoreCache
from core.workspace.caches.vectors import vectors_of

MATRICES_IN_MEMORY = 3
TEXTS_CHANGED = "Texts were added while the words were counted; they are counted again."

_without_stop_words: StoreCache[DocumentTermMatrix] = StoreCache(MATRICES_IN_MEMORY)
_matrices: OrderedDict[str, DocumentTermMatrix] = OrderedDict()  # by what they hold, in any store


def matrix_of(store: Store, project: Project) -> DocumentTermMatrix:
    """The project's matrix as its model reads it: from memory, from disk, or counted anew.

    Words that became stop words since then are silent in it. Document vectors are attached as far
    as they are there.
    """
    return _with_stop_words(store, project).with_vectors(vectors_of(store, project))


def _with_stop_words(store: Store, project: Project) -> DocumentTermMatrix:
    matrix = _kept_matrix(store, project)
    words = store.word_rules(project.id).stop_words
    if not words:
        return matrix
    key = (matrix.fingerprint, words)
    return _without_stop_words.get(store, key, lambda: without_words(matrix, words))


def _kept_matrix(store: Store, project: Project) -> DocumentTermMatrix:
    settings = project.settings.spec.text_settings(project.settings.text)
    key = matrix_key_of(project)
    if key not in _matrices:
        _matrices[key] = _read_or_build(store, project, settings, matrix_path(store, key))
    _matrices.move_to_end(key)
    while len(_matrices) > MATRICES_IN_MEMORY:
        _matrices.popitem(last=False)
    return _matrices[key]


def is_counted(store: Store, project: Project) -> bool:
    """Whether the project's matrix is in memory or on disk, so that it is there at once."""
    key = matrix_key_of(project)
    return key in _matrices or matrix_path(store, key).is_file()


def matrix_key_of(project: Project) -> str:
    """Names the matrix that the project's model reads."""
    settings = project.settings.spec.text_settings(project.settings.text)
    key = matrix_key(project.fingerprint, settings)
    first = _vocabulary_texts(project)
    return f"{key}-{first}" if first else key


def _vocabulary_texts(project: Project) -> int:
    """How many of the first texts the words come from; 0 if from all of them."""
    first = project.settings.vocabulary_texts
    return first if first < project.n_docs else 0


def matrix_key(fingerprint: str, settings: TextSettings) -> str:
    """Names a matrix by the corpus and the settings it is made from."""
    described = json.dumps(settings.to_dict(), sort_keys=True)
    return f"{fingerprint}-{hashlib.blake2b(described.encode(), digest_size=8).hexdigest()}"


def _read_or_build(
    store: Store, project: Project, settings: TextSettings, path: Path
) -> DocumentTermMatrix:
    if path.is_file():
        try:
            return DocumentTermMatrix.load(path)
        except (StudioError, OSError, ValueError, KeyError):
            path.unlink(missing_ok=True)  # half written or of another version: count again
    corpus = read_corpus_once(store, project.id)
    if store.texts_revision(project.id) != project.texts_revision:
        raise StudioError(TEXTS_CHANGED)
    matrix = build_with_vocabulary(corpus, settings, _vocabulary_texts(project))
    path.parent.mkdir(parents=True, exist_ok=True)
    matrix.save(path)
    return matrix


def build_with_vocabulary(
    corpus: Corpus, settings: TextSettings, first: int = 0
) -> DocumentTermMatrix:
    """The matrix of a corpus; with the words of its ``first`` texts if that is given."""
    if not first:
        return build_matrix(corpus, settings)
    beginning = Corpus(ids=corpus.ids[:first], texts=corpus.texts[:first])
    return build_matrix(corpus, like=build_matrix(beginning, settings))


def forget_matrices() -> None:
    """Drop what is in memory; the files on disk stay."""
    _matrices.clear()
    _without_stop_words.clear()
