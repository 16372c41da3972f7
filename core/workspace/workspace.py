"""A workspace: everything a project does, one call each, over one store.

>>> with Workspace.open(home="studio") as workspace:
...     project = workspace.create("Tickets", read_corpus("tickets.csv"), topics=["Billing"]).id
...     event = workspace.label(project, 0, ["Billing"])
...     run = workspace.refit(project)
...     words = workspace.topics(project).top_terms(0)
"""

from __future__ import annotations

import getpass
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np

from core.corpus import Corpus
from core.engine.descent import Callback
from core.errors import ModelError, NotFound
from core.evaluation.comparison import Comparison, Judge
from core.evaluation.comparison.fit_timer import Report as CompareProgress
from core.fitted import FittedModel
from core.loading.sources import Source
from core.matrix import DocumentTermMatrix
from core.queue import QueueItem
from core.report import Privacy, Report, Tell, build_report, read_report
from core.spec import ModelSpec
from core.store import CreateTopic, Event, Label, NewEvent, Project, Run, Store
from core.store.closing import ClosedOnExit
from core.store.files.codebook_files import (
    CodebookFormat,
    import_codebook,
    plan_codebook,
    read_codebook,
    write_codebook,
)
from core.store.files.label_files import Format, read_labels
from core.store.files.label_import import Choice, import_labels, plan_import
from core.store.runs import comparisons as kept_comparisons
from core.supervision import Supervision
from core.text import TextSettings
from core.topics import Topics
from core.workspace import (  # fmt: skip
    added_texts,
    comparisons,
    fitted_models,
    labels,
    meaning,
    projects,
    queue,
    reports,
)
from core.workspace.adoption import with_words_of_free_topic
from core.workspace.caches import vectors
from core.workspace.caches.corpora import corpus_of
from core.workspace.caches.matrices import matrix_of
from core.workspace.projects import Use
from core.workspace.refits import refit
from core.workspace.refits.fit_lock import one_fit_at_a_time
from core.workspace.refits.inputs import spec_of, supervision_of
from core.workspace.results import Results, results_of, topics_of
from core.workspace.scores import ScoreHistory, score_history
from core.workspace.scores.evaluate import evaluate
from core.workspace.searches import find_in_project

ProjectName = int | str  # a project's number, or a name that only one project has


def machine_user() -> str:
    """Who uses this machine; a plain name where it does not say."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "analyst"


def _required(found: Results | None) -> Results:
    if found is None:
        raise NotFound("The project has no fit yet; refit it first.")
    return found


class Workspace(ClosedOnExit):
    """Projects and what can be done with them; thin calls of the modules of this package."""

    def __init__(self, store: Store, author: str | None = None) -> None:
        self.store = store
        self.author = author or machine_user()

    @classmethod
    def open(
        cls, home: Path | str | None = None, url: str | None = None, author: str | None = None
    ) -> Workspace:
        """Open or make the store in a folder; ``url`` names another database than its own."""
        return cls(Store.open(url=url, home=home), author)

    def close(self) -> None:
        self.store.close()

    # Projects

    def projects(self) -> list[Project]:
        return self.store.projects()

    def project(self, project: ProjectName) -> Project:
        return projects.find_project(self.store, project)

    def create(
        self,
        name: str,
        corpus: Corpus,
        *,
        topics: Sequence[str] = (),
        n_free: int = 3,
        given_labels: Use = "ignore",
        text: TextSettings | None = None,
        spec: ModelSpec | None = None,
        own_vectors: Source | np.ndarray | None = None,
    ) -> Project:
        """A new project; ``given_labels`` says what the labels that came with the corpus are.

        ``own_vectors`` is a file or an array with a vector for each text.
        """
        new = projects.NewProject(
            name=name,
            text=text or TextSettings(),
            use=given_labels,
            topics=tuple(topics),
            n_free=n_free,
            spec=spec,
        )
        given = None if own_vectors is None else meaning.own_vectors(own_vectors, corpus)
        return projects.create_project(self.store, corpus, new, author=self.author, vectors=given)

    def add_texts(
        self,
        project: ProjectName,
        source: Source,
        *,
        existing: added_texts.Existing = "skip",
        vocabulary: added_texts.Vocabulary = "same",
    ) -> Event:
        """Add a file of texts to a project; labels and history stay. Refit afterwards.

        Texts whose ids are there already are skipped or updated. The words are those that counted
        before, or chosen anew. ``added_texts.plan_addition`` tells beforehand what would change.
        """
        plan = added_texts.plan_addition(self.store, self.project(project), source)
        return added_texts.add_texts(
            self.store, plan, author=self.author, existing=existing, vocabulary=vocabulary
        )

    def meaning(self, project: ProjectName) -> meaning.Meaning:
        """Whether the project reads what its texts mean, and from where."""
        return meaning.meaning_of(self.store, self.project(project))

    def change_meaning(self, project: ProjectName, source: str) -> Project:
        """Take it from ``auto``, ``off``, ``own`` or a model folder; refit afterwards."""
        return meaning.change_meaning(self.store, self.project(project), source)

    # What goes into a fit

    def corpus(self, project: ProjectName) -> Corpus:
        return corpus_of(self.store, self.project(project).id)

    def matrix(self, project: ProjectName) -> DocumentTermMatrix:
        """The documents as the project's model reads them."""
        return matrix_of(self.store, self.project(project))

    def supervision(self, project: ProjectName) -> Supervision:
        """The labels in force."""
        found = self.project(project)
        named, annotations = self.store.topics(found.id), self.store.annotations(found.id)
        return supervision_of(found.n_docs, named, annotations, self.store.codebook(found.id))

    def spec(self, project: ProjectName) -> ModelSpec:
        """The project's model with today's topics."""
        found = self.project(project)
        return spec_of(found, self.store.topics(found.id))

    # Labels

    def record(self, project: ProjectName, event: NewEvent) -> Event:
        """Put anything on the log: a label, a topic, a merge."""
        number = self.project(project).id
        if isinstance(event, CreateTopic):
            event = with_words_of_free_topic(self.store, number, event)
        return self.store.record(number, event, author=self.author)

    def label(
        self,
        project: ProjectName,
        position: int,
        topics: Collection[str],
        *,
        confidence: str = "sure",
        note: str = "",
    ) -> Event:
        """Say which topics a document is about, new ones too; none means that nothing fits."""
        number = self.project(project).id
        ids = tuple(self._topic_id(number, name) for name in topics)
        label = Label(position, ids, nothing_fits=not ids, confidence=confidence, note=note)
        return self.record(number, label)

    def _topic_id(self, project: int, name: str) -> int:
        known = {topic.name: topic.id for topic in self.store.topics(project)}
        if name not in known:
            self.record(project, CreateTopic(name))
            known = {topic.name: topic.id for topic in self.store.topics(project)}
        return known[name]

    def undo(self, project: ProjectName) -> Event | None:
        """Take back one's own last event."""
        return self.store.undo(self.project(project).id, author=self.author)

    def export_labels(
        self, project: ProjectName, *, format: Format = "csv", texts: bool = False
    ) -> bytes:
        number = self.project(project).id
        return b"".join(labels.export_labels(self.store, number, format=format, texts=texts))

    def import_labels(
        self, project: ProjectName, source: Path | str | BinaryIO, choice: Choice = "keep"
    ) -> Event:
        """Bring a file of labels in, as one batch that one undo takes back."""
        number = self.project(project).id
        plan = plan_import(self.store, number, *read_labels(source))
        return import_labels(self.store, number, plan, choice, author=self.author)

    def export_codebook(self, project: ProjectName, *, format: CodebookFormat = "csv") -> bytes:
        """What each topic means, as CSV, XLSX, JSON or Markdown."""
        return write_codebook(self.store, self.project(project).id, format=format)

    def import_codebook(
        self, project: ProjectName, source: Source, *, create_topics: bool = False
    ) -> Event:
        """Bring a codebook in, as one batch; topics that are not there are left out or created."""
        number = self.project(project).id
        plan = plan_codebook(self.store, number, *read_codebook(source))
        return import_codebook(self.store, number, plan, create=create_topics, author=self.author)

    def next_documents(
        self, project: ProjectName, n: int = 10, *, mode: str = "mixed"
    ) -> list[QueueItem]:
        """The documents to label next, and why."""
        inputs = queue.QueueInputs.of(self.store, self.project(project))
        return queue.next_in_queue(self.store, inputs, mode=mode, limit=n)

    def search(self, project: ProjectName, search: str) -> list[int]:
        """Positions of the documents that a search finds, written as on the Label page."""
        hits = find_in_project(self.store, self.project(project), search, self.author)
        return [int(position) for position in hits.positions]

    # Fits and what they found

    def refit(
        self,
        project: ProjectName,
        *,
        preview: bool = False,
        callback: Callback | None = None,
        wait: bool = True,
    ) -> Run:
        """Fit a project afresh as it is labelled now and keep the run.

        With ``preview`` the run continues from the last one where that saves time; refit once more
        without it to end with the full fit. Near-copies and coherence are measured afterwards;
        ``wait=False`` does not wait for that, nor for the vectors of a large corpus.
        """
        found = self.project(project)
        number = found.id
        with one_fit_at_a_time(self.store, found, callback, preview=preview) as made:
            if made is not None:
                return made
            vectors.encode_for_fit(self.store, found, large=wait)
            run = refit.refit(self.store, number, callback=callback, preview=preview)
        measured = [refit.outline(self.store, number)]
        measured += [] if run.preview else [refit.measure(self.store, run)]
        for thread in measured if wait else ():
            thread.join()
        return run

    def topics(self, project: ProjectName) -> Topics | None:
        """The topics of the current run; None before the first fit."""
        return topics_of(self.store, self.project(project).id)

    def results(self, project: ProjectName) -> Results:
        """The topics of the current run with their labels, sizes and documents."""
        return _required(results_of(self.store, self.project(project)))

    def evaluate(self, project: ProjectName) -> ScoreHistory | None:
        """Score the last full fit and keep the scores; all scores so far, None before a fit."""
        number = self.project(project).id
        evaluate(self.store, number, {}, lambda share: False)
        return self.scores(number)

    def scores(self, project: ProjectName) -> ScoreHistory | None:
        """The scores that are already counted."""
        return score_history(self.store, self.project(project))

    def model(self, project: ProjectName) -> FittedModel:
        """The model of the last full fit, for texts beyond the project; with its card."""
        return fitted_models.model_of(self.store, self.project(project))

    # Comparison and report

    def compare(
        self,
        project: ProjectName,
        specs: Mapping[str, ModelSpec],
        *,
        seeds: Sequence[int] = (0,),
        judge: Judge | None = None,
        title: str = "",
        report: CompareProgress | None = None,
    ) -> Comparison:
        """Fit several models to the project, keep the comparison, and return it.

        ``judge`` is the truth that came with the corpus where there is one, else nothing;
        ``report`` hears how far it is, and stops it by answering True.
        """
        found = self.project(project)
        request = comparisons.ComparisonRequest(
            project=found.id,
            kind="models",
            title=title or ", ".join(specs),
            author=self.author,
            candidates=tuple(
                {"title": name, "spec": spec.to_dict(), "run": None} for name, spec in specs.items()
            ),
            seeds=tuple(seeds),
            judge=judge or ("truth" if found.settings.has_truth else "nothing"),
        )
        if refused := comparisons.refusals_of(self.store, request):
            raise ModelError(" ".join(refused))
        number = comparisons.compare(self.store, request, report)
        return Comparison.from_dict(kept_comparisons.results(self.store.home, found.id, number))

    def report(
        self,
        project: ProjectName,
        *,
        title: str | None = None,
        summary: str | None = None,
        colours: Sequence[str] = (),
        privacy: Privacy | None = None,
    ) -> Report:
        """The description of a report on the last full fit, under the project's privacy setting
        or another.

        ``core.report.write_report`` makes a file of it.
        """
        found = _required(results_of(self.store, self.project(project), resting=True))
        material = reports.report_material(self.store, found, colours, privacy=privacy)
        return build_report(material, title=title or "", summary=summary)

    def write_report(
        self,
        project: ProjectName,
        path: Path | str,
        *,
        format: str | None = None,
        colours: Sequence[str] = (),
        privacy: Privacy | None = None,
        tell: Tell = lambda share: False,
    ) -> Path:
        """Write the report to a file in one of ``core.report.FORMATS``: by name, or by the file's
        ending. The next report tells what changed since this one."""
        found = _required(results_of(self.store, self.project(project), resting=True))
        material = reports.report_material(self.store, found, colours, privacy=privacy)
        return reports.write_project_report(
            self.store, found, material, path, format=format, tell=tell
        )

    def repeat(
        self, described: Report | Path | str, *, corpus: Corpus | None = None
    ) -> reports.Repetition:
        """Make the run of a report, or of its JSON file, again, and compare the topics.

        The texts are those of the project that holds them, or ``corpus``.
        """
        known = described if isinstance(described, Report) else read_report(described)
        return reports.repeat_report(known, self.store, corpus=corpus)
