"""From topics, labels and scores to a Report: what it contains and how it is worded."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

import pandas as pd

from core.corpus import Corpus
from core.errors import ReportError
from core.evaluation.metrics.matching import Matching
from core.insight import summaries
from core.insight.quotes import Quote, Span
from core.report.description import Citation, Figure, Report, ReportTable, TopicSection
from core.report.formatting import day
from core.report.people import People
from core.supervision import Supervision
from core.text import Analyzer, TextSettings
from core.topics import Topics
from core.values import percent

Spans = Callable[[str], Iterable[Span]]

DEFAULT_COLOUR = "#6B7280"
LABELS_ARE_HINTS = (
    "this model does not treat labels as rules; topics are named after the labels they match"
)
MAX_CLASSES = 12  # a side column with more values is not tabulated
REPORTED_PACKAGES = ("tsnmf-studio", "numpy", "scipy", "scikit-learn", "numba", "pandas")
STOP_REASONS = {"converged": "converged", "max_iter": "limit of steps", "cancelled": "cancelled"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportInput:
    """Everything a report is made from."""

    topics: Topics
    corpus: Corpus
    supervision: Supervision
    text: TextSettings = field(default_factory=TextSettings)
    matching: Matching | None = None
    matched_with: str = ""  # a sentence: whose labels the matching used, on which documents
    people: People = field(default_factory=People)
    colours: Sequence[str] = ()


def build_report(
    inputs: ReportInput,
    *,
    title: str,
    summary: str | None = None,
    figures: Sequence[Figure] = (),
    made: datetime | None = None,
) -> Report:
    """Gather everything; without a ``summary`` the report writes its own."""
    if not len(inputs.topics):
        raise ReportError("There are no topics to report yet.")
    sizes = summaries.topic_sizes(inputs.topics)
    text = default_summary(inputs) if summary is None else summary
    return Report(
        title=title.strip() or "Topics",
        summary=tuple(part.strip() for part in text.split("\n\n") if part.strip()),
        made=made or datetime.now(UTC),
        n_documents=len(inputs.corpus),
        n_read=int(sizes["of"].iloc[0]),
        topics=_sections(inputs, sizes),
        scores=_scores(inputs.matching),
        score_sentence=score_sentence(inputs.matching, inputs.matched_with),
        resolved=_resolved(inputs.matching),
        tables=_by_class(inputs),
        people=inputs.people,
        adherence=_adherence(inputs),
        figures=tuple(figures),
        reproducibility=_reproducibility(inputs),
    )


def default_summary(inputs: ReportInput) -> str:
    """A generated summary: the largest topics, the labels, the scores."""
    scores = score_sentence(inputs.matching)
    return f"{_sizes_in_words(inputs)}\n\n{_labels_in_words(inputs)} {scores}".strip()


def _sizes_in_words(inputs: ReportInput) -> str:
    """Named topics first: numbers mean nothing to a reader."""
    topics, n_documents = inputs.topics, len(inputs.corpus)
    sizes = summaries.topic_sizes(topics)
    named = sizes[: topics.n_supervised] if topics.n_supervised else sizes
    largest = named[named["share"] > 0].sort_values("share", ascending=False, kind="stable")[:3]
    if largest.empty:
        return f"This report describes {n_documents:,} texts; there are no topics in them yet."
    parts = zip(largest["name"], largest["share"], strict=True)
    listed = _listed([f"{name} ({percent(share)})" for name, share in parts])
    sentence = (
        f"This report describes {len(topics)} topics in {n_documents:,} texts. Counting each "
        f"text by its main topic, the largest are {listed} of {int(sizes['of'].iloc[0]):,}."
    )
    in_free_topics = (
        float(sizes["share"][topics.n_supervised :].sum()) if topics.n_supervised else 0.0
    )
    if not in_free_topics:
        return sentence
    return f"{sentence} {percent(in_free_topics)} belong to free topics, which nobody has named."


def _labels_in_words(inputs: ReportInput) -> str:
    people = inputs.people
    if not people.n_labelled:
        return "Nobody has labelled a text; all topics are free."
    authors = len(people.authors)
    by_whom = f" by {authors} people" if authors > 1 else ""
    noun = "text was" if people.n_labelled == 1 else "texts were"
    labelled = f"{people.n_labelled:,} {noun} labelled{by_whom}"
    adherence = _adherence(inputs)
    if adherence is None:
        return f"{labelled}; {LABELS_ARE_HINTS}."
    if adherence < 1:
        return (
            f"{labelled}; {percent(1 - adherence)} of them have topics that their labels rule out."
        )
    return f"{labelled}; this model treats labels as rules."


def _adherence(inputs: ReportInput) -> float | None:
    """The share of labelled texts with permitted topics only; None if labels are no rules."""
    if not inputs.topics.spec.labels_own_topics:
        return None
    return summaries.adherence(inputs.topics, inputs.supervision)


def score_sentence(matching: Matching | None, matched_with: str = "") -> str:
    """The scores in one sentence; empty if nothing could be compared."""
    if matching is None or not matching.n_labels:
        return ""
    sentence = (
        f"{matching.n_resolved} of {matching.n_labels} labels match a topic of their own; the mean "
        f"weighted Jaccard is {matching.mean_jaccard:.2f} over {matching.n_documents:,} texts."
    )
    return f"{sentence} {matched_with}".strip()


def _resolved(matching: Matching | None) -> str:
    if matching is None or not matching.n_labels:
        return ""
    return f"{matching.n_resolved} of {matching.n_labels}"


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


def _scores(matching: Matching | None) -> ReportTable | None:
    if matching is None or not matching.n_labels:
        return None
    judged = matching.table[matching.table["documents"] > 0]
    judged = judged.sort_values("jaccard", ascending=False, kind="stable")
    columns = (judged["label"], judged["topic_name"], judged["jaccard"], judged["documents"])
    rows = tuple(
        (str(label), str(topic) or "no topic", f"{jaccard:.2f}", f"{documents:,}")
        for label, topic, jaccard, documents in zip(*columns, strict=True)
    )
    return ReportTable(
        title="Labels and the topics they were matched with",
        note="Weighted Jaccard: 0 means no texts in common, 1 the same texts in the same "
        "shares. Labels and topics are paired one to one so that the sum is largest. A label above "
        "0.1 counts as resolved.",
        header=("Label", "Topic", "Weighted Jaccard", "Texts with the label"),
        rows=rows,
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


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
