"""Whether a project reads what its texts mean, from where, and how that is changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from core.corpus import Corpus
from core.errors import Cancelled, StudioError
from core.loading import read_vectors
from core.loading.sources import Source, source_name
from core.store import Project, Store
from core.text import DocumentVectors
from core.text.encoders import (
    INSTALL_COMMAND,
    folder_encoder,
    wordllama_encoder,
    wordllama_installed,
)
from core.workspace.caches.corpora import corpus_of
from core.workspace.caches.vectors import encode, encoder_key, needs_encoding, vectors_of

ENCODING_STAGE = "Reading what the texts mean"


class ProgressReport(Protocol):
    """How a job tells its progress; True once it should stop."""

    def tell(self, share: float, seconds_left: float | None, doing: str = "") -> bool: ...
    def seconds_left(self, share: float) -> float | None: ...


@dataclass(frozen=True, slots=True)
class Meaning:
    """Where the vectors of a project's texts come from, for people."""

    source: str  # as it is shown; "" if there are none
    waiting: bool = False  # they are chosen, and being made or about to be
    missing: str = ""  # why there are none, and what would help

    @property
    def on(self) -> bool:
        return bool(self.source)


def meaning_of(store: Store, project: Project) -> Meaning:
    """Whether meaning is on, and from where; without encoding anything."""
    found = vectors_of(store, project)
    if found is not None:
        return Meaning(found.source)
    if needs_encoding(store, project):
        return Meaning("", waiting=True)
    chosen = project.settings.meaning
    if chosen == "auto" and not wordllama_installed():
        return Meaning("", missing=f"To switch it on, install the extra: {INSTALL_COMMAND}")
    if chosen == "own":
        return Meaning("", missing="The vectors of this project are missing; give them again.")
    return Meaning("")


def change_meaning(store: Store, project: Project, meaning: str) -> Project:
    """Take vectors from elsewhere from now on; refused before anything is stored."""
    meaning = meaning.strip()
    if meaning == "auto" and wordllama_installed():
        wordllama_encoder()
    elif meaning == "own":
        if store.own_vectors_fingerprint(project.id) is None:
            raise StudioError("This project has no vectors of your own yet; give a file first.")
    elif meaning not in ("auto", "off"):
        meaning = folder_encoder(meaning).key
    settings = replace(project.settings, meaning=meaning)
    return store.update_settings(project.id, settings)


def use_own_vectors(
    store: Store,
    project: Project,
    source: Source | np.ndarray,
    *,
    column: str | None = None,
    filename: str | None = None,
) -> Project:
    """Keep the analyst's own vectors, from a file or an array, and use them from now on."""
    corpus = corpus_of(store, project.id, texts=False)
    vectors = own_vectors(source, corpus, column=column, filename=filename)
    return store.save_own_vectors(project.id, vectors)


def own_vectors(
    source: Source | np.ndarray,
    corpus: Corpus,
    *,
    column: str | None = None,
    filename: str | None = None,
) -> DocumentVectors:
    """Vectors of one's own for the texts of a corpus, from a file or an array."""
    if isinstance(source, np.ndarray):
        return DocumentVectors.of(source, "your own vectors")
    values = read_vectors(
        source, n_docs=len(corpus), reading=corpus.reading, column=column, filename=filename
    )
    named = [filename or source_name(source), *([f"column “{column}”"] if column else ())]
    return DocumentVectors.of(values, f"your own vectors ({', '.join(named)})")


def encode_project(
    store: Store, project: int, _arguments: Mapping[str, Any], report: ProgressReport
) -> bool:
    """Make the vectors of a project's texts, as a job; whether there are any now."""
    found = store.project(project)

    def progress(done: int, total: int) -> None:
        share = done / total
        if report.tell(share, report.seconds_left(share), ENCODING_STAGE):
            raise Cancelled("The texts were not read to the end; nothing was changed.")

    encode(store, found, progress)
    return encoder_key(found.settings) is not None
