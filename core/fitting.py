"""From matrix and supervision to topics: the model, its options, and the warm start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """Which model, how many topics, and every option that differs from its default."""

    model: str = "tsnmf"
    n_topics: int | None = None  # None: as many as there are labels
    random_state: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "n_topics": self.n_topics,
            "random_state": self.random_state,
            "options": dict(self.options),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ModelSpec:
        return cls(**values)
