"""What a search is made of, once it is understood."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """Words that follow one another in a document; ``open`` if the last is still being typed."""

    text: str
    open: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression that a document holds a match of."""

    text: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class NameFilter:
    """One of the filters that compare names: topic, label, not, author, id, is."""

    kind: str
    values: tuple[str, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class ColumnFilter:
    """Values of a column that was kept with the texts, by the name it has in a search."""

    column: str
    values: tuple[str, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class RangeFilter:
    """One of the filters that compare numbers: score (shares) or date (ordinals), ends included."""

    kind: str
    low: float
    high: float
    negated: bool = False


@dataclass(frozen=True, slots=True)
class LikeFilter:
    """Texts similar to a sentence, or to the text with an id; the most similar first."""

    sentence: str = ""
    document_id: str = ""


Part = Words | Pattern | NameFilter | ColumnFilter | RangeFilter | LikeFilter
