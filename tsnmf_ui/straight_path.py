"""The straight path without a screen: a file in, a report and a table out."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from core import read_corpus, report
from core.corpus import Corpus
from core.errors import CorpusError
from core.fitting import ModelSpec, fit
from core.matrix import build_matrix
from core.supervision import Supervision
from core.text import TextSettings
from core.topics import Topics
from tsnmf_ui import theme
from tsnmf_ui.figures import plotly_js

FREE = 3  # topics beyond the labels when nobody says how many
PLAIN = 10  # topics when there are no labels either


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


def walk(request: Request) -> list[Path]:
    """Read, count, fit, write; the paths of what was written."""
    if not request.file.exists():
        raise CorpusError("There is no such file.", file=str(request.file))
    corpus = read_corpus(
        request.file, text=request.text, label=request.label, label_separator=request.separator
    )
    settings = TextSettings()
    supervision = Supervision.of(corpus.labels, corpus.label_names)
    n_topics = request.topics or (supervision.n_labels + FREE if supervision.n_labels else PLAIN)
    spec = ModelSpec(request.model, n_topics=n_topics, random_state=request.seed)
    topics = fit(build_matrix(corpus, settings), supervision, spec)
    material = report.Material(
        topics=topics,
        corpus=corpus,
        supervision=supervision,
        text=settings,
        colours=[theme.topic_colour(i) for i in range(len(topics))],
    )
    return _write(request, corpus, topics, material)


def _write(
    request: Request, corpus: Corpus, topics: Topics, material: report.Material
) -> list[Path]:
    request.out.mkdir(parents=True, exist_ok=True)
    name = request.file.stem
    page, table = request.out / f"{name}-topics.html", request.out / f"{name}-topics.csv"
    described = report.build_report(material, title=f"Topics in {request.file.name}")
    page.write_text(report.render_html(described, plotly_js()), encoding="utf-8")
    table.write_bytes(report.documents_csv(topics, corpus, material.supervision))
    return [page, table]
