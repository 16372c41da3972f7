"""What the guide of a run gets right on labelled documents left out, and whether it is rising."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.evaluation import left_out, progress
from core.evaluation.left_out import Direction, LeftOut
from core.store import Run, RunScores, Store
from core.workspace.caches.store_cache import StoreCache

RUNS_SEARCHED = 60  # newest runs among which the earlier one is looked for
LABELS_BACK = 5  # labels that lie between the two at least, if there are as many

_trends: StoreCache[LeftOutTrend | None] = StoreCache(max_entries=16)


@dataclass(frozen=True, slots=True)
class LeftOutTrend:
    """A run's score on documents left out, and the one of an earlier run if one can be compared."""

    now: LeftOut
    before: LeftOut | None = None
    labelled_before: int = 0  # texts that were labelled then

    @property
    def direction(self) -> Direction | None:
        return None if self.before is None else left_out.direction(self.now, self.before)


def left_out_of(scores: RunScores) -> LeftOut | None:
    """What a run counted; None where there was no guide, or no label."""
    if scores.left_out_right is None or scores.left_out_of is None:
        return None
    return LeftOut(scores.left_out_right, scores.left_out_of, scores.left_out_alone or 0)


def left_out_trend(store: Store, run: Run) -> LeftOutTrend | None:
    """A run beside an earlier one of the same model that nothing was undone of since."""
    return _trends.get(store, (run.project, run.id), lambda: _look_up(store, run))


def _look_up(store: Store, run: Run) -> LeftOutTrend | None:
    now = left_out_of(run.outcome.scores)
    if now is None or not now.enough:
        return None if now is None else LeftOutTrend(now)
    reference = _reference(run, _comparable(store, run))
    before = None if reference is None else left_out_of(reference.outcome.scores)
    if reference is None or before is None:
        return LeftOutTrend(now)
    return LeftOutTrend(now, before, reference.outcome.scores.n_labelled or 0)


def _comparable(store: Store, run: Run) -> list[Run]:
    """Earlier runs that differ in labels only, newest first."""
    key = progress.comparison_key(run, "")
    earlier = [
        each
        for each in store.runs(run.project, RUNS_SEARCHED)
        if each.id < run.id and each.revision < run.revision and _has_enough(each)
    ]
    undone = store.undone_revisions(run.project, [each.revision for each in earlier])
    return [
        each
        for each in earlier
        if each.revision not in undone and progress.comparison_key(each, "") == key
    ]


def _has_enough(run: Run) -> bool:
    found = left_out_of(run.outcome.scores)
    return found is not None and found.enough


def _reference(run: Run, earlier: Sequence[Run]) -> Run | None:
    """The newest run with clearly fewer labels, else the oldest there is."""
    labelled = run.outcome.scores.n_labelled or 0
    far = (r for r in earlier if (r.outcome.scores.n_labelled or 0) <= labelled - LABELS_BACK)
    return next(far, earlier[-1] if earlier else None)
