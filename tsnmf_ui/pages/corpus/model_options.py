"""Options of models as an analyst sets them: a number, one of a few choices, parts per label.

Each knows which of the model's own options a choice stands for. Draws nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.spec import ModelSpec, rule_of, with_rule

NUMBER_BY_HAND = "A number"


@dataclass(frozen=True, slots=True)
class NumberOption:
    """An option that is a number between limits."""

    name: str
    label: str
    default: float
    least: float
    most: float
    step: float
    help: str
    rules: Mapping[str, str] = field(default_factory=dict)  # title → value that finds a number

    @property
    def whole(self) -> bool:
        return float(self.step).is_integer() and float(self.default).is_integer()

    def value(self, options: Mapping[str, Any]) -> float:
        """The value in use, inside the limits."""
        given = options.get(self.name, self.default)
        number = self.default if isinstance(given, str) else float(given)
        return min(max(number, self.least), self.most)

    def rule(self, options: Mapping[str, Any]) -> str:
        """The title of the rule in use; that of a number otherwise."""
        titles = {rule: title for title, rule in self.rules.items()}
        return titles.get(options.get(self.name, ""), NUMBER_BY_HAND)

    def chosen(self, value: float | str) -> dict[str, Any]:
        """The options a value or a rule's title stands for; the default needs none."""
        if isinstance(value, str):
            return {self.name: self.rules[value]}
        if value == self.default:
            return {}
        return {self.name: int(value) if self.whole else float(value)}


@dataclass(frozen=True, slots=True)
class ChoiceOption:
    """An option that is one of a few ways, each a set of the model's options."""

    label: str
    ways: Mapping[str, Mapping[str, Any]]
    help: str

    def value(self, options: Mapping[str, Any]) -> str:
        """The way in use; without any option of its own, the one that needs none."""
        for name, meant in self.ways.items():
            if meant and all(options.get(key) == each for key, each in meant.items()):
                return name
        return next(name for name, meant in self.ways.items() if not meant)

    def chosen(self, value: str) -> dict[str, Any]:
        return dict(self.ways[value])


@dataclass(frozen=True, slots=True)
class PartsPerLabel:
    """How many topics make up a label's one; sizes set by hand for a label stay as they are."""

    label: str = "Parts per label"
    ways: tuple[str, ...] = ("One", "Chosen from the data", "Fixed number")
    most: int = 20
    help: str = (
        "A broad label is described better by several parts. They are allowed together, and "
        "their sum is the label's share."
    )

    def value(self, options: Mapping[str, Any]) -> str:
        rule = rule_of(ModelSpec(options=options))
        return self.ways[1] if rule == "auto" else self.ways[0 if rule == 1 else 2]

    def number(self, options: Mapping[str, Any]) -> int:
        """The number in use, or the one to begin with."""
        rule = rule_of(ModelSpec(options=options))
        return min(rule, self.most) if isinstance(rule, int) and rule > 1 else 2

    def chosen(self, value: str, number: int, options: Mapping[str, Any]) -> dict[str, Any]:
        size: Any = {self.ways[0]: 1, self.ways[1]: "auto"}.get(value, number)
        spec = with_rule(ModelSpec(options=options), size)
        return {"parts": spec.options["parts"]} if "parts" in spec.options else {}


Option = NumberOption | ChoiceOption | PartsPerLabel
