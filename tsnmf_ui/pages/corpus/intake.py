"""From an upload to a project: look, read, try the words, create. Draws nothing.

Reading is repeated on every rerun of a page, so each step is kept by the name of the upload and
the choices made, never by hashing texts.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import streamlit as st

from core.corpus import Corpus
from core.loading import (
    Preview,
    newsgroups_available,
    preview,
    read_newsgroups,
    read_reuters,
    reuters_available,
)
from core.loading.columns.misspellings import Misspelling
from core.matrix import SAMPLED_TEXTS, TextPreview, preview_sample, sample_corpus
from core.spec import ModelSpec
from core.store import Project
from core.text import DocumentVectors, TextSettings
from core.workspace import added_texts, meaning, projects
from core.workspace.added_texts import AdditionPlan
from core.workspace.caches.corpora import corpus_of, sample_of
from core.workspace.intake import (
    ReadingOptions,
    distinct_names,
    join_misspellings,
    misspellings_in,
    read_as,
    second_language_sentence,
    usual_text,
)
from core.workspace.projects import NewProject
from tsnmf_ui import jobs
from tsnmf_ui.server import state

COLLECTIONS = {
    "reuters": ("Reuters", "10,788 news wires of 1987 with 90 labels", reuters_available),
    "newsgroups": ("20 Newsgroups", "11,314 posts in 20 discussion groups", newsgroups_available),
}


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was dropped on the page; ``key`` names it for the caches."""

    key: str
    name: str
    data: bytes


def upload_of(file: Any) -> Upload:
    """One uploaded file."""
    return Upload(f"{file.file_id}:{file.size}", file.name, file.getvalue())


def upload_of_folder(files: Sequence[Any]) -> Upload:
    """Many uploaded texts as one archive, so that there is one way to read them."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for file in files:
            archive.writestr(file.name, file.getvalue())
    name = PurePosixPath(files[0].name).parts[0] if "/" in files[0].name else "Folder of texts"
    return Upload(":".join(file.file_id for file in files), name, packed.getvalue())


def preview_upload(upload: Upload, encoding: str | None, delimiter: str | None) -> Preview:
    """The first rows and the guesses."""
    return _preview_upload(upload.key, encoding, delimiter, upload)


@st.cache_resource(max_entries=8, show_spinner="Reading the first rows…")
def _preview_upload(
    key: str, encoding: str | None, delimiter: str | None, _upload: Upload
) -> Preview:
    return preview(_upload.data, filename=_upload.name, encoding=encoding, delimiter=delimiter)


def read_upload(upload: Upload, choice: ReadingOptions) -> Corpus:
    """The corpus under the choices made."""
    return _read_upload(upload.key, choice, upload)


@st.cache_resource(
    max_entries=4, show_spinner="Reading the file…", hash_funcs={ReadingOptions: repr}
)
def _read_upload(key: str, choice: ReadingOptions, _upload: Upload) -> Corpus:
    return read_as(_upload.data, choice, filename=_upload.name)


@st.cache_resource(max_entries=8, show_spinner=False)
def misspellings(key: str, choice: str, _corpus: Corpus) -> tuple[Misspelling, ...]:
    """Names that are probably misspelled, of an upload as it was read by a choice."""
    return misspellings_in(_corpus)


@st.cache_resource(max_entries=4, show_spinner=False)
def joined(key: str, choice: str, chosen: tuple[Misspelling, ...], _corpus: Corpus) -> Corpus:
    """The same corpus with some of them replaced; kept, for its fingerprint takes a while."""
    return join_misspellings(_corpus, chosen)


@st.cache_resource(max_entries=2, show_spinner="Reading the collection…")
def collection(name: str) -> Corpus:
    """A corpus that NLTK or scikit-learn keeps on this machine."""
    return read_reuters() if name == "reuters" else read_newsgroups()


def corpus_of_project(project: Project) -> Corpus:
    """What is known of a project's texts; of a large one that takes a while, so the page says so.

    The texts are left out, unless copies have to be counted because further files were added.
    """
    with st.spinner("Fetching the corpus…"):
        corpus = corpus_of(state.store(), project.id, texts=False)
        return corpus_of(state.store(), project.id) if corpus.reading.added else corpus


@dataclass(frozen=True, slots=True)
class SampledTexts:
    """Some texts of a corpus, whose words a page counts, and any one of them to look at."""

    part: Corpus
    n_docs: int
    text_at: Callable[[int], str]

    @classmethod
    def of_corpus(cls, corpus: Corpus) -> SampledTexts:
        part = sample_corpus(corpus, SAMPLED_TEXTS)
        return cls(part, len(corpus), corpus.texts.__getitem__)

    @classmethod
    def of_project(cls, project: Project) -> SampledTexts:
        store = state.store()
        part = sample_of(store, project)
        return cls(part, project.n_docs, lambda at: store.document(project.id, at).text)


def usual_settings(corpus: Corpus) -> TextSettings:
    """The text settings a new project starts from: the usual ones in the corpus's language."""
    return _usual_settings(corpus.fingerprint, corpus)


@st.cache_resource(max_entries=16, show_spinner=False)
def _usual_settings(fingerprint: str, _corpus: Corpus) -> TextSettings:
    return usual_text(_corpus)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs={TextSettings: repr})
def _second_language(fingerprint: str, settings: TextSettings, _corpus: Corpus) -> str:
    return second_language_sentence(_corpus, settings)


def second_language(part: Corpus, settings: TextSettings) -> str:
    """What is to be said of texts in another language than the settings are for."""
    return _second_language(part.fingerprint, settings, part)


def preview_words(
    part: Corpus, text: str, settings: TextSettings, against: TextSettings
) -> TextPreview:
    """What the settings make of some texts, and of one to look at."""
    return _preview_words(part.fingerprint, text, settings, against, part)


@st.cache_resource(
    max_entries=32, show_spinner="Counting the words…", hash_funcs={TextSettings: repr}
)
def _preview_words(
    fingerprint: str, text: str, settings: TextSettings, against: TextSettings, _part: Corpus
) -> TextPreview:
    return preview_sample(_part, text, settings, against=against)


def plan_addition(project: Project, upload: Upload, *, strip_html: bool) -> AdditionPlan:
    """What a further file would change; read once, until the project changes."""
    key = (upload.key, project.id, project.revision, strip_html)
    return _plan_addition(key, project, upload)


@st.cache_resource(max_entries=2, show_spinner="Reading the file…")
def _plan_addition(
    key: tuple[str, int, int, bool], _project: Project, _upload: Upload
) -> AdditionPlan:
    return added_texts.plan_addition(
        state.store(), _project, _upload.data, filename=_upload.name, strip_html=key[-1]
    )


def topic_names(text: str) -> tuple[str, ...]:
    """One name per line, each once."""
    return distinct_names(text.splitlines())


@dataclass(frozen=True, slots=True)
class VectorColumn:
    """A column of an upload that tells what its texts mean."""

    upload: Upload
    name: str


def create(corpus: Corpus, new: NewProject, vectors: VectorColumn | None = None) -> Project:
    """Create the project with its topics and given labels, open it, and ask for the first fit."""
    own = None if vectors is None else _read_column(corpus, vectors)
    project = projects.create_project(
        state.store(), corpus, new, author=state.author(), vectors=own
    )
    state.open_project(project.id)
    jobs.service().request(jobs.FIT, project.id)
    return project


def _read_column(corpus: Corpus, column: VectorColumn) -> DocumentVectors:
    upload = column.upload
    return meaning.own_vectors(upload.data, corpus, column=column.name, filename=upload.name)


def change_meaning(project: Project, source: str) -> None:
    """Take meaning from elsewhere from now on, or from nowhere."""
    meaning.change_meaning(state.store(), project, source)
    jobs.service().cancel(jobs.ENCODE, project.id)
    jobs.service().request(jobs.FIT, project.id)


def use_own_vectors(project: Project, upload: Upload, column: str | None) -> None:
    """Keep the vectors of an upload with the project, and use them from now on."""
    meaning.use_own_vectors(
        state.store(), project, upload.data, column=column, filename=upload.name
    )
    jobs.service().cancel(jobs.ENCODE, project.id)
    jobs.service().request(jobs.FIT, project.id)


def change_text(project: Project, text: TextSettings, *, truth: bool) -> None:
    """Read the project's texts another way from now on; the next fit starts afresh."""
    projects.change_text(state.store(), project, text, truth=truth)
    jobs.service().request(jobs.FIT, project.id)


def change_model(
    project: Project, spec: ModelSpec, *, n_free: int, levels: Sequence[str] = ()
) -> None:
    """Fit the project by another model or with other options from now on."""
    projects.change_model(state.store(), project, spec, n_free=n_free, levels=levels)
    jobs.service().request(jobs.FIT, project.id)
