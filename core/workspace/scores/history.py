"""The scores of a project's runs that are already counted, read from disk."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from core.evaluation import progress
from core.evaluation.progress import EvaluatedRun, ProgressVerdict
from core.evaluation.scoring import score_table
from core.store import Project, Run, Store
from core.store.runs import evaluations
from core.workspace.scores.progress_verdicts import progress_verdict


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
    behind: int = 0  # events since the run that a fit hears of
    undone: bool = False  # something the scored run was fitted to has been undone since
    verdict: ProgressVerdict | None = None  # None too while the scored run is of undone labels

    @property
    def fresh(self) -> bool:
        """No event since the run."""
        return self.behind == 0

    @property
    def counted(self) -> bool:
        """The current run is the one that is scored."""
        return self.point is not None and self.point.run == self.run.id

    def to_frame(self) -> pd.DataFrame:
        """The newest scores as a frame, a row each; empty where nothing is scored."""
        return score_table({} if self.point is None else self.point.scores)

    def at(self, run: int) -> EvaluatedRun | None:
        return next((point for point in self.history if point.run == run), None)

    @property
    def compared_point(self) -> EvaluatedRun | None:
        """The run that the verdict compares with, else the one before it of the same kind."""
        if self.point is None:
            return None
        if self.verdict is not None:
            return self.verdict.reference
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
    known = [p for p in evaluations.history(store.home, project.id) if p.run <= run.id]
    undone = store.undone_revisions(project.id, [p.revision for p in known])
    history = _counted_history(known, run.id, undone)
    point = next((p for p in history[-1:] if _speaks_for(p, run)), None)
    seeds = _starts(evaluations.seeds(store.home, project.id), run, history)
    about = ScoreHistory(
        project=project,
        run=run,
        point=point,
        history=tuple(history),
        tables={},
        seeds=seeds,
        behind=store.count_changes(project.id, after=run.revision),
    )
    if point is None:
        return about
    taken_back = point.revision in undone
    return replace(
        about,
        tables=evaluations.tables(store.home, project.id, point.run) or {},
        undone=taken_back,
        verdict=None if taken_back else progress_verdict(store, project.id, point, history, seeds),
    )


def _counted_history(
    known: Sequence[EvaluatedRun], run: int, undone: Collection[int]
) -> list[EvaluatedRun]:
    """The evaluated runs that count for a run: those up to it that nothing was undone of since.

    A run that was fitted to a label which was taken back later is no step on the way to today: it
    stands on no curve, and no forecast or verdict is measured by it. The run itself always counts.
    """
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
