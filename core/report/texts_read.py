"""Which texts a report is about: what was read, left out, repeated, undated or without a topic."""

from __future__ import annotations

from core.corpus import Corpus
from core.insight.shares import NO_TOPIC, main_topics
from core.supervision import Supervision
from core.topics import Topics
from core.values import count

Fact = tuple[str, str]


def texts_read(
    corpus: Corpus,
    topics: Topics,
    supervision: Supervision,
    *,
    near_copies: int | None = None,
    wordless: int | None = None,
    unread: int = 0,
) -> tuple[Fact, ...]:
    """Names and values, in order; what does not occur is left out.

    ``near_copies`` repeat another text but for a few words, exact copies included; ``wordless``
    texts hold none of the words that the model reads. None where that is not known. The last
    ``unread`` texts were added since the fit.
    """
    return (
        *_rows(corpus),
        *_copies(corpus, near_copies),
        *_without_topic(topics, supervision, wordless, unread),
        *_unread(unread),
        *_undated(corpus),
        *(("Note", note) for note in corpus.reading.notes),
    )


def _rows(corpus: Corpus) -> list[Fact]:
    reading = corpus.reading
    if not reading.rows_read:
        return [("Texts", f"{len(corpus):,}")]
    read = f"{len(corpus) - reading.added:,} of {count(reading.rows_read, 'row')}"
    if reading.added:
        read = f"{len(corpus):,}: {reading.added:,} added later, {read}"
    if not reading.dropped:
        return [("Texts", f"{read}; none was left out.")]
    reasons = ", ".join(f"{reason} ({n:,})" for reason, n in reading.reasons())
    return [("Texts", f"{read}."), ("Rows left out", f"{len(reading.dropped):,}: {reasons}.")]


def _copies(corpus: Corpus, near_copies: int | None) -> list[Fact]:
    exact, facts = len(corpus.reading.duplicates), []
    if exact:
        repeats = count(exact, "text repeats", "texts repeat")
        facts.append(("Copies", f"{repeats} an earlier one word for word. They are counted."))
    near = 0 if near_copies is None else near_copies - exact
    if near > 0:
        are = count(near, "text is", "texts are")
        facts.append(("Near-copies", f"{are} nearly the same as an earlier one. They are counted."))
    return facts


def without_topic(topics: Topics) -> int:
    """Texts in which the model found nothing."""
    return int((main_topics(topics) == NO_TOPIC).sum())


def _unread(n: int) -> list[Fact]:
    if not n:
        return []
    return [("Added since the fit", f"{count(n, 'text')}; topics are found by the next fit.")]


def _without_topic(
    topics: Topics, supervision: Supervision, wordless: int | None, unread: int
) -> list[Fact]:
    n = without_topic(topics) - unread
    if not n:
        return []
    read = slice(len(topics.doc_ids) - unread)
    topicless = main_topics(topics)[read] == NO_TOPIC
    nothing = int((supervision.nothing_fits[read] & topicless).sum())
    hold, are = count(wordless or 0, "holds", "hold"), count(nothing, "is", "are")
    parts = [
        *([f"{hold} none of the words that the model reads"] if wordless else []),
        *([f"{are} marked “nothing fits”"] if nothing else []),
    ]
    why = f" Of them, {' and '.join(parts)}." if parts else ""
    return [("Without a topic", f"{count(n, 'text')}; no percentage counts them.{why}")]


def _undated(corpus: Corpus) -> list[Fact]:
    n = sum(day is None for day in corpus.dates)
    if not n or n == len(corpus):
        return []
    return [("Without a date", f"{count(n, 'text')}; no chart over time counts them.")]
