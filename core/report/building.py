"""From results to a Report: what is worth telling, in which words."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

import pandas as pd

from core import summaries
from core.corpus import Corpus
from core.errors import ReportError
from core.metrics.matching import Matching
from core.quotes import Quote, Span
from core.report.description import Citation, Figure, Report, Table, TopicSection
from core.report.people import People
from core.report.wording import day, percent
from core.supervision import Supervision
from core.text import Analyzer, TextSettings
from core.topics import Topics

Spans = Callable[[str], Iterable[Span]]

PLAIN = "#6B7280"
NO_RULES = "to this model labels are not binding, and topics bear the names of labels they match"
CLASSES = 12  # side columns with more values than this would be a list, not a comparison
PACKAGES = ("tsnmf-studio", "numpy", "scipy", "scikit-learn", "numba", "pandas")
STOPPED = {"converged": "converged", "max_iter": "limit of steps", "cancelled": "cancelled"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Everything a report is made from."""

    topics: Topics
    corpus: Corpus
    supervision: Supervision
    text: TextSettings = field(default_factory=TextSettings)
    matching: Matching | None = None
    matched_with: str = ""  # whose labels the matching used, and on which documents: a sentence
    people: People = field(default_factory=People)
    colours: Sequence[str] = ()


def build_report(
    material: Material,
    *,
    title: str,
    summary: str | None = None,
    figures: Sequence[Figure] = (),
    made: datetime | None = None,
) -> Report:
    """Gather everything; without a ``summary`` the report writes its own."""
    if not len(material.topics):
        raise ReportError("There are no topics to report yet.")
    sizes = summaries.topic_sizes(material.topics)
    text = default_summary(material) if summary is None else summary
    return Report(
        title=title.strip() or "Topics",
        summary=tuple(part.strip() for part in text.split("\n\n") if part.strip()),
        made=made or datetime.now(UTC),
        n_documents=len(material.corpus),
        n_read=int(sizes["of"].iloc[0]),
        topics=_sections(material, sizes),
        scores=_scores(material.matching),
        score_sentence=score_sentence(material.matching, material.matched_with),
        resolved=_resolved(material.matching),
        tables=_by_class(material),
        people=material.people,
        adherence=_adherence(material),
        figures=tuple(figures),
        reproducibility=_reproducibility(material),
    )


def default_summary(material: Material) -> str:
    """A summary nobody has to write: the largest topics, the labels, how far to trust it."""
    scores = score_sentence(material.matching)
    return f"{_sizes_in_words(material)}\n\n{_labels_in_words(material)} {scores}".strip()


def _sizes_in_words(material: Material) -> str:
    """Named topics first of all: a reader can make nothing of a number."""
    topics, n_documents = material.topics, len(material.corpus)
    sizes = summaries.topic_sizes(topics)
    named = sizes[: topics.n_supervised] if topics.n_supervised else sizes
    largest = named[named["share"] > 0].sort_values("share", ascending=False, kind="stable")[:3]
    if largest.empty:
        return f"This report describes {n_documents:,} texts; no topic was found in them yet."
    parts = zip(largest["name"], largest["share"], strict=True)
    listed = _listed([f"{name} ({percent(share)})" for name, share in parts])
    sentence = (
        f"This report describes {len(topics)} topics in {n_documents:,} texts. Counting each "
        f"text by its main topic, the largest are {listed} of {int(sizes['of'].iloc[0]):,}."
    )
    found = float(sizes["share"][topics.n_supervised :].sum()) if topics.n_supervised else 0.0
    if not found:
        return sentence
    return f"{sentence} {percent(found)} belong to topics that the model found and nobody named."


def _labels_in_words(material: Material) -> str:
    people = material.people
    if not people.n_labelled:
        return "Nobody has labelled a text; the topics are the model's own."
    authors = len(people.authors)
    by_whom = f" by {authors} people" if authors > 1 else ""
    noun = "text was" if people.n_labelled == 1 else "texts were"
    said = f"{people.n_labelled:,} {noun} labelled{by_whom}"
    held = _adherence(material)
    if held is None:
        return f"{said}; {NO_RULES}."
    return f"{said}; the model keeps {percent(held)} of the labels to the letter."


def _adherence(material: Material) -> float | None:
    """How far the labels are kept; None for a model that does not take them as rules."""
    if not material.topics.spec.obeys:
        return None
    return summaries.adherence(material.topics, material.supervision)


def score_sentence(matching: Matching | None, matched_with: str = "") -> str:
    """How good, in one sentence; empty when nothing could be compared."""
    if matching is None or not matching.n_labels:
        return ""
    sentence = (
        f"{matching.n_resolved} of {matching.n_labels} labels found a topic of their own; the mean "
        f"weighted Jaccard is {matching.mean_jaccard:.2f} over {matching.n_documents:,} texts."
    )
    return f"{sentence} {matched_with}".strip()


def _resolved(matching: Matching | None) -> str:
    if matching is None or not matching.n_labels:
        return ""
    return f"{matching.n_resolved} of {matching.n_labels}"


def _sections(material: Material, sizes: pd.DataFrame) -> tuple[TopicSection, ...]:
    """Largest topic first."""
    order = sizes.sort_values("share", ascending=False, kind="stable")["topic"]
    spans = Analyzer(material.text).spans
    return tuple(_section(material, int(topic), sizes.iloc[int(topic)], spans) for topic in order)


def _section(material: Material, topic: int, size: pd.Series, spans: Spans) -> TopicSection:
    topics = material.topics
    candidates = summaries.top_documents(topics, topic, n=12)
    found = summaries.quotes(
        topics,
        topic,
        material.corpus.texts,
        spans,
        candidates=candidates,
    )
    return TopicSection(
        name=topics.names[topic],
        colour=material.colours[topic] if topic < len(material.colours) else PLAIN,
        named=topic < topics.n_supervised,
        share=float(size["share"]),
        documents=int(size["documents"]),
        of=int(size["of"]),
        labelled=_labelled(topics, topic, material.supervision),
        keywords=tuple(topics.top_terms(topic, 10)),
        quotes=tuple(_citation(quote, material.corpus) for quote in found),
    )


def _labelled(topics: Topics, topic: int, supervision: Supervision) -> int:
    """How many documents carry the topic's label: its own, or else the one it is named after."""
    place = topic if topics.spec.obeys else _place(supervision.names, topics.names[topic])
    return 0 if place >= supervision.n_labels else int(supervision.indicator()[:, [place]].sum())


def _place(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else len(names)


def _citation(quote: Quote, corpus: Corpus) -> Citation:
    return Citation(
        text=quote.text,
        cut_before=quote.cut_before,
        cut_after=quote.cut_after,
        document=corpus.ids[quote.position],
        when=day(corpus.dates[quote.position]),
        share=quote.share,
    )


def _scores(matching: Matching | None) -> Table | None:
    if matching is None or not matching.n_labels:
        return None
    judged = matching.table[matching.table["documents"] > 0]
    judged = judged.sort_values("jaccard", ascending=False, kind="stable")
    columns = (judged["label"], judged["topic_name"], judged["jaccard"], judged["documents"])
    rows = tuple(
        (str(label), str(topic) or "no topic", f"{jaccard:.2f}", f"{documents:,}")
        for label, topic, jaccard, documents in zip(*columns, strict=True)
    )
    return Table(
        title="Labels and the topics they were matched with",
        note="Weighted Jaccard: 0 means no text in common, 1 the same texts in the same "
        "shares. Pairs are one to one, chosen so that their sum is largest. Above 0.1 a label "
        "counts as resolved.",
        header=("Label", "Topic", "Weighted Jaccard", "Texts with the label"),
        rows=rows,
    )


def _by_class(material: Material) -> tuple[Table, ...]:
    corpus, tables = material.corpus, []
    for column, values in corpus.side.items():
        if 2 <= len({value for value in values if value}) <= CLASSES:
            tables.append(_class_table(column, summaries.by_class(material.topics, values)))
    return tuple(tables)


def _class_table(column: str, table: pd.DataFrame) -> Table:
    """Topics down, values across, so that the table stays narrow enough to print."""
    shares = table.pivot(index="topic", columns="class", values="share")
    names = table.drop_duplicates("topic").set_index("topic")["name"]
    sizes = table.drop_duplicates("class").set_index("class")["of"]
    rows = tuple(
        (str(names[topic]), *(percent(share) for share in row))
        for topic, row in zip(shares.index, shares.to_numpy(), strict=True)
    )
    return Table(
        title=f"Topics by {column}",
        note="Share of texts by main topic, out of the number of texts above each column.",
        header=("Topic", *(f"{value or '–'} (of {sizes[value]:,})" for value in shares.columns)),
        rows=rows,
    )


def _reproducibility(material: Material) -> dict[str, str]:
    """What somebody needs to make the same topics again, and to know that they did."""
    topics, spec, trace = material.topics, material.topics.spec, material.topics.trace
    settings = material.text.to_dict()
    return {
        "Data fingerprint": material.corpus.fingerprint,
        "Matrix fingerprint": topics.fingerprint or "not recorded",
        "Source": material.corpus.reading.source or "not recorded",
        "Texts × words × topics": " × ".join(
            f"{n:,}" for n in (len(material.corpus), len(topics.terms), len(topics))
        ),
        "Model": spec.model,
        "Model options": json.dumps(dict(spec.options), ensure_ascii=False, default=str)
        if spec.options
        else "all at their defaults",
        "Seed": str(spec.random_state),
        "Fit": f"{trace.n_iter} steps, {STOPPED[trace.stopped]}, {trace.seconds:.2f} s",
        "Text settings": json.dumps(settings, ensure_ascii=False),
        "Versions": ", ".join(
            (f"Python {platform.python_version()}", *(f"{p} {_version(p)}" for p in PACKAGES))
        ),
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed as a package"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
