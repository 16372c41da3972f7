"""Quotes: the passage of a document with most of a topic's words, verbatim.

A quote is a slice of the text and nothing else, so that it can be found again in the source.
Two flags say whether text is left out on either side; the caller draws the ellipses.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.topics import Topics

Span = tuple[int, int, str]  # start, end, term: what Analyzer.spans gives

# A sentence ends at its stop, closing quotes included, or at a line break. A row of stops is read
# once: tried anew from each of 30,000 stops, it would hold everybody for a minute.
SENTENCE = re.compile(r"[^\n]*?(?:(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s|$)|(?=\n)|$)")
HEAVIEST = 1 << 40  # a topic's heaviest word, where weights are whole numbers
MIN_NEIGHBOUR_WEIGHT = 0.35  # of the best sentence's weight, from which on a neighbour is added


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim passage: ``text`` is ``document[start:end]``."""

    position: int
    share: float
    text: str
    start: int
    end: int
    cut_before: bool
    cut_after: bool


def quotes(
    topics: Topics,
    topic: int,
    texts: Mapping[int, str] | Sequence[str],
    spans: Callable[[str], Iterable[Span]],
    *,
    candidates: Sequence[tuple[int, float]],
    n: int = 3,
    length: int = 240,
) -> list[Quote]:
    """The best passage of each candidate document, in their order; the same words only once."""
    weight = _term_weights(topics, topic)
    found: list[Quote] = []
    seen: set[str] = set()
    for position, share in candidates:
        text = texts[position]
        start, end = passage(text, sorted(spans(text)), weight, length)
        words = " ".join(text[start:end].lower().split())
        if not words or words in seen:
            continue
        seen.add(words)
        found.append(_quote(position, share, text, start, end))
        if len(found) == n:
            break
    return found


def passage(
    text: str, spans: Sequence[Span], weight: Mapping[str, float], length: int
) -> tuple[int, int]:
    """Start and end of the sentence, or two neighbours, that holds most of the topic's words.

    ``spans`` are in the order of the text.
    """
    parts = sentences(text)
    if not parts:
        return 0, 0
    scores = [_score(part, spans, weight) for part in parts]
    best = max(range(len(parts)), key=lambda i: (scores[i], -i))
    start, end = parts[best]
    if end - start > length:
        return _window(text, start, end, spans, weight, length)
    for neighbour in (best + 1, best - 1):
        if (
            not 0 <= neighbour < len(parts)
            or scores[neighbour] < MIN_NEIGHBOUR_WEIGHT * scores[best]
        ):
            continue
        low, high = min(start, parts[neighbour][0]), max(end, parts[neighbour][1])
        if high - low <= length:
            return low, high
    return start, end


def sentences(text: str) -> list[tuple[int, int]]:
    """Start and end of every sentence, without the white space around it."""
    found = []
    for match in SENTENCE.finditer(text):
        piece = match.group()
        if stripped := piece.strip():
            start = match.start() + len(piece) - len(piece.lstrip())
            found.append((start, start + len(stripped)))
    return found


def _term_weights(topics: Topics, topic: int) -> dict[str, float]:
    row = topics.topic_term[topic]
    return {topics.terms[j]: float(row[j]) for j in np.flatnonzero(row > 0)}


def _score(part: tuple[int, int], spans: Sequence[Span], weight: Mapping[str, float]) -> float:
    """Each of the topic's words counts once, so that a sentence cannot win by repeating one."""
    first = bisect_left(spans, part[0], key=_start)
    inside = spans[first : bisect_left(spans, part[1], key=_start)]
    return sum(
        weight.get(term, 0.0) for term in {term for _, end, term in inside if end <= part[1]}
    )


def _start(span: Span) -> int:
    return span[0]


def _window(
    text: str,
    low: int,
    high: int,
    spans: Sequence[Span],
    weight: Mapping[str, float],
    length: int,
) -> tuple[int, int]:
    """The heaviest stretch of at most ``length`` characters of a long sentence, at whole words."""
    lead = length // 5  # a few words before the first of the topic's words
    reach = length - lead
    starts = [low, *(start for start, _, _ in spans if low < start < high)]
    best = _heaviest_start(starts, high, spans, weight, reach)
    start = max(low, min(best - lead, high - length))
    end = min(start + length, high)
    if start > low and (gap := re.match(r"\S*\s+", text[start - 1 : best])):
        start += gap.end() - 1
    if end < high and (tail := re.search(r"\s\S*$", text[start : end + 1])):
        end = start + tail.start()
    return start, end


def _heaviest_start(
    starts: Sequence[int],
    high: int,
    spans: Sequence[Span],
    weight: Mapping[str, float],
    reach: int,
) -> int:
    """The first place behind which, as far as a quote reaches, the topic's words weigh most.

    Each word comes and goes once, so that a text of a megabyte without a stop is read in seconds.
    """
    whole = _whole_weights(weight)  # sums that do not depend on the order
    leaving = deque(span for span in spans if span[0] >= starts[0] and span[2] in whole)
    coming = deque(sorted(leaving, key=_end))
    inside, total, end, best = Counter[str](), 0, starts[0], (-1, starts[0])
    for at in starts:
        while leaving and leaving[0][0] < at:
            _, stop, term = leaving.popleft()
            inside[term] -= stop <= end
            total -= whole[term] * (stop <= end and not inside[term])
        end = min(at + reach, high)
        while coming and coming[0][1] <= end:
            start, _, term = coming.popleft()
            total += whole[term] * (start >= at and not inside[term])
            inside[term] += start >= at
        best = max(best, (total, at), key=lambda found: found[0])
    return best[1]


def _whole_weights(weight: Mapping[str, float]) -> dict[str, int]:
    """The weights as whole numbers, of the words that have any."""
    top = max(weight.values(), default=0.0)
    return {term: round(each / top * HEAVIEST) for term, each in weight.items() if each > 0}


def _end(span: Span) -> int:
    return span[1]


def _quote(position: int, share: float, text: str, start: int, end: int) -> Quote:
    return Quote(
        position=position,
        share=share,
        text=text[start:end],
        start=start,
        end=end,
        cut_before=bool(text[:start].strip()),
        cut_after=bool(text[end:].strip()),
    )
