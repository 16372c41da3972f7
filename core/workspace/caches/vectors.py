"""The document vectors of a project: in memory, on disk beside the matrix, or the analyst's own.

Encoding a large corpus takes half a minute, so it is done only by ``encode`` and
``encode_for_fit``, which a fit or a background job calls, never a page.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from core.errors import StudioError
from core.store import Project, ProjectSettings, Store
from core.text import DocumentVectors
from core.text.encoders import WORDLLAMA, encoder_from, wordllama_installed
from core.text.vectors import Progress, encode_documents
from core.workspace.caches.corpora import read_corpus_once
from core.workspace.caches.paths import vectors_path
from core.workspace.caches.store_cache import StoreCache

VECTORS_IN_MEMORY = 2
TEXTS_ENCODED_AT_ONCE = 20_000  # so many texts are encoded within a fit, which waits for it
CHARACTERS_ENCODED_AT_ONCE = 20_000_000  # and so many characters: a few seconds

_vectors: StoreCache[DocumentVectors | None] = StoreCache(VECTORS_IN_MEMORY)


def encoder_key(settings: ProjectSettings) -> str | None:
    """Which encoder a project's texts are read with; None if meaning is off or the vectors are
    the analyst's own."""
    if settings.meaning == "auto":
        return WORDLLAMA if wordllama_installed() else None
    return None if settings.meaning in ("off", "own") else settings.meaning


def vectors_name(store: Store, project: Project) -> str | None:
    """Names the vectors that the project's texts should have; None if they should have none."""
    if project.settings.meaning == "own":
        given = store.own_vectors_fingerprint(project.id)
        return None if given is None else f"{project.id}-own-{given}"
    key = encoder_key(project.settings)
    return None if key is None else f"{project.fingerprint}-{project.n_docs}-{_encoder_name(key)}"


def _encoder_name(key: str) -> str:
    """Short and safe as a part of a file's name; another if the files of the model change."""
    if key == WORDLLAMA:
        return WORDLLAMA
    files = sorted(Path(key).expanduser().glob("*.safetensors"))
    stats = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return "model" + hashlib.blake2b(repr((key, stats)).encode(), digest_size=6).hexdigest()


def vectors_of(store: Store, project: Project) -> DocumentVectors | None:
    """The vectors as far as they are there: from memory or from disk, never encoded here."""
    name = vectors_name(store, project)
    if name is None:
        return None
    if not _vectors.has(store, name):
        found = _read(store, project, name)
        return None if found is None else _vectors.get(store, name, lambda: found)
    return _vectors.get(store, name, lambda: None)


def _read(store: Store, project: Project, name: str) -> DocumentVectors | None:
    """None if there is no file, or one that is half written, of another version or corpus."""
    try:
        if project.settings.meaning == "own":
            found = store.own_vectors(project.id)
        else:
            found = DocumentVectors.load(vectors_path(store, name))
    except (StudioError, OSError, ValueError, KeyError, TypeError):
        return None
    return found if found is not None and len(found) == project.n_docs else None


def needs_encoding(store: Store, project: Project) -> bool:
    """Whether an encoder is chosen and its vectors are not there yet; quick to ask."""
    if encoder_key(project.settings) is None:
        return False
    name = vectors_name(store, project)
    assert name is not None
    return not _vectors.has(store, name) and not vectors_path(store, name).is_file()


def encode(store: Store, project: Project, progress: Progress | None = None) -> None:
    """Make the vectors unless they are there; StudioError if the encoder cannot be loaded."""
    if vectors_of(store, project) is None and encoder_key(project.settings) is not None:
        _encode(store, project, read_corpus_once(store, project.id).texts, progress)


def encode_for_fit(store: Store, project: Project, *, large: bool) -> None:
    """Make the vectors before a fit, ``large`` ones too; the fit goes without what cannot be."""
    if not needs_encoding(store, project):
        return
    if not large and project.n_docs > TEXTS_ENCODED_AT_ONCE:
        return
    texts = read_corpus_once(store, project.id).texts
    if not large and sum(map(len, texts)) > CHARACTERS_ENCODED_AT_ONCE:
        return
    try:
        _encode(store, project, texts, None)
    except StudioError:
        return  # the page that chose the encoder says what is wrong with it


def _encode(
    store: Store, project: Project, texts: tuple[str, ...], progress: Progress | None
) -> None:
    key, name = encoder_key(project.settings), vectors_name(store, project)
    assert key is not None
    assert name is not None
    made = encode_documents(encoder_from(key), texts, progress)
    made.save(vectors_path(store, name))
    _vectors.get(store, name, lambda: made)


def forget_vectors() -> None:
    """Drop what is in memory; the files on disk stay."""
    _vectors.clear()
