"""ModelSpec: which model, with how many topics and which options; how many parts labels have."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from core.engine.groups import ALL_OTHER_LABELS, Size
from core.errors import ModelError
from core.models import MODELS
from core.supervision import TopicKey
from core.text import TextSettings
from core.values import CopiedByFields, html_table

COUNT_MODELS = frozenset({"lda", "pfa", "pfa_ssi"})  # models of whole numbers of words
UNSUPERVISED_MODELS = frozenset({"nmf", "vbnmf", "pfa", "lda"})  # models that no label changes


@dataclass(frozen=True, slots=True)
class ModelSpec(CopiedByFields):
    """Which model, how many topics, and every option that differs from its default."""

    model: str = "tsnmf"
    n_topics: int | None = None  # None: as many as there are labels
    random_state: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))

    def __repr__(self) -> str:
        return (
            f"ModelSpec({self.model!r}, n_topics={self.n_topics}, "
            f"random_state={self.random_state}, options={dict(self.options)!r})"
        )

    def _repr_html_(self) -> str:
        rows = [("topics", self.n_topics or "as many as labels"), ("seed", self.random_state)]
        return html_table(f"Model {self.model}", [*rows, *self.options.items()])

    def __hash__(self) -> int:
        return hash((self.model, self.n_topics, self.random_state))  # options need not be hashable

    def to_dict(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "n_topics": self.n_topics,
            "random_state": self.random_state,
            "options": dict(self.options),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ModelSpec:
        """Read what ``to_dict`` wrote, in this version or an earlier one."""
        options = dict(values.get("options", {}))
        if isinstance(options.get("parts"), Mapping):
            options["parts"] = _without_number_signs(options["parts"])
        return cls(**{**values, "options": options})

    @property
    def labels_own_topics(self) -> bool:
        """Whether every label owns a topic and a labelled document can use no other."""
        return bool(self._kind().labels_own_topics)

    @property
    def uses_labels(self) -> bool:
        """Whether labels change the topics; to others they only lend names."""
        return self.model not in UNSUPERVISED_MODELS

    def text_settings(self, settings: TextSettings) -> TextSettings:
        """The text settings under which this model is fitted: some models need plain counts."""
        if self.model not in COUNT_MODELS:
            return settings
        return replace(settings, weighting="counts", l2=False)

    def _kind(self) -> type[Any]:
        if self.model not in MODELS:
            raise ModelError(f"There is no model “{self.model}”; choose from {', '.join(MODELS)}.")
        return MODELS[self.model]

    def estimator(self, n_labels: int = 0) -> Any:
        """The model itself, unfitted; a misspelt option is refused, not ignored."""
        kind = self._kind()
        known = inspect.signature(kind).parameters
        unknown = sorted(set(self.options) - set(known))
        if unknown:
            raise ModelError(
                f"{self.model} has no option “{unknown[0]}”; it has {', '.join(sorted(known))}."
            )
        n_topics = self.n_topics or n_labels or 10
        return kind(n_topics=n_topics, random_state=self.random_state, **self.options)


def _without_number_signs(parts: Mapping[str, Size]) -> dict[str, Size]:
    """Sizes by key. Earlier versions wrote the label with id 3 as “#3”."""
    return {key[1:] if re.fullmatch(r"#\d+", key) else key: size for key, size in parts.items()}


def size_of(spec: ModelSpec, key: TopicKey) -> Size | None:
    """The size set by hand for one label; None if it follows the rule for all."""
    parts = spec.options.get("parts", 1)
    return parts.get(str(key)) if isinstance(parts, Mapping) else None


def rule_of(spec: ModelSpec) -> Size:
    """The size of every label that has none set by hand."""
    parts = spec.options.get("parts", 1)
    return parts.get(ALL_OTHER_LABELS, 1) if isinstance(parts, Mapping) else parts


def with_size(spec: ModelSpec, key: TopicKey, size: Size | None) -> ModelSpec:
    """The spec with the size of one label set by hand; None leaves it to the rule again."""
    parts = spec.options.get("parts", 1)
    chosen = dict(parts) if isinstance(parts, Mapping) else {ALL_OTHER_LABELS: parts}
    chosen.pop(str(key), None)
    if size is not None:
        chosen[str(key)] = size
    return _with_parts(spec, chosen)


def with_rule(spec: ModelSpec, size: Size) -> ModelSpec:
    """The spec with another size for every label that has none set by hand."""
    return with_size(spec, ALL_OTHER_LABELS, size)


def without_sizes(spec: ModelSpec) -> ModelSpec:
    """The spec with one part each: a fit can start from another one's parts."""
    return _with_parts(spec, {})


def with_sizes_of(spec: ModelSpec, other: ModelSpec) -> ModelSpec:
    """The spec with the sizes of another one."""
    parts = other.options.get("parts", 1)
    return _with_parts(spec, parts if isinstance(parts, Mapping) else {ALL_OTHER_LABELS: parts})


def _with_parts(spec: ModelSpec, chosen: Mapping[str, Size]) -> ModelSpec:
    parts: Any = (
        chosen.get(ALL_OTHER_LABELS, 1) if set(chosen) <= {ALL_OTHER_LABELS} else dict(chosen)
    )
    options = {name: value for name, value in spec.options.items() if name != "parts"}
    return replace(spec, options=options if parts == 1 else {**options, "parts": parts})
