"""Print and ours side by side: values with mean and spread over trials, and statements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

NOT_PRINTED = "–"


@dataclass(frozen=True)
class PaperRow:
    """One number of a paper and ours, a value for each trial."""

    what: str
    printed: float | None
    ours: tuple[float, ...]

    @property
    def mean(self) -> float:
        return float(np.mean(self.ours)) if self.ours else math.nan

    @property
    def spread(self) -> float:
        """Standard deviation over the trials; nan for fewer than two."""
        return float(np.std(self.ours, ddof=1)) if len(self.ours) > 1 else math.nan

    @property
    def difference(self) -> float | None:
        """Ours less print."""
        return None if self.printed is None or not self.ours else self.mean - self.printed

    def to_dict(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "print": self.printed,
            "mean": _plain(self.mean),
            "standard_deviation": _plain(self.spread),
            "trials": len(self.ours),
            "difference": self.difference,
        }


@dataclass(frozen=True)
class PaperStatement:
    """A sentence of a paper, what we measured, and whether that bears it out."""

    printed: str
    ours: str
    holds: bool

    def to_dict(self) -> dict[str, Any]:
        return {"print": self.printed, "ours": self.ours, "holds": bool(self.holds)}


@dataclass(frozen=True)
class PaperWords:
    """What a topic or a node is about, in words: something to read, not to compare."""

    what: str
    words: Sequence[str]

    def to_dict(self) -> dict[str, Any]:
        return {"what": self.what, "words": list(self.words)}


@dataclass(frozen=True)
class PaperTable:
    """A table of values, of statements, of words, with what a reader has to know."""

    title: str
    rows: Sequence[PaperRow] = ()
    statements: Sequence[PaperStatement] = ()
    decimals: int = 3
    notes: Sequence[str] = ()
    words: Sequence[PaperWords] = ()

    def to_dict(self) -> dict[str, Any]:
        words = {"words": [each.to_dict() for each in self.words]} if self.words else {}
        return {
            "title": self.title,
            "rows": [row.to_dict() for row in self.rows],
            "statements": [statement.to_dict() for statement in self.statements],
            "notes": list(self.notes),
        } | words

    def markdown(self) -> str:
        parts = [f"## {self.title}"]
        if self.rows:
            head = "| | print | ours | trials | difference |\n|---|---|---|---|---|"
            parts.append("\n".join([head, *map(self._line, self.rows)]))
        if self.statements:
            head = "| print says | ours | holds |\n|---|---|---|"
            lines = [f"| {s.printed} | {s.ours} | {_yes(s.holds)} |" for s in self.statements]
            parts.append("\n".join([head, *lines]))
        if self.words:
            lines = [f"| {each.what} | {', '.join(each.words)} |" for each in self.words]
            parts.append("\n".join(["| | words |\n|---|---|", *lines]))
        return "\n\n".join([*parts, *self.notes])

    def _line(self, row: PaperRow) -> str:
        printed = NOT_PRINTED if row.printed is None else self._number(row.printed)
        difference = row.difference
        apart = NOT_PRINTED if difference is None else f"{difference:+.{self.decimals}f}"
        return f"| {row.what} | {printed} | {self._ours(row)} | {len(row.ours)} | {apart} |"

    def _ours(self, row: PaperRow) -> str:
        if not row.ours:
            return "not run"
        spread = "" if math.isnan(row.spread) else f" ± {self._number(row.spread)}"
        return self._number(row.mean) + spread

    def _number(self, value: float) -> str:
        return f"{value:,.{self.decimals}f}"


def _yes(holds: bool) -> str:
    return "yes" if holds else "**no**"


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value
