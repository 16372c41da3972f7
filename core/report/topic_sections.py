"""The topics of a report: in the analyst's order, with words, quotes, size and trend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from core.evaluation.metrics.intervals import wilson
from core.insight import summaries
from core.insight.document_facts import days_of
from core.insight.quotes import Quote, Span
from core.insight.similarity import word_similarity
from core.insight.trends import best_period
from core.report.description import (
    Citation,
    Report,
    ReportHighlight,
    TopicGroup,
    TopicSection,
    TrendPoint,
)
from core.report.highlights import highlights_by_topic
from core.report.inputs import ReportInput
from core.report.masking import Masker
from core.report.privacy import MIN_GROUP, PersonNames
from core.text import Analyzer
from core.values import DatePrecision, date_precision, written_date

DEFAULT_COLOUR = "#6B7280"
QUOTES_PER_TOPIC = 3
QUOTES_OF_MANY = 1  # of each topic, where there are very many
QUOTE_CANDIDATES = 12  # texts looked at for three quotes
KEYWORDS_SHOWN = 10
KEYWORDS_READ = 20  # of which some may hold personal data and are left out
TOPICS_PER_GROUP = 12  # about so many topics are shown together, where there are very many

Spans = Callable[[str], Iterable[Span]]


@dataclass(frozen=True, kw_only=True)
class _Context:
    """What every section is made from, computed once."""

    inputs: ReportInput
    sizes: pd.DataFrame
    low: np.ndarray
    high: np.ndarray
    trends: dict[int, tuple[TrendPoint, ...]]
    spans: Spans
    masker: Masker
    n_quotes: int
    highlights: dict[str, tuple[ReportHighlight, ...]]
    precision: DatePrecision


def topic_sections(
    inputs: ReportInput, masker: Masker, names: PersonNames, *, many: bool
) -> tuple[tuple[int, ...], tuple[TopicSection, ...]]:
    """The columns that are shown, in order, and their sections."""
    sizes = summaries.topic_sizes(inputs.topics)
    low, high = wilson(sizes["documents"].to_numpy(), sizes["of"].to_numpy())
    context = _Context(
        inputs=inputs,
        sizes=sizes,
        low=low,
        high=high,
        trends=_trends(inputs),
        spans=Analyzer(inputs.text).spans,
        masker=masker,
        n_quotes=QUOTES_OF_MANY if many else QUOTES_PER_TOPIC,
        highlights=highlights_by_topic(inputs, masker, names),
        precision=date_precision(days_of(inputs.corpus.dates)),
    )
    columns = ordered_columns(inputs, sizes)
    return columns, tuple(_section(context, column) for column in columns)


def ordered_columns(inputs: ReportInput, sizes: pd.DataFrame) -> tuple[int, ...]:
    """The topics that are shown: the analyst's order first, then the largest."""
    arrangement, keys = inputs.arrangement, [str(key) for key in inputs.topics.keys]
    place = {key: at for at, key in enumerate(arrangement.order)}
    size = sizes["share"].to_numpy()
    return tuple(
        sorted(inputs.shown_columns, key=lambda k: (place.get(keys[k], len(place)), -size[k], k))
    )


def _section(context: _Context, topic: int) -> TopicSection:
    inputs, topics, size = context.inputs, context.inputs.topics, context.sizes.iloc[topic]
    key = str(topics.keys[topic])
    words = topics.top_terms(topic, KEYWORDS_READ)
    kept = [word for word in words if context.masker.leaves(word.term)]
    return TopicSection(
        key=key,
        name=topics.names[topic],
        colour=inputs.colours[topic] if topic < len(inputs.colours) else DEFAULT_COLOUR,
        named=topic < topics.n_supervised,
        share=float(size["share"]),
        low=float(context.low[topic]),
        high=float(context.high[topic]),
        documents=int(size["documents"]),
        of=int(size["of"]),
        labelled=inputs.supervision.counts().get(topics.keys[topic], 0),
        keywords=tuple(kept[:KEYWORDS_SHOWN]),
        quotes=_citations(context, topic, key),
        comment=context.masker.mask(inputs.arrangement.comments.get(key, "")),
        trend=context.trends.get(topic, ()),
        highlights=context.highlights.get(key, ()),
    )


def _citations(context: _Context, topic: int, key: str) -> tuple[Citation, ...]:
    privacy = context.inputs.privacy
    if privacy.quotes == "withheld":
        return ()
    if privacy.quotes == "chosen":
        chosen = context.inputs.arrangement.chosen.get(key, ())
        found = passages(context.inputs, topic, context.spans, positions=chosen, n=len(chosen))
    else:
        found = passages(context.inputs, topic, context.spans, n=context.n_quotes)
    return tuple(_citation(context, quote) for quote in found)


def passages(
    inputs: ReportInput,
    topic: int,
    spans: Spans,
    *,
    positions: Sequence[int] | None = None,
    n: int = QUOTES_PER_TOPIC,
) -> list[Quote]:
    """Passages that speak for a topic: of the texts named, or of those with most of it."""
    shares = inputs.topics.shares()
    if positions is None:
        candidates = summaries.top_documents(inputs.topics, topic, n=QUOTE_CANDIDATES)
    else:
        known = [at for at in positions if at < len(inputs.corpus)]
        candidates = [(at, float(shares[at, topic])) for at in known]
    return summaries.quotes(
        inputs.topics, topic, inputs.corpus.texts, spans, candidates=candidates, n=n
    )


def _citation(context: _Context, quote: Quote) -> Citation:
    corpus = context.inputs.corpus
    shown = context.inputs.privacy.shows_ids
    return Citation(
        text=context.masker.mask(quote.text),
        cut_before=quote.cut_before,
        cut_after=quote.cut_after,
        document=context.masker.mask(corpus.ids[quote.position]) if shown else "",
        when=written_date(corpus.dates[quote.position], context.precision),
        share=quote.share,
    )


def _trends(inputs: ReportInput) -> dict[int, tuple[TrendPoint, ...]]:
    """Each topic by period; nothing where texts have no dates.

    A period with hardly any texts is a gap, whoever reads it: of two texts one is half, and all
    charts would be drawn to that scale.
    """
    period = best_period(inputs.corpus.dates)
    if period is None:
        return {}
    table = summaries.over_time(inputs.topics, inputs.corpus.dates, period)
    usual = table.groupby("start")["of"].first().mean()
    least = max(inputs.privacy.smallest_group, min(MIN_GROUP, usual / 10))
    found: dict[int, tuple[TrendPoint, ...]] = {}
    for topic, rows in table.groupby("topic", sort=False):
        cells = zip(rows["start"], rows["share"], rows["documents"], rows["of"], strict=True)
        found[int(str(topic))] = tuple(
            TrendPoint(str(start), float(share), int(n), int(of))
            if of >= least
            else TrendPoint(str(start), None, 0, 0)
            for start, share, n, of in cells
        )
    return found


def group_topics(
    inputs: ReportInput, columns: Sequence[int], sections: Sequence[TopicSection]
) -> tuple[TopicGroup, ...]:
    """Topics with similar words together, the largest group first; each is called by its largest
    topics."""
    similarity = word_similarity(inputs.topics)[np.ix_(columns, columns)]
    distance = np.clip(1.0 - (similarity + similarity.T) / 2, 0.0, 1.0)
    np.fill_diagonal(distance, 0.0)
    n_groups = max(2, round(len(columns) / TOPICS_PER_GROUP))
    tree = linkage(squareform(distance, checks=False), method="ward")
    numbers = fcluster(tree, n_groups, criterion="maxclust")
    groups = [
        _group(sections, [int(i) for i in np.flatnonzero(numbers == g)])
        for g in sorted(set(numbers.tolist()))
    ]
    return tuple(sorted(groups, key=lambda group: -group.share))


def _group(sections: Sequence[TopicSection], places: list[int]) -> TopicGroup:
    largest = sorted(places, key=lambda place: -sections[place].share)
    names = ", ".join(sections[place].name for place in largest[:3])
    more = len(places) - 3
    return TopicGroup(
        title=f"{names} and {more:,} more" if more > 0 else names,
        share=sum(sections[place].share for place in places),
        documents=sum(sections[place].documents for place in places),
        topics=tuple(largest),
    )


def trend_table(report: Report) -> pd.DataFrame:
    """The trends of a report as a table like that of ``core.insight.trends.over_time``; ``topic``
    is a topic's place in the report."""
    rows = [
        (point.start, place, topic.name, point.share, point.documents, point.of)
        for place, topic in enumerate(report.topics)
        for point in topic.trend
    ]
    columns = ["start", "topic", "name", "share", "documents", "of"]
    table = pd.DataFrame(rows, columns=columns).astype({"share": float})
    low, high = wilson(table["documents"].to_numpy(), table["of"].to_numpy())
    return table.assign(low=low, high=high, start=pd.to_datetime(table["start"]))
