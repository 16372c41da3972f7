"""``tsnmf-studio fit`` and ``refit``: a file to a project, a project to topics.

Both walk the path of the app: the same reading, the same project, the same fit. A file that is
fitted without ``--project`` becomes a project of a store that lasts as long as the command.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.engine.descent import Progress
from core.errors import StudioError
from core.loading.sources import Source
from core.spec import ModelSpec
from core.store import Project
from core.store.files.label_files import read_labels
from core.store.files.label_import import import_labels, plan_import
from core.text import TextSettings
from core.workspace import Workspace, intake, meaning
from core.workspace.projects import Use, create_project
from core.workspace.scores import evaluate
from tsnmf_ui.cli.cluster import fit_on_cluster
from tsnmf_ui.cli.output import Output
from tsnmf_ui.cli.reports import write_results

DEFAULT_FORMATS = ("html", "csv")
TOP_WORDS = 8
STANDARD_INPUT = "standard input"


def fit(chosen: argparse.Namespace) -> int:
    """Read, fit, score, write."""
    if chosen.cluster:
        return fit_on_cluster(chosen, _model_options(chosen))
    output, source = Output(chosen), FileSource(chosen.file or chosen.file_option)
    formats = chosen.format or DEFAULT_FORMATS
    with _workspace(chosen) as workspace:
        project = _new_project(workspace, chosen, source, output)
        fit_project(workspace, project, output, scores=not chosen.no_scores)
        stem = chosen.out / f"{Path(source.name).stem}-topics"
        files = write_results(workspace, project, stem, formats, output, chosen.readers)
        if chosen.save_model:
            workspace.model(project.id).save(chosen.save_model)
            files.append(chosen.save_model)
        values = _values(workspace, project) | {"files": [str(file) for file in files]}
    output.result([str(file) for file in files], values)
    return 0


def refit(chosen: argparse.Namespace) -> int:
    """Fit a project afresh, and score it."""
    output = Output(chosen)
    with Workspace.open(home=chosen.home) as workspace:
        project = workspace.project(chosen.project)
        fit_project(workspace, project, output, scores=not chosen.no_scores)
        values = _values(workspace, project)
    lines = [f"{each['name']}: {', '.join(each['words'])}" for each in values["topics"]]
    output.result(lines, values)
    return 0


class FileSource:
    """A file by its path, or what comes in by the standard input."""

    def __init__(self, given: str) -> None:
        self.content: Source = sys.stdin.buffer.read() if given == "-" else Path(given).expanduser()
        self.name = STANDARD_INPUT if given == "-" else Path(given).name


@contextmanager
def _workspace(chosen: argparse.Namespace) -> Iterator[Workspace]:
    """The store that keeps the project, or one that is gone afterwards."""
    if chosen.project:
        with Workspace.open(home=chosen.home) as workspace:
            yield workspace
        return
    with tempfile.TemporaryDirectory(prefix="tsnmf-studio-") as folder:
        url = f"sqlite:///{Path(folder) / 'studio.db'}"
        with Workspace.open(home=folder, url=url) as workspace:
            yield workspace


def _new_project(
    workspace: Workspace, chosen: argparse.Namespace, source: FileSource, output: Output
) -> Project:
    name = chosen.project or f"Topics in {source.name}"
    _require_new_name(workspace, name)
    spec = ModelSpec(chosen.model, random_state=chosen.seed, options=_model_options(chosen))
    spec.estimator()  # a misspelt option ends here, before anything is read
    columns = intake.AskedColumns(
        text=chosen.text,
        more_text=tuple(chosen.more_text or ()),
        id=chosen.id,
        date=chosen.date,
        labels=chosen.label,
        side=None if chosen.side is None else tuple(chosen.side),
        label_separator=chosen.separator,
    )
    read = intake.read_file(source.content, columns, filename=source.name)
    corpus, text = read.corpus, _text_settings(read, chosen)
    guessed = chosen.language is None
    output.note(*read.sentences(), intake.language_sentence(text, guessed=guessed))
    misspelled = intake.misspelling_sentence(intake.misspellings_in(corpus))
    output.note(*filter(None, [intake.second_language_sentence(corpus, text), misspelled]))
    use: Use = "truth" if chosen.truth else "labels" if corpus.label_names else "ignore"
    plan = intake.plan_project(corpus, name, use=use, text=text, spec=spec, n_topics=chosen.topics)
    output.note(_use_sentence(use, len(plan.topics)))
    vectors = None
    if read.vector_column:
        given = (source.content, corpus)
        vectors = meaning.own_vectors(*given, column=read.vector_column, filename=source.name)
    project = create_project(
        workspace.store, corpus, plan, author=workspace.author, vectors=vectors
    )
    if chosen.labels:
        output.note(*_import(workspace, project, FileSource(chosen.labels)))
    return workspace.project(project.id)


def _require_new_name(workspace: Workspace, name: str) -> None:
    if any(each.name.casefold() == name.casefold() for each in workspace.projects()):
        raise StudioError(
            f"There is a project called “{name}” already; refit it, or take another name."
        )


def _use_sentence(use: Use, n_labels: int) -> str:
    if use == "truth":
        return f"The {n_labels:,} labels in the file are the truth; the model does not see them."
    return f"The {n_labels:,} labels in the file teach the model." if use == "labels" else ""


def _text_settings(read: intake.ReadFile, chosen: argparse.Namespace) -> TextSettings:
    usual = intake.usual_text(read.corpus, chosen.language)
    changed = {
        name.removeprefix("text."): value
        for name, value in chosen.set or ()
        if name.startswith("text.")
    }
    return TextSettings.from_dict(usual.to_dict() | changed) if changed else usual


def _model_options(chosen: argparse.Namespace) -> dict[str, Any]:
    return {name: value for name, value in chosen.set or () if not name.startswith("text.")}


def _import(workspace: Workspace, project: Project, source: FileSource) -> Iterator[str]:
    """Labels from a file of their own."""
    rows, file = read_labels(source.content, filename=source.name)
    plan = plan_import(workspace.store, project.id, rows, file)
    if plan.chosen("take"):
        import_labels(workspace.store, project.id, plan, "take", author=workspace.author)
    yield f"{len(plan.chosen('take')):,} of {plan.n_rows:,} labels read from {source.name}."
    if plan.unknown:
        ids = ", ".join(str(id) for _, id in plan.unknown[:5])
        yield f"{len(plan.unknown):,} ids in {source.name} are of no text: {ids}."


def fit_project(workspace: Workspace, project: Project, output: Output, *, scores: bool) -> None:
    """Fit a project afresh and, if asked to, score it."""
    fitting = output.progress("fitting")

    def callback(step: Progress) -> bool:
        return fitting(step.iteration / step.max_iter)

    workspace.refit(project.id, callback=callback)
    if scores:
        scoring = output.progress("testing on labels held out")
        evaluate.evaluate(workspace.store, project.id, {}, scoring)


def _values(workspace: Workspace, project: Project) -> dict[str, Any]:
    """The outcome for programs."""
    found = workspace.results(project.id)
    topics = found.topics
    board = workspace.scores(project.id)
    point = None if board is None else board.point
    return {
        "project": {"id": project.id, "name": project.name, "texts": project.n_docs},
        "model": replace(found.run.spec).to_dict(),
        "language": project.settings.text.language,
        "topics": [
            {
                "name": name,
                "words": [word for word, _ in topics.top_terms(topic, TOP_WORDS)],
                "texts": found.sizes[topic].documents,
                "labelled": found.labelled[topic],
            }
            for topic, name in enumerate(topics.names)
        ],
        "scores": {} if point is None else {n: list(s[:3]) for n, s in point.scores.items()},
    }
