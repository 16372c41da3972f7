"""The card of a model: what it was fitted to, how good it was found to be, and where it ends."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from core.errors import ModelError

MARKDOWN_SIGNS = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~&])")  # could mean something in Markdown
MODEL_LIMITS = (
    "It finds topics by the words it knows; a new text that uses other words gets no topic.",
    "Chances and scores hold for texts like those it was fitted to. Language, customers and "
    "matters change: label some new texts and score again before relying on it.",
    "The file holds words and weights, no text. The words of a label with one or two labelled "
    "texts show which words these texts hold, and the vocabulary holds names that several texts "
    "mention; share the file with those who may know them.",
)


@dataclass(frozen=True, slots=True)
class CardScore:
    """A score with its 95 % interval; None where there is none."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """What goes with a model wherever it is sent."""

    title: str = "Model"
    facts: tuple[tuple[str, str], ...] = ()  # about texts, model and making, in order
    labels: tuple[tuple[str, int], ...] = ()  # label, texts that carried it
    scores: tuple[CardScore, ...] = ()
    scored_on: str = ""  # on what, or why there is no score
    limits: tuple[str, ...] = MODEL_LIMITS

    def to_markdown(self) -> str:
        """The card as a page to read."""
        lines = [f"# {_plain(self.title)}", ""]
        lines += _table(("", ""), self.facts)
        lines += ["## Labels", "", *_labels(self.labels)]
        lines += ["## Scores", "", *([_plain(self.scored_on), ""] if self.scored_on else [])]
        if self.scores:
            rows = [(each.name, f"{each.value:.3f}", _interval(each)) for each in self.scores]
            lines += _table(("score", "value", "95 % interval"), rows)
        lines += ["## Limits", "", *(f"- {_plain(limit)}" for limit in self.limits), ""]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Any) -> ModelCard:
        """What ``to_dict`` wrote; ModelError for anything else."""
        try:
            known = {each.name for each in fields(cls)}
            given = {name: value for name, value in values.items() if name in known}
            return cls(
                title=str(given["title"]),
                facts=tuple((str(name), str(value)) for name, value in given["facts"]),
                labels=tuple((str(name), int(count)) for name, count in given["labels"]),
                scores=tuple(_score(each) for each in given["scores"]),
                scored_on=str(given["scored_on"]),
                limits=tuple(str(limit) for limit in given["limits"]),
            )
        except (AttributeError, KeyError, TypeError, ValueError):
            raise ModelError("The card in the model's file cannot be read.") from None


def _score(values: Mapping[str, Any]) -> CardScore:
    low, high = (None if values[end] is None else float(values[end]) for end in ("low", "high"))
    return CardScore(str(values["name"]), float(values["value"]), low, high, str(values["note"]))


def _labels(labels: Sequence[tuple[str, int]]) -> list[str]:
    if not labels:
        return ["It was fitted without labels.", ""]
    return _table(("label", "labelled texts"), [(name, f"{n:,}") for name, n in labels])


def _interval(score: CardScore) -> str:
    if score.low is None or score.high is None:
        return score.note or "none"
    return f"{score.low:.3f} to {score.high:.3f}"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    lines += [f"| {' | '.join(_plain(cell) for cell in row)} |" for row in rows]
    return [*lines, ""]


def _plain(text: str) -> str:
    """Names are data: nothing in them is markup."""
    return MARKDOWN_SIGNS.sub(r"\\\1", " ".join(text.split()))
