"""Create a project from a corpus, change how it is read and modelled, advise on its model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from core.corpus import Corpus
from core.errors import NotFound, StudioError
from core.evaluation.recommendation import Needs, needs_of
from core.loading.columns.label_cells import guessed_labels
from core.spec import ModelSpec
from core.store import CreateTopic, Label, NewEvent, Project, ProjectSettings, Store
from core.text import DocumentVectors, TextSettings
from core.values import count
from core.workspace.caches.corpora import sample_of
from core.workspace.caches.store_cache import StoreCache

MEASURED_TEXTS = 500  # texts whose length is looked at
MAX_NUMBER_DIGITS = 18  # of a project's number: more than a database counts to
LISTED_PROJECTS = 20  # named in the sentence that says a project is not there

LABELS_NAMED = 5  # of the labels that will be left out

Use = Literal["truth", "labels", "ignore"]  # of the labels that came with a corpus

_needs: StoreCache[Needs] = StoreCache(max_entries=16)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewProject:
    """A project to create."""

    name: str
    text: TextSettings = field(default_factory=TextSettings)
    use: Use = "ignore"
    first_labels: str | None = None  # another column whose values are the first labels
    topics: tuple[str, ...] = ()
    n_free: int = 0
    spec: ModelSpec | None = None

    def problem(self) -> str | None:
        """What keeps it from being created, as one sentence."""
        if not self.name.strip():
            return "Give the project a name."
        if not self.topics and not self.n_free:
            return "Name at least one topic, or let the model find some."
        return None

    def settings(self, corpus: Corpus) -> ProjectSettings:
        columns = corpus.reading.columns
        usual = ProjectSettings(
            text=self.text,
            n_free=self.n_free,
            truth=self.use == "truth",
            columns={"text": columns.text, "id": columns.id, "labels": columns.labels},
            labels_from_file_until=self._n_first_events(corpus) if self.starts_labelled else 0,
        )
        return usual if self.spec is None else replace(usual, spec=self.spec)

    @property
    def starts_labelled(self) -> bool:
        """Whether labels of the file become the first labels of the project."""
        return self.use == "labels" or self.first_labels is not None

    def _n_first_events(self, corpus: Corpus) -> int:
        return sum(1 for _ in first_events(corpus, self))


def create_project(
    store: Store,
    corpus: Corpus,
    new: NewProject,
    *,
    author: str,
    vectors: DocumentVectors | None = None,
) -> Project:
    """Create a project with its topics and the labels that came with the corpus.

    ``vectors`` are the analyst's own, one for each text.
    """
    if problem := new.problem():
        raise StudioError(problem)
    if vectors is not None and len(vectors) != len(corpus):
        raise StudioError(f"{len(vectors):,} vectors for {len(corpus):,} texts.")
    first = ((event, author) for event in first_events(corpus, new))
    settings = new.settings(corpus)
    made = store.create_project(new.name, corpus, settings, author=author, first_events=first)
    return made if vectors is None else store.save_own_vectors(made.id, vectors)


def first_events(corpus: Corpus, new: NewProject) -> Iterator[NewEvent]:
    """The topics in order, then the labels that came with the corpus if they are to start it.

    The log numbers a project's topics from 1, so the labels can name them before they exist.
    """
    number = {name.casefold(): place for place, name in enumerate(new.topics, start=1)}
    yield from (CreateTopic(name) for name in new.topics)
    if not new.starts_labelled:
        return
    for position, labels in enumerate(_first_labels(corpus, new)):
        known = (number.get(" ".join(label.split()).casefold()) for label in labels)
        permitted = tuple(topic for topic in known if topic is not None)
        if permitted:
            yield Label(position, permitted)


def first_labels_sentence(corpus: Corpus, new: NewProject) -> str:
    """How many texts start with a label, and which labels name no topic of the project."""
    if not new.starts_labelled:
        return ""
    known = {name.casefold() for name in new.topics}
    missed: dict[str, int] = {}
    started = cut = 0
    for labels in _first_labels(corpus, new):
        names = [" ".join(label.split()) for label in labels]
        unknown = [name for name in names if name.casefold() not in known]
        started += len(unknown) < len(names)
        cut += 0 < len(unknown) < len(names)
        for name in unknown:
            missed[name] = missed.get(name, 0) + 1
    return f"{count(started, 'text starts', 'texts start')} labelled.{_missed(missed, cut)}"


def _missed(missed: Mapping[str, int], cut: int) -> str:
    if not missed:
        return ""
    most = sorted(missed, key=lambda name: (-missed[name], name))[:LABELS_NAMED]
    listed = ", ".join(f"“{name}”" for name in most) + (", …" if len(missed) > len(most) else "")
    some = f" {count(cut, 'text keeps', 'texts keep')} only the other labels." if cut else ""
    return f" {count(len(missed), 'label')} without a topic above will be left out: {listed}.{some}"


def _first_labels(corpus: Corpus, new: NewProject) -> Iterator[tuple[str, ...]]:
    """Those of the column of labels, or of another column, several in one cell split."""
    if new.first_labels is None:
        yield from corpus.labels
        return
    if new.first_labels not in corpus.side:
        raise StudioError(f"The texts have no column “{new.first_labels}”.")
    yield from guessed_labels(corpus.side[new.first_labels], new.first_labels)


def find_project(store: Store, asked: str | int) -> Project:
    """A project by its number, or by a name that only one project has."""
    if isinstance(asked, int):
        return store.project(asked)
    named = [each for each in store.projects() if each.name.casefold() == asked.casefold()]
    if len(named) == 1:
        return named[0]
    if is_number(asked):
        return store.project(int(asked))
    if named:
        raise NotFound(f"Several projects are called “{asked}”; name it by its number.")
    there = ", ".join(f"{each.id} ({each.name})" for each in store.projects()[:LISTED_PROJECTS])
    raise NotFound(f"There is no project called “{asked}”. There are: {there or 'none'}.")


def is_number(text: str) -> bool:
    """Whether a text, of the address bar or the command line, can be the number of a project."""
    return text.isdecimal() and len(text) <= MAX_NUMBER_DIGITS


def change_text(store: Store, project: Project, text: TextSettings, *, truth: bool) -> Project:
    """Read the project's texts another way from now on; the next fit starts afresh."""
    settings = replace(project.settings, text=text, truth=truth)
    return store.update_settings(project.id, settings)


def change_model(
    store: Store, project: Project, spec: ModelSpec, *, n_free: int, levels: Sequence[str] = ()
) -> Project:
    """Fit the project by another model or with other options from now on."""
    spec.estimator()  # refuses what the model does not know, before anything is stored
    settings = replace(project.settings, spec=spec, n_free=n_free, levels=tuple(levels))
    return store.update_settings(project.id, settings)


def needs_of_project(store: Store, project: Project) -> Needs:
    """What the project shows of its texts and labels, for the question which model suits."""
    key = (project.id, project.revision)
    return _needs.get(store, key, lambda: _find_needs(store, project))


def _find_needs(store: Store, project: Project) -> Needs:
    texts = sample_of(store, project).texts
    notes = store.annotations(project.id).values()
    some = texts[:: max(1, len(texts) // MEASURED_TEXTS)]
    words = sum(text.count(" ") + 1 for text in some) / max(1, len(some))
    return needs_of(
        n_docs=project.n_docs,
        n_labelled=project.n_labelled,
        several=not notes or any(len(note.permitted) > 1 for note in notes),
        words_per_text=words,
        groups=bool(project.settings.levels),
    )
