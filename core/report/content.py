"""From topics, labels and scores to a Report: what it contains and how it is worded."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

import pandas as pd

from core.corpus import Corpus
from core.errors import ReportError
from core.insight import summaries
from core.insight.quotes import Quote, Span
from core.report.description import Citation, Figure, Report, ReportTable, TopicSection
from core.report.formatting import day
from core.report.inputs import ReportInput
from core.report.quality import label_table, score_sentence, score_table
from core.report.summary import adherence_of, default_summary
from core.report.texts_read import texts_read
from core.supervision import Supervision
from core.text import Analyzer
from core.topics import Topics
from core.values import percent

Spans = Callable[[str], Iterable[Span]]

DEFAULT_COLOUR = "#6B7280"
MAX_CLASSES = 12  # a side column with more values is not tabulated
REPORTED_PACKAGES = ("tsnmf-studio", "numpy", "scipy", "scikit-learn", "numba", "pandas")
STOP_REASONS = {"converged": "converged", "max_iter": "limit of steps", "cancelled": "cancelled"}


def build_report(
    inputs: ReportInput,
    *,
    title: str = "",
    summary: str | None = None,
    figures: Sequence[Figure] = (),
    made: datetime | None = None,
) -> Report:
    """Gather everything; without title and summary those of the input, else the report's own."""
    if not len(inputs.topics):
        raise ReportError("There are no topics to report yet.")
    sizes = summaries.topic_sizes(inputs.topics)
    text = summary or inputs.summary or default_summary(inputs)
    return Report(
        title=title.strip() or inputs.title or "Topics",
        summary=tuple(part.strip() for part in text.split("\n\n") if part.strip()),
        summary_note="" if summary else inputs.summary_note,
        made=made or datetime.now(UTC),
        n_documents=len(inputs.corpus),
        n_read=int(sizes["of"].iloc[0]),
        topics=_sections(inputs, sizes),
        quality=score_table(inputs.scores),
        labels=label_table(inputs.scores),
        score_sentence=score_sentence(inputs.scores),
        score_basis=inputs.scores.basis,
        resolved=inputs.scores.resolved,
        tables=_by_class(inputs),
        people=inputs.people,
        adherence=adherence_of(inputs),
        labels_are_rules=inputs.topics.spec.labels_own_topics,
        behind=inputs.behind,
        texts_read=texts_read(
            inputs.corpus,
            inputs.topics,
            inputs.supervision,
            near_copies=inputs.near_copies,
            wordless=inputs.wordless,
        ),
        figures=tuple(figures),
        reproducibility=_reproducibility(inputs),
    )


def _sections(inputs: ReportInput, sizes: pd.DataFrame) -> tuple[TopicSection, ...]:
    """Largest topic first."""
    order = sizes.sort_values("share", ascending=False, kind="stable")["topic"]
    spans = Analyzer(inputs.text).spans
    return tuple(_section(inputs, int(topic), sizes.iloc[int(topic)], spans) for topic in order)


def _section(inputs: ReportInput, topic: int, size: pd.Series, spans: Spans) -> TopicSection:
    topics = inputs.topics
    candidates = summaries.top_documents(topics, topic, n=12)
    found = summaries.quotes(
        topics,
        topic,
        inputs.corpus.texts,
        spans,
        candidates=candidates,
    )
    return TopicSection(
        name=topics.names[topic],
        colour=inputs.colours[topic] if topic < len(inputs.colours) else DEFAULT_COLOUR,
        named=topic < topics.n_supervised,
        share=float(size["share"]),
        documents=int(size["documents"]),
        of=int(size["of"]),
        labelled=_labelled(topics, topic, inputs.supervision),
        keywords=tuple(topics.top_terms(topic, 10)),
        quotes=tuple(_citation(quote, inputs.corpus) for quote in found),
    )


def _labelled(topics: Topics, topic: int, supervision: Supervision) -> int:
    """How many documents have the topic's label: its own, or the one it is named after."""
    return supervision.counts().get(topics.keys[topic], 0)


def _citation(quote: Quote, corpus: Corpus) -> Citation:
    return Citation(
        text=quote.text,
        cut_before=quote.cut_before,
        cut_after=quote.cut_after,
        document=corpus.ids[quote.position],
        when=day(corpus.dates[quote.position]),
        share=quote.share,
    )


def _by_class(inputs: ReportInput) -> tuple[ReportTable, ...]:
    corpus, tables = inputs.corpus, []
    for column, values in corpus.side.items():
        if 2 <= len({value for value in values if value}) <= MAX_CLASSES:
            tables.append(_class_table(column, summaries.by_class(inputs.topics, values)))
    return tuple(tables)


def _class_table(column: str, table: pd.DataFrame) -> ReportTable:
    """Topics in rows, values in columns, so that the table is narrow enough to print."""
    shares = table.pivot(index="topic", columns="class", values="share")
    names = table.drop_duplicates("topic").set_index("topic")["name"]
    sizes = table.drop_duplicates("class").set_index("class")["of"]
    rows = tuple(
        (str(names[topic]), *(percent(share) for share in row))
        for topic, row in zip(shares.index, shares.to_numpy(), strict=True)
    )
    return ReportTable(
        title=f"Topics by {column}",
        note="Share of texts by main topic; the header gives the number of texts in each column.",
        header=("Topic", *(f"{value or '–'} (of {sizes[value]:,})" for value in shares.columns)),
        rows=rows,
    )


def _reproducibility(inputs: ReportInput) -> dict[str, str]:
    """What somebody needs to reproduce the topics, and to check that they did."""
    topics, spec, trace = inputs.topics, inputs.topics.spec, inputs.topics.trace
    settings = inputs.text.to_dict()
    return {
        "Data fingerprint": inputs.corpus.fingerprint,
        "Matrix fingerprint": topics.fingerprint or "not recorded",
        "Source": inputs.corpus.reading.source or "not recorded",
        "Texts × words × topics": " × ".join(
            f"{n:,}" for n in (len(inputs.corpus), len(topics.terms), len(topics))
        ),
        "Model": spec.model,
        "Model options": json.dumps(dict(spec.options), ensure_ascii=False, default=str)
        if spec.options
        else "all at their defaults",
        "Seed": str(spec.random_state),
        "Fit": f"{trace.n_iter} steps, {STOP_REASONS[trace.stopped]}, {trace.seconds:.2f} s",
        "Text settings": json.dumps(settings, ensure_ascii=False),
        "Versions": ", ".join(
            (
                f"Python {platform.python_version()}",
                *(f"{p} {_version(p)}" for p in REPORTED_PACKAGES),
            )
        ),
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed as a package"
