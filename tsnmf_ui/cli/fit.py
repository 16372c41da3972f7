"""The straight path without a screen: a file in, a report and a table out."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core import read_corpus, report
from core.errors import CorpusError
from core.evaluation.label_names import name_after_labels
from core.evaluation.recommendation import free_topics
from core.evaluation.scoring import describe_topics
from core.fitting import fit
from core.insight.topic_titles import with_titles
from core.matrix import DocumentTermMatrix, build_matrix
from core.spec import ModelSpec
from core.supervision import Supervision
from core.text import TextSettings
from core.topics import Topics
from core.workspace.scores.sentences import NO_LABELS
from tsnmf_ui.theme import style

ALL_LABELS_USED = (
    "No score against labels is given: the fit used all labels of the file, so none was held out "
    "for a test. Open the file as a project to have the topics tested on labels held out."
)
TOPICS_WITHOUT_LABELS = 10  # topics when there are no labels either


@dataclass(frozen=True, slots=True)
class Request:
    """What to read, how to fit it, and where to put the results."""

    file: Path
    out: Path = Path()
    text: str | None = None
    label: str | None = None
    separator: str | None = None
    topics: int | None = None
    model: str = "tsnmf"
    seed: int = 0

    @classmethod
    def of(cls, chosen: argparse.Namespace) -> Request:
        return cls(**{name: getattr(chosen, name) for name in cls.__dataclass_fields__})


def _usual(n_labels: int, n_documents: int) -> int:
    """Topics when nobody says how many."""
    return n_labels + free_topics(n_documents) if n_labels else TOPICS_WITHOUT_LABELS


def walk(request: Request) -> list[Path]:
    """Read, count, fit, write; the paths of what was written."""
    if not request.file.exists():
        raise CorpusError("There is no such file.", file=str(request.file))
    corpus = read_corpus(
        request.file, text=request.text, label=request.label, label_separator=request.separator
    )
    supervision = Supervision.of(corpus.labels, corpus.label_names)
    n_topics = request.topics or _usual(supervision.n_labels, len(corpus))
    spec = ModelSpec(request.model, n_topics=n_topics, random_state=request.seed)
    settings = spec.text_settings(TextSettings())
    matrix = build_matrix(corpus, settings)
    topics = fit(matrix, supervision, spec)
    if not spec.labels_own_topics:
        topics = name_after_labels(topics, supervision)
    topics = with_titles(topics)
    material = report.ReportInput(
        topics=topics,
        corpus=corpus,
        supervision=supervision,
        text=settings,
        scores=_scores(topics, supervision, matrix),
        people=report.labels_of_file(supervision),
        wordless=int((np.diff(matrix.X.indptr) == 0).sum()),
        colours=_colours(topics),
    )
    return _write(request, material)


def _scores(
    topics: Topics, supervision: Supervision, matrix: DocumentTermMatrix
) -> report.ReportScores:
    """What can be measured when every label was used in the fit."""
    found = describe_topics(topics, supervision, matrix)
    return report.ReportScores(
        values={name: (s.value, s.low, s.high, s.note) for name, s in found.items()},
        missing=ALL_LABELS_USED if supervision.labelled.any() else NO_LABELS,
    )


def _colours(topics: Topics) -> list[str]:
    """A colour for every label's topic, grey for free ones."""
    if not topics.n_supervised:
        return [style.topic_colour(i) for i in range(len(topics))]
    return [style.topic_colour(i if i < topics.n_supervised else -1) for i in range(len(topics))]


def _write(request: Request, material: report.ReportInput) -> list[Path]:
    request.out.mkdir(parents=True, exist_ok=True)
    described = report.build_report(material, title=f"Topics in {request.file.name}")
    name = request.file.stem
    return [
        report.write_report(described, request.out / f"{name}-topics{suffix}")
        for suffix in (".html", ".csv")
    ]
