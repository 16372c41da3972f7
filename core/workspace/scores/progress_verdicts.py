"""Whether the last labels helped: a scored run beside earlier ones, judged when somebody asks.

The verdict is not kept with the scores: it depends on what was undone and on which random starts
were tried since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.evaluation import progress
from core.evaluation.progress import EvaluatedRun, ProgressVerdict
from core.store import Store
from core.store.runs import evaluations
from core.workspace.caches.store_cache import StoreCache

_verdicts: StoreCache[ProgressVerdict | None] = StoreCache(max_entries=16)


def progress_verdict(
    store: Store,
    project: int,
    point: EvaluatedRun,
    history: Sequence[EvaluatedRun],
    seeds: Mapping[str, Any] | None,
) -> ProgressVerdict | None:
    """How a run compares with the runs of its history; None if nothing can be compared.

    ``seeds`` is the last look at other random starts.
    """
    earlier = progress.comparable_runs(history, point)
    starts = _scores_of_starts(seeds, [*earlier, point])
    judged = tuple((each.run, each.value("first")) for each in (*earlier, point))
    key = (project, point.comparison_key, judged, starts)
    return _verdicts.get(store, key, lambda: _judge(store, project, point, earlier, starts))


def _judge(
    store: Store,
    project: int,
    point: EvaluatedRun,
    earlier: Sequence[EvaluatedRun],
    starts: Sequence[float],
) -> ProgressVerdict | None:
    hits = evaluations.judged(store.home, project, point.run)
    if hits is None:
        return None
    found = ((each.run, evaluations.judged(store.home, project, each.run)) for each in earlier)
    known = {run: judged for run, judged in found if judged is not None}
    return progress.judge_progress(point, hits, earlier, known, starts)


def _scores_of_starts(
    seeds: Mapping[str, Any] | None, alike: Sequence[EvaluatedRun]
) -> tuple[float, ...]:
    """Shares of right main topics from other random starts, if fits like these were tried."""
    if seeds is None or seeds["run"] not in {each.run for each in alike}:
        return ()
    return tuple(seeds["scores"].get("first") or ())
