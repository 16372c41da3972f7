"""From a paper's experiments to its tables: run what is missing, keep it, write both files."""

from __future__ import annotations

import json
import math
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from core.papers.tables import PaperTable
from core.papers.trials import Trial, TrialLog, TrialResult, TrialSet
from core.values import count, whole_file

PACKAGES = ("tsnmf-studio", "numpy", "scipy", "scikit-learn", "numba")
Report = Callable[[str, float], object]  # what is being done, and how much of all is done


class PaperData(Protocol):
    """What the trials of an experiment are fitted to."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def description(self) -> str: ...


@dataclass(frozen=True)
class Experiment:
    """Trials on the same data, and the tables made of them."""

    name: str
    read: Callable[[], Any]  # gives a PaperData
    trials: Sequence[Trial]
    run: Callable[[Any, Trial], Mapping[str, Any]]  # numbers; what is none is shown as it is
    tables: Callable[[TrialSet], Sequence[PaperTable]]


@dataclass(frozen=True)
class Paper:
    """A paper, its experiments, in full or quick, and what of it is not made again."""

    name: str
    citation: str
    experiments: Callable[[bool], Sequence[Experiment]]  # quick or not
    not_attempted: Sequence[str] = ()


@dataclass(frozen=True)
class PaperRun:
    """The tables of a paper and how they were made."""

    paper: Paper
    quick: bool
    tables: Sequence[PaperTable]
    results: Mapping[str, Sequence[TrialResult]]  # by experiment
    data: Mapping[str, str]  # by experiment: what it was run on
    made: str
    planned: int  # trials of a run that nobody cuts short

    @property
    def command(self) -> str:
        return f"tsnmf-studio papers {self.paper.name}" + (" --quick" if self.quick else "")

    @property
    def file_name(self) -> str:
        return self.paper.name + ("-quick" if self.quick else "")

    def to_dict(self) -> dict[str, Any]:
        trials = [trial for part in self.results.values() for trial in part]
        return {
            "paper": self.paper.citation,
            "command": self.command,
            "made": self.made,
            "seconds": round(math.fsum(trial.seconds for trial in trials), 1),
            "trials": len(trials),
            "planned": self.planned,
            "seeds": {
                name: sorted({trial.seed for trial in part}) for name, part in self.results.items()
            },
            "data": {
                name: {"description": self.data[name], "fingerprint": part[0].data}
                for name, part in self.results.items()
                if part
            },
            "versions": versions(),
            "trial_versions": sorted({trial.version for trial in trials}),
            "machine": f"{platform.machine()}, {count(os.cpu_count() or 1, 'core')}",
            "tables": [table.to_dict() for table in self.tables],
            "not_attempted": list(self.paper.not_attempted),
        }

    def markdown(self) -> str:
        return "\n\n".join(
            [
                f"# {self.paper.citation}",
                *(table.markdown() for table in self.tables),
                *_not_attempted(self.paper),
                "## How this was made",
                _origin(self.to_dict()),
                "",
            ]
        )


def run_paper(
    paper: Paper,
    folder: Path,
    *,
    quick: bool = False,
    minutes: float = math.inf,
    report: Report | None = None,
) -> PaperRun:
    """Run the trials that are not in the folder yet, and write the paper's tables there.

    Every trial is written when it is done, so a run that was stopped goes on where it was. After
    so many minutes no further trial is begun; the tables are made of those that are there.
    """
    end = time.perf_counter() + 60 * minutes
    log = TrialLog(folder / f"{paper.name}.trials.jsonl")
    experiments = paper.experiments(quick)
    total, done = sum(len(each.trials) for each in experiments), 0
    results: dict[str, list[TrialResult]] = {}
    data: dict[str, str] = {}
    tables: list[PaperTable] = []
    for each in experiments:
        material = each.read()
        data[each.name], found = material.description, results.setdefault(each.name, [])
        for trial in each.trials:
            if report is not None:
                report(f"{paper.name}: {each.name}", done / total)
            result = _result(each, material, trial, log, end)
            found += [] if result is None else [result]
            done += 1
        tables += each.tables(TrialSet(found)) if found else []
    made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    run = PaperRun(paper, quick, tables, results, data, made, total)
    _write(run, folder)
    return run


def _result(
    experiment: Experiment, data: PaperData, trial: Trial, log: TrialLog, end: float
) -> TrialResult | None:
    known = log.find(experiment.name, data.fingerprint, trial)
    if known is not None or time.perf_counter() >= end:
        return known
    begun = time.perf_counter()
    values = experiment.run(data, trial)
    shown = {name: value for name, value in values.items() if not np.isscalar(value)}
    result = TrialResult(
        experiment=experiment.name,
        settings=dict(trial.settings),
        seed=trial.seed,
        data=data.fingerprint,
        values={name: float(value) for name, value in values.items() if name not in shown},
        shown=shown,
        seconds=round(time.perf_counter() - begun, 3),
        version=version("tsnmf-studio"),
    )
    log.add(result)
    return result


def _write(run: PaperRun, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    values = json.dumps(run.to_dict(), ensure_ascii=False, indent=2) + "\n"
    for suffix, content in ((".md", run.markdown()), (".json", values)):
        with whole_file(folder / (run.file_name + suffix)) as file:
            file.write(content.encode("utf8"))


def _trials_made(values: Mapping[str, Any]) -> str:
    made, planned = values["trials"], values["planned"]
    return count(made, "trial") + (f" of {planned:,}" if made < planned else "")


def versions() -> dict[str, str]:
    """Of Python and of the packages that numbers come from."""
    return {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}


def _not_attempted(paper: Paper) -> list[str]:
    if not paper.not_attempted:
        return []
    return ["## Not attempted", "\n".join(f"- {sentence}" for sentence in paper.not_attempted)]


def _origin(values: Mapping[str, Any]) -> str:
    data = [
        f"- {name}: {each['description']} Fingerprint `{each['fingerprint']}`, "
        f"seeds {', '.join(map(str, values['seeds'][name]))}."
        for name, each in values["data"].items()
    ]
    packages = ", ".join(f"{name} {number}" for name, number in values["versions"].items())
    lines = [
        f"- `{values['command']}`, {values['made']}: {_trials_made(values)}, "
        f"{values['seconds']:,.0f} s by the clock on {values['machine']}.",
        *data,
        f"- {packages}.",
    ]
    return "\n".join(lines)
