"""From an upload to a project: look, read, try the words, create. Draws nothing.

Reading is repeated on every rerun of a page, so each step is kept by the name of the upload and
the choices made, never by hashing texts.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, Literal

import streamlit as st

from core.corpus import Columns, Corpus
from core.errors import StudioError
from core.fitting import ModelSpec
from core.loading import (
    Preview,
    newsgroups_at_hand,
    preview,
    read_corpus,
    read_newsgroups,
    read_reuters,
    reuters_at_hand,
)
from core.matrix import TextPreview, preview_text
from core.recommendation import Needs, needs_of
from core.store import Act, CreateTopic, Label, Project, ProjectSettings
from core.text import TextSettings
from core.text.language import guess_language
from tsnmf_ui import jobs, state

SOME = 500  # texts whose length is looked at
Use = Literal["truth", "labels", "ignore"]
COLLECTIONS = {
    "reuters": ("Reuters", "10,788 news wires of 1987 with 90 labels", reuters_at_hand),
    "newsgroups": ("20 Newsgroups", "11,314 posts in 20 discussion groups", newsgroups_at_hand),
}


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was dropped on the page; ``key`` names it for the caches."""

    key: str
    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Choice:
    """How an upload is to be read: what was guessed, or what the person chose instead."""

    columns: Columns
    encoding: str | None = None
    delimiter: str | None = None
    min_characters: int = 1


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


def look(upload: Upload, encoding: str | None, delimiter: str | None) -> Preview:
    """The first rows and the guesses."""
    return _look(upload.key, encoding, delimiter, upload)


@st.cache_resource(max_entries=8, show_spinner="Looking into the file…")
def _look(key: str, encoding: str | None, delimiter: str | None, _upload: Upload) -> Preview:
    return preview(_upload.data, filename=_upload.name, encoding=encoding, delimiter=delimiter)


def read(upload: Upload, choice: Choice) -> Corpus:
    """The corpus under the choices made."""
    return _read(upload.key, choice, upload)


@st.cache_resource(max_entries=4, show_spinner="Reading the file…", hash_funcs={Choice: repr})
def _read(key: str, choice: Choice, _upload: Upload) -> Corpus:
    columns = choice.columns
    return read_corpus(
        _upload.data,
        filename=_upload.name,
        text=columns.text,
        id=columns.id or "",
        date=columns.date or "",
        label=columns.labels or "",
        label_separator=columns.label_separator or "",
        side=columns.side,
        encoding=choice.encoding,
        delimiter=choice.delimiter,
        min_characters=choice.min_characters,
    )


@st.cache_resource(max_entries=2, show_spinner="Reading the collection…")
def collection(name: str) -> Corpus:
    """A corpus that NLTK or scikit-learn keeps on this machine."""
    return read_reuters() if name == "reuters" else read_newsgroups()


def corpus_of(project: Project) -> Corpus:
    """The corpus of a project; it never changes, so its project names it."""
    return _corpus_of(project.id, project.fingerprint)


@st.cache_resource(max_entries=2, show_spinner="Fetching the corpus…")
def _corpus_of(project: int, fingerprint: str) -> Corpus:
    return state.store().corpus(project)


def usual_settings(corpus: Corpus) -> TextSettings:
    """The text settings a new project starts from: the usual ones in the corpus's language."""
    return TextSettings(language=_language(corpus.fingerprint, corpus))


@st.cache_resource(max_entries=16, show_spinner=False)
def _language(fingerprint: str, _corpus: Corpus) -> str:
    return guess_language(_corpus.texts)


def try_words(
    corpus: Corpus, settings: TextSettings, against: TextSettings, document: int
) -> TextPreview:
    """What the settings make of the corpus."""
    return _try_words(corpus.fingerprint, settings, against, document, corpus)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={TextSettings: repr})
def _try_words(
    fingerprint: str, settings: TextSettings, against: TextSettings, document: int, _corpus: Corpus
) -> TextPreview:
    return preview_text(_corpus, settings, against=against, document=document)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A project as the form describes it."""

    name: str
    text: TextSettings
    use: Use
    topics: tuple[str, ...]
    n_free: int

    def problem(self) -> str | None:
        """What keeps it from being created, as one sentence."""
        if not self.name.strip():
            return "Give the project a name."
        if not self.topics and not self.n_free:
            return "Name at least one topic, or let the model find some."
        return None


def topic_names(text: str) -> tuple[str, ...]:
    """One name per line, each once."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    seen = {line.casefold(): line for line in reversed(list(lines)) if line}
    return tuple(reversed(seen.values()))


def create(corpus: Corpus, plan: Plan) -> Project:
    """Create the project with its topics and given labels, open it, and ask for the first fit."""
    if problem := plan.problem():
        raise StudioError(problem)
    author = state.author()
    columns = corpus.reading.columns
    settings = ProjectSettings(
        text=plan.text,
        n_free=plan.n_free,
        truth=plan.use == "truth",
        columns={"text": columns.text, "id": columns.id, "labels": columns.labels},
    )
    acts = ((act, author) for act in first_acts(corpus, plan))
    project = state.store().create_project(plan.name, corpus, settings, author=author, acts=acts)
    state.open_project(project.id)
    jobs.request_fit(project.id)
    return project


def first_acts(corpus: Corpus, plan: Plan) -> Iterator[Act]:
    """The topics in order, then the labels that came with the corpus if they are to start it.

    The log numbers a project's topics from 1, so the labels can name them before they exist.
    """
    number = {name.casefold(): place for place, name in enumerate(plan.topics, start=1)}
    yield from (CreateTopic(name) for name in plan.topics)
    if plan.use != "labels":
        return
    for position, labels in enumerate(corpus.labels):
        known = (number.get(" ".join(label.split()).casefold()) for label in labels)
        permitted = tuple(topic for topic in known if topic is not None)
        if permitted:
            yield Label(position, permitted)


def needs_of_project(project: Project) -> Needs:
    """What the project shows of its texts and labels, for the question which model suits."""
    return _needs_of(project.id, project.revision, project)


@st.cache_resource(max_entries=16, show_spinner=False)
def _needs_of(number: int, revision: int, _project: Project) -> Needs:
    project, corpus = _project, corpus_of(_project)
    notes = state.store().annotations(project.id).values()
    some = corpus.texts[:: max(1, len(corpus) // SOME)]
    words = sum(text.count(" ") + 1 for text in some) / max(1, len(some))
    return needs_of(
        n_docs=project.n_docs,
        n_labelled=project.n_labelled,
        several=not notes or any(len(note.permitted) > 1 for note in notes),
        words_per_text=words,
        groups=bool(project.settings.levels),
    )


def change_text(project: Project, text: TextSettings, *, truth: bool) -> None:
    """Read the project's texts another way from now on; the next fit starts afresh."""
    settings = replace(project.settings, text=text, truth=truth)
    state.store().update_settings(project.id, settings)
    jobs.request_fit(project.id)


def change_model(
    project: Project, spec: ModelSpec, *, n_free: int, levels: Sequence[str] = ()
) -> None:
    """Fit the project by another model or with other options from now on."""
    spec.estimator()  # refuses what the model does not know, before anything is stored
    settings = replace(project.settings, spec=spec, n_free=n_free, levels=tuple(levels))
    state.store().update_settings(project.id, settings)
    jobs.request_fit(project.id)
