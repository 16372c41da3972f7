"""A comparison as safe HTML: scores with their spread, words side by side, documents apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from statistics import median

from core.corpus import Document
from core.evaluation.comparison import (
    SECONDS_SCORE,
    Comparison,
    ComparisonEntry,
    TopicWords,
)
from core.evaluation.scoring import SCORE_INFO
from core.insight.topic_titles import NO_WORDS
from core.store import Topic
from core.store.runs.comparisons import ComparisonSummary
from tsnmf_ui.pages.widgets import passages
from tsnmf_ui.theme import style, texts

SCORES_AGAINST_LABELS = ("jaccard", "first", "resolved", "f1_macro")
SCORES_OF_TOPICS = ("coherence", "diversity")
SAME_SEED = "agreement"
MIN_SIMILARITY = 0.1  # cosine below which a matched topic is no counterpart
PERCENT = "\u00a0%"


@dataclass(frozen=True)
class ComparisonView:
    """A comparison with the names and colours that its topics have today."""

    kept: ComparisonSummary
    found: Comparison
    named: Mapping[int, Topic]

    def topic(self, place: int, topic: int) -> tuple[str, str]:
        """Name and colour of a candidate's topic."""
        ids = self.kept.topic_ids[place] if place < len(self.kept.topic_ids) else ()
        known = self.named.get(ids[topic]) if topic < len(ids) else None
        if known is not None:
            return known.name, style.topic_colour(known.colour)
        return self.found.entries[place].topics[topic].name, style.FREE_COLOUR

    def chip(self, place: int, topic: int) -> str:
        return passages.topic_name(*self.topic(place, topic))


def measures(found: Comparison) -> list[str]:
    """The columns of the table, those that somebody has."""
    names = [*SCORES_AGAINST_LABELS, *SCORES_OF_TOPICS]
    kept = [name for name in names if any(entry.values(name) for entry in found.entries)]
    seeds = [SAME_SEED] if any(e.agreement is not None for e in found.entries) else []
    return [*kept, *seeds, SECONDS_SCORE]


def title(name: str) -> str:
    if name == SAME_SEED:
        return "Agreement across seeds"
    return "Time" if name == SECONDS_SCORE else SCORE_INFO[name].title


def explained(name: str) -> str:
    """What a column says, in a line."""
    if name == SAME_SEED:
        return (
            "Share of texts that keep their main topic with another seed; 100 % by construction "
            "where a model's start does not depend on the seed."
        )
    return "Seconds per fit." if name == SECONDS_SCORE else SCORE_INFO[name].sentence


def head(names: Sequence[str]) -> str:
    cells = "".join(
        f'<div title="{escape(explained(name))}">{escape(title(name))}</div>' for name in names
    )
    return f'<div class="ts-scores head" style="--n:{len(names)}"><div></div>{cells}</div>'


def row(entry: ComparisonEntry, names: Sequence[str], best: Mapping[str, float], of: int) -> str:
    """One model: means, and under them how far the seeds spread."""
    cells = "".join(_cell(entry, name, best.get(name), of) for name in names)
    settings = _settings(entry)
    return (
        f'<div class="ts-scores" style="--n:{len(names)}">'
        f"<div>{escape(entry.title)}<small>{escape(settings)}</small></div>{cells}</div>"
    )


def best_values(found: Comparison, names: Sequence[str]) -> dict[str, float]:
    """The best mean of each column where there is somebody to be better than.

    Not of agreement across seeds: a start without chance agrees with itself, and is no better.
    """
    best: dict[str, float] = {}
    for name in [each for each in names if each != SAME_SEED]:
        means = [value for entry in found.entries if (value := mean(entry, name)) is not None]
        if len(means) > 1 and max(means) > min(means):
            best[name] = min(means) if name == SECONDS_SCORE else max(means)
    return best


def mean(entry: ComparisonEntry, name: str) -> float | None:
    """The mean over seeds; of times the middle one, because the first fit may wake a sleeper."""
    if name == SECONDS_SCORE and (known := entry.values(name)):
        return median(known)
    return entry.agreement if name == SAME_SEED else entry.mean(name)


def _settings(entry: ComparisonEntry) -> str:
    if entry.run is not None:
        return "as it was fitted"
    return texts.count(entry.spec.n_topics or len(entry.topics), "topic")


def _cell(entry: ComparisonEntry, name: str, best: float | None, of: int) -> str:
    value = mean(entry, name)
    if value is None:
        return '<div class="ts-quiet">–</div>'
    known = [] if name == SAME_SEED else entry.values(name)
    below = f"of {of}" if name == "resolved" else _spread(known, name)
    mark = (
        ' class="best"' if best is not None and _number(value, name) == _number(best, name) else ""
    )
    number = f"<span{mark}>{_number(value, name)}</span>"
    return f"<div>{number}<small>{below or '&nbsp;'}</small></div>"


def _spread(known: Sequence[float], name: str) -> str:
    """From the worst seed to the best; nothing where they cannot be told apart."""
    if len(known) < 2 or name == SECONDS_SCORE:
        return ""
    low, high = _number(min(known), name), _number(max(known), name)
    if low == high:
        return ""
    return f"{low} to {high}" if min(known) < 0 else f"{low.removesuffix(PERCENT)}–{high}"


def _number(value: float, name: str) -> str:
    if name == SECONDS_SCORE:
        return texts.seconds(value)
    if name == "resolved":
        return f"{value:.0f}" if float(value).is_integer() else f"{value:.1f}"
    if name in ("first", SAME_SEED) or (name in SCORE_INFO and SCORE_INFO[name].kind == "share"):
        return texts.percent(value)
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "−")


def side_by_side(shown: ComparisonView, reference: int) -> str:
    """The reference's topics, one row each, with the words of their counterparts."""
    found = shown.found
    order = [reference, *(i for i in range(len(found.entries)) if i != reference)]
    heads = "".join(f"<th>{escape(found.entries[i].title)}</th>" for i in order)
    partners = {i: found.partners(reference, i) for i in order[1:]}
    rows = "".join(
        _topic_row(shown, reference, topic, partners)
        for topic in range(len(found.entries[reference].topics))
    )
    rest = _leftover(shown, order, partners)
    return (
        f'<div class="ts-side" tabindex="0" style="--n:{len(order)}">'
        f"<table><thead><tr><th>Topic</th>{heads}"
        f"</tr></thead><tbody>{rows}{rest}</tbody></table></div>"
    )


def _topic_row(
    shown: ComparisonView,
    reference: int,
    topic: int,
    partners: Mapping[int, dict[int, tuple[int, float]]],
) -> str:
    mine = shown.found.entries[reference].topics[topic]
    known = {term for term, _ in mine.words}
    cells = f"<td>{_words(mine, known)}</td>"
    for place, pairs in partners.items():
        other, cosine = pairs.get(topic, (-1, 0.0))
        if other < 0 or cosine < MIN_SIMILARITY:
            cells += "<td><s>no counterpart</s></td>"
            continue
        other_topic = f"<small>{shown.chip(place, other)} · {texts.percent(cosine)} similar</small>"
        cells += f"<td>{_words(shown.found.entries[place].topics[other], known)}{other_topic}</td>"
    share = f"<small>{texts.percent(mine.share, 1)} of the corpus</small>"
    return f"<tr><td>{shown.chip(reference, topic)}{share}</td>{cells}</tr>"


def _words(topic: TopicWords, known: set[str]) -> str:
    """Words that the reference has too in ink, the others in colour."""
    parts = [escape(t) if t in known else f"<i>{escape(t)}</i>" for t, _ in topic.words[:10]]
    return ", ".join(parts) or f"<s>{NO_WORDS}</s>"


def _leftover(
    shown: ComparisonView,
    order: Sequence[int],
    partners: Mapping[int, dict[int, tuple[int, float]]],
) -> str:
    """Topics of the other models that nothing in the reference stands for."""
    lists: list[list[str]] = []
    for place in order[1:]:
        taken = {other for other, cosine in partners[place].values() if cosine >= MIN_SIMILARITY}
        lists.append(
            [
                f"{shown.chip(place, k)}<br>{_words(topic, set())}"
                for k, topic in enumerate(shown.found.entries[place].topics)
                if k not in taken and topic.words
            ]
        )
    if not any(lists):
        return ""
    cells = "".join(f"<td>{'<br><br>'.join(each) or '<s>none</s>'}</td>" for each in lists)
    return f"<tr><td>Only in the other models</td><td></td>{cells}</tr>"


def documents(
    shown: ComparisonView,
    rows: Sequence[tuple[int, float, Document]],
    date_writer: passages.DateWriter,
) -> str:
    """Texts that the models read differently, and what each says."""
    if not rows:
        return '<p class="ts-quiet">They agree on every text.</p>'
    return "".join(
        _document(shown, position, apart, text, date_writer(text)) for position, apart, text in rows
    )


def _document(
    shown: ComparisonView, position: int, apart: float, document: Document, written: str
) -> str:
    mains = shown.found.mains.get(position, ())
    readings = "".join(
        f"<span><b>{escape(shown.found.entries[place].title)}</b> {shown.chip(place, topic)} "
        f"{texts.percent(share)}</span>"
        for place, (topic, share) in enumerate(mains)
    )
    day = f"<span>{written}</span>" if written else ""
    name, text = passages.document_id(document), escape(passages.beginning(document.text))
    return (
        f'<div class="ts-doc-row"><div class="ts-quiet"><span>{name}</span>{day}'
        f"<span>{texts.percent(apart)} different</span></div>"
        f'<div class="ts-text">{text}</div><div class="ts-readings">{readings}</div></div>'
    )


def refused(sentences: Sequence[str]) -> str:
    """Why nothing was started."""
    return f'<div class="ts-refused">{"".join(f"<p>{escape(s)}</p>" for s in sentences)}</div>'
