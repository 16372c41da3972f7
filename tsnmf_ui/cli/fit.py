"""The straight path without a screen: a file in, a report and a table out."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from core import read_corpus, report
from core.corpus import Corpus
from core.errors import CorpusError
from core.evaluation.label_names import name_after_labels
from core.evaluation.recommendation import free_topics
from core.fitting import fit
from core.insight.topic_titles import with_titles
from core.matrix import build_matrix
from core.spec import ModelSpec
from core.supervision import Supervision
from core.text import TextSettings
from core.topics import Topics
from tsnmf_ui.figures import plotly_js
from tsnmf_ui.figures import report as report_figures
from tsnmf_ui.theme import style

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
    topics = fit(build_matrix(corpus, settings), supervision, spec)
    if not spec.labels_own_topics:
        topics = name_after_labels(topics, supervision)
    topics = with_titles(topics)
    material = report.ReportInput(
        topics=topics,
        corpus=corpus,
        supervision=supervision,
        text=settings,
        colours=_colours(topics),
    )
    return _write(request, corpus, topics, material)


def _colours(topics: Topics) -> list[str]:
    """A colour for every label's topic, grey for free ones."""
    if not topics.n_supervised:
        return [style.topic_colour(i) for i in range(len(topics))]
    return [style.topic_colour(i if i < topics.n_supervised else -1) for i in range(len(topics))]


def _write(
    request: Request, corpus: Corpus, topics: Topics, material: report.ReportInput
) -> list[Path]:
    request.out.mkdir(parents=True, exist_ok=True)
    name = request.file.stem
    page, table = request.out / f"{name}-topics.html", request.out / f"{name}-topics.csv"
    labels = material.supervision
    drawn = report_figures.report_figures(material, labels.names, labels.indicator())
    title = f"Topics in {request.file.name}"
    described = report.build_report(material, title=title, figures=drawn)
    page.write_text(report.render_html(described, plotly_js()), encoding="utf-8")
    table.write_bytes(report.documents_csv(topics, corpus, material.supervision))
    return [page, table]
