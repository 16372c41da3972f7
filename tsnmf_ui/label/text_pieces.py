"""A text in pieces that know their topic, whether they were searched for, and what they say why.

Offsets stay on this side: browsers count characters differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from core.insight import summaries
from core.search import find_matches
from core.store.coding.highlights import HighlightInForce
from core.text import analyzer_of
from tsnmf_ui.label import long_texts
from tsnmf_ui.label.snapshot import Fitted

MAX_CHARACTERS = 60_000  # characters of a document sent to the browser
MAX_COLOURED_CHARACTERS = 20_000  # characters looked at for words that drive topics
SEARCHED_WORD_WEIGHT = (
    2.0  # weight of a searched word when a text is folded; the strongest topic word is 1
)

Piece = tuple[str, str | None, float, bool, bool, str | None]
# text, topic it speaks for, how strongly, searched for, hidden when folded, topic it is why for


def pieces_of(
    text: str,
    fitted: Fitted,
    position: int,
    references: Sequence[str],
    search: str = "",
    why: Sequence[HighlightInForce] = (),
) -> list[Piece]:
    """The text cut at words that drive its topics, at searched words, highlights and folds.

    Joined again the pieces are the text.
    """
    shown = text[:MAX_CHARACTERS]
    marks: list[tuple[int, int, int, float]] = []
    if fitted.topics is not None:
        spans = analyzer_of(fitted.project.settings.text).spans(text[:MAX_COLOURED_CHARACTERS])
        marks = _without_overlap(sorted(summaries.highlights(spans, fitted.topics, position)))
    found = find_matches(shown[:MAX_COLOURED_CHARACTERS], search)
    weights = [(start, end, strength) for start, end, _, strength in marks]
    places = sorted(
        (*place, f"t{each.topics[0]}") for each in why if (place := each.place_in(shown))
    )
    kept = long_texts.passages(
        shown,
        weights
        + [(start, end, SEARCHED_WORD_WEIGHT) for start, end in found]
        + [(start, end, SEARCHED_WORD_WEIGHT) for start, end, _ in places],
    )
    return _cut_text(shown, marks, found, kept, references, _without_overlap(places))


Stretch = TypeVar("Stretch", bound=tuple[Any, ...])  # begins with where it starts and ends


def _without_overlap(marks: Iterable[Stretch]) -> list[Stretch]:
    """A phrase and its words overlap: the first one stands."""
    apart: list[Stretch] = []
    for mark in marks:
        if not apart or mark[0] >= apart[-1][1]:
            apart.append(mark)
    return apart


def _cut_text(
    text: str,
    marks: Sequence[tuple[int, int, int, float]],
    found: Sequence[tuple[int, int]],
    kept: Sequence[tuple[int, int]],
    references: Sequence[str],
    highlights: Sequence[tuple[int, int, str]] = (),
) -> list[Piece]:
    """Cut wherever anything begins or ends; each piece then is one thing throughout."""
    ends = {0, len(text)}
    underlined = ((start, end) for start, end, _ in highlights)
    for start, end in (*((mark[0], mark[1]) for mark in marks), *underlined, *found, *kept):
        ends |= {start, min(end, len(text))}
    edges = sorted(ends)
    at_mark, at_hit, at_fold = _SpanCursor(marks), _SpanCursor(found), _SpanCursor(kept)
    at_highlight = _SpanCursor(highlights)
    pieces: list[Piece] = []
    for start, end in pairwise(edges):
        mark, hit = at_mark.at(start), at_hit.at(start) is not None
        hidden, why = at_fold.at(start) is None, at_highlight.at(start)
        named, strength = (None, 0.0) if mark is None else (references[mark[2]], round(mark[3], 2))
        pieces.append((text[start:end], named, strength, hit, hidden, why and why[2]))
    return pieces


class _SpanCursor:
    """Goes along stretches that are sorted and apart."""

    def __init__(self, stretches: Sequence[Any]) -> None:
        self._left = list(reversed(stretches))

    def at(self, place: int) -> Any:
        """The stretch over a place; places must come in order."""
        while self._left and self._left[-1][1] <= place:
            self._left.pop()
        return self._left[-1] if self._left and self._left[-1][0] <= place else None
