"""The scores of a project's runs that are already counted, read from disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from core.evaluation import progress
from core.evaluation.progress import EvaluatedRun
from core.store import Project, Run, Store
from core.store.runs import evaluations

EARLIER_VERDICT_KEYS = {"luck": "noise", "luck_from": "noise_from"}  # as older tables have them


@dataclass(frozen=True, kw_only=True)
class ScoreHistory:
    """The newest evaluation of a project's model and those before it."""

    project: Project
    run: Run
    point: (
        EvaluatedRun | None
    )  # the current run if it is evaluated, else one it continues, else None
    history: tuple[EvaluatedRun, ...]  # oldest first, the newest included
    tables: Mapping[str, Any]
    seeds: Mapping[str, Any] | None

    @property
    def behind(self) -> int:
        """Events since the run."""
        return self.project.revision - self.run.revision

    @property
    def fresh(self) -> bool:
        """No event since the run."""
        return self.behind == 0

    @property
    def counted(self) -> bool:
        """The current run is the one that is scored."""
        return self.point is not None and self.point.run == self.run.id

    @property
    def verdict(self) -> Mapping[str, Any] | None:
        """How the newest run compares with an earlier one, under today's names.

        None too if the earlier one was undone since.
        """
        found: Mapping[str, Any] | None = self.tables.get("verdict")
        if found is None or self.at(found["reference"]) is None:
            return None
        return {EARLIER_VERDICT_KEYS.get(name, name): value for name, value in found.items()}

    def at(self, run: int) -> EvaluatedRun | None:
        return next((point for point in self.history if point.run == run), None)

    @property
    def compared_point(self) -> EvaluatedRun | None:
        """The run that the verdict compares with, else the one before it of the same kind."""
        if self.point is None:
            return None
        if self.verdict is not None:
            return self.at(self.verdict["reference"])
        return progress.reference_run(
            progress.comparable_runs(self.history, self.point), self.point
        )

    def forecast_tables(self) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame] | None:
        """Past, ahead, and earlier forecasts beside what happened; None without a forecast."""
        point = self.point
        if point is None or not point.forecast:
            return None
        expected_scores = point.forecast
        past = pd.DataFrame(
            [(p.labelled, p.forecast["now"]) for p in self.history if p.forecast],
            columns=["labelled", "now"],
        ).drop_duplicates("labelled", keep="last")
        now = (0, expected_scores["now"], expected_scores["now"], expected_scores["now"])
        bands = zip(
            expected_scores["more"],
            expected_scores["expected"],
            expected_scores["low"],
            expected_scores["high"],
            strict=True,
        )
        ahead = pd.DataFrame([now, *bands], columns=["more", "expected", "low", "high"])
        ahead["labelled"] = ahead["more"] + point.labelled
        return past.sort_values("labelled"), ahead, progress.check_forecasts(self.history)


def score_history(store: Store, project: Project) -> ScoreHistory | None:
    """The scores there are, or None before the first fit. Reads no factors, so it is quick."""
    run = store.resting_run(project.id)
    if run is None:
        return None
    history = counted_history(store, project.id, run.id)
    point = next((p for p in history[-1:] if _speaks_for(p, run)), None)
    tables = None if point is None else evaluations.tables(store.home, project.id, point.run)
    return ScoreHistory(
        project=project,
        run=run,
        point=point,
        history=tuple(history),
        tables=tables or {},
        seeds=_starts(evaluations.seeds(store.home, project.id), run, history),
    )


def counted_history(store: Store, project: int, run: int) -> list[EvaluatedRun]:
    """The evaluated runs that count for a run: those up to it that nothing was undone of since.

    A run that was fitted to a label which was taken back later is no step on the way to today: it
    stands on no curve, and no forecast or verdict is measured by it. The run itself always counts.
    """
    known = [p for p in evaluations.history(store.home, project) if p.run <= run]
    undone = store.undone_revisions(project, [p.revision for p in known])
    return [p for p in known if p.run == run or p.revision not in undone]


def _speaks_for(point: EvaluatedRun, run: Run) -> bool:
    """Whether a run's scores may be shown until another has its own: not those of another model or
    other settings, nor those of labels that the run does not know."""
    alike = point.comparison_key == progress.comparison_key(run, point.basis)
    return point.run == run.id or (alike and point.revision <= run.revision)


def _starts(
    found: Mapping[str, Any] | None, run: Run, history: Sequence[EvaluatedRun]
) -> Mapping[str, Any] | None:
    """The last look at other random starts, if it was at a model like this one."""
    if found is None or found["run"] == run.id:
        return found
    tried = next((point for point in history if point.run == found["run"]), None)
    return found if tried is not None and _speaks_for(tried, run) else None
