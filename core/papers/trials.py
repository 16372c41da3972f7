"""Trials: one fit of an experiment each, kept as JSON lines, so that a run can be continued."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

Settings = Mapping[str, str | float | int]


@dataclass(frozen=True)
class Trial:
    """One fit: what it is given, all of it, and its seed."""

    settings: Settings
    seed: int


@dataclass(frozen=True)
class TrialResult:
    """What a trial came to, on which data, made by which version."""

    experiment: str
    settings: Settings
    seed: int
    data: str  # fingerprint of what was fitted
    values: Mapping[str, float]
    seconds: float
    version: str
    shown: Mapping[str, Any] = field(default_factory=dict)  # words and matrices, for people

    @property
    def key(self) -> str:
        return trial_key(self.experiment, self.data, Trial(self.settings, self.seed))


def trial_key(experiment: str, data: str, trial: Trial) -> str:
    """The same for the same fit of the same data."""
    return json.dumps([experiment, data, trial.seed, sorted(trial.settings.items())])


class TrialLog:
    """Finished trials in a file, one a line; each is on disk before the next one begins."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._found = {result.key: result for result in _read(path)}

    def find(self, experiment: str, data: str, trial: Trial) -> TrialResult | None:
        return self._found.get(trial_key(experiment, data, trial))

    def add(self, result: TrialResult) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf8") as file:
            file.write(f"{_end_of_broken_line(self.path)}{json.dumps(_line(result))}\n")
        self._found[result.key] = result


@dataclass(frozen=True)
class TrialSet:
    """The trials of one experiment, to make tables of."""

    trials: Sequence[TrialResult]

    def of(self, **settings: str | float | int) -> TrialSet:
        """Those with these settings."""
        return TrialSet(
            [
                trial
                for trial in self.trials
                if all(trial.settings.get(name) == value for name, value in settings.items())
            ]
        )

    def values(self, name: str, **settings: str | float | int) -> tuple[float, ...]:
        """One number of each trial with these settings; those that have none are left out."""
        found = (trial.values.get(name, math.nan) for trial in self.of(**settings).trials)
        return tuple(value for value in found if not math.isnan(value))

    def median(self, name: str) -> TrialResult:
        """The trial whose value is nearest the median, the first of several."""
        middle = median(trial.values[name] for trial in self.trials)
        return min(self.trials, key=lambda trial: abs(trial.values[name] - middle))

    def choices(self, name: str) -> tuple[Any, ...]:
        """The values that a setting has, in the order of the trials."""
        found = (trial.settings[name] for trial in self.trials if name in trial.settings)
        return tuple(dict.fromkeys(found))


def _line(result: TrialResult) -> dict[str, Any]:
    """Most trials have nothing but numbers to show."""
    return {name: value for name, value in asdict(result).items() if name != "shown" or value}


def _read(path: Path) -> Iterator[TrialResult]:
    """A line that was cut off, because the run was ended while it was written, is not a trial."""
    if not path.exists():
        return
    for line in path.read_text("utf8").splitlines():
        try:
            yield TrialResult(**json.loads(line))
        except (ValueError, TypeError):
            continue


def _end_of_broken_line(path: Path) -> str:
    content = path.read_bytes()
    return "\n" if content and not content.endswith(b"\n") else ""
