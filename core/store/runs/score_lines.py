"""The scores of a project's earlier runs, as lines of its project file.

A line holds the scores of a run; for the newest ones also which documents it was right about, so
that the next run can be compared with them. Tables are left out: the last run is exported itself
and evaluated again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from core.evaluation.progress import DocumentHits, EvaluatedRun
from core.evaluation.scoring import SCORE_INFO
from core.loading.project_parts import MAX_SCORE_LINES
from core.store.runs import evaluations
from core.store.runs.factors import plain

MAX_EXPORTED_DOCUMENTS = 500_000  # whose hits and misses are exported, over all runs
MAX_INTEGER = 2**53  # the largest whole number that every reader of JSON keeps
SCORE_BASES = ("truth", "held_out")


def export_lines(home: Path, project: int, n_docs: int = MAX_INTEGER) -> Iterator[dict[str, Any]]:
    """Evaluated runs, oldest first; one that an import would refuse is left out.

    So are the hits and misses of a run that knew texts which were taken back.
    """
    points = [each for each in evaluations.history(home, project) if _sound(each)]
    points = points[-MAX_SCORE_LINES:]
    known = _newest_hits(home, project, points, n_docs)
    for point in points:
        yield {"point": plain(point.to_dict()), "judged": known.get(point.run)}


def _sound(point: EvaluatedRun) -> bool:
    try:
        _point(point.to_dict())
    except (ValueError, TypeError, KeyError):
        return False
    return True


def _newest_hits(
    home: Path, project: int, points: list[EvaluatedRun], n_docs: int
) -> dict[int, dict[str, Any]]:
    known: dict[int, dict[str, Any]] = {}
    room = MAX_EXPORTED_DOCUMENTS
    for point in reversed(points):
        found = evaluations.judged(home, project, point.run)
        if found is None or found.positions.max(initial=0) >= n_docs:
            continue
        room -= found.positions.size
        if room < 0:
            break
        known[point.run] = _hit_lists(found)
    return known


def _hit_lists(hits: DocumentHits) -> dict[str, Any]:
    return {"positions": hits.positions.tolist(), "right": hits.right.astype(int).tolist()}


def checked_lines(given: Iterable[Mapping[str, Any]], n_docs: int) -> Iterator[dict[str, Any]]:
    """The lines as ``export_lines`` writes them, each after a check."""
    for line in given:
        point = plain(_point(line["point"]).to_dict())
        hits = _hits(line["judged"], n_docs)
        yield {"point": point, "judged": None if hits is None else _hit_lists(hits)}


def import_lines(
    home: Path, project: int, given: Iterable[Mapping[str, Any]], *, before: int, n_docs: int
) -> None:
    """Save the scores of runs before this one, after all are checked."""
    scored = [(_point(line["point"]), _hits(line["judged"], n_docs)) for line in given]
    earlier = [each for each in scored if each[0].run < before]
    if earlier:
        evaluations.save_all(home, project, sorted(earlier, key=lambda each: each[0].run))
    else:
        evaluations.clear(home, project)


def _point(values: Mapping[str, Any]) -> EvaluatedRun:
    """An evaluated run with valid values, or an error."""
    point = EvaluatedRun.from_dict(values)
    whole = (point.run, point.revision, point.labelled)
    _require(all(type(n) is int and 0 <= n < MAX_INTEGER for n in whole) and point.run > 0)
    _require(all(isinstance(text, str) for text in (point.comparison_key, point.model)))
    _require(point.basis in SCORE_BASES and point.finished.tzinfo is not None)
    for name, (value, low, high, note) in dict(point.scores).items():
        _require(name in SCORE_INFO and _number(value) and isinstance(note, str))
        _require((low is None and high is None) or (_number(low) and _number(high)))
    if point.forecast is not None:
        _check_forecast(point.forecast)
    return point


def _check_forecast(forecast: Mapping[str, Any]) -> None:
    bands = [list(forecast[name]) for name in ("more", "expected", "low", "high")]
    _require(len({len(band) for band in bands}) == 1)
    _require(all(_number(value) for band in bands for value in band) and _number(forecast["now"]))


def _hits(values: Mapping[str, Any] | None, n_docs: int) -> DocumentHits | None:
    if values is None:
        return None
    positions, right = np.array(values["positions"]), np.array(values["right"])
    _require(positions.ndim == 1 and positions.shape == right.shape and positions.size > 0)
    _require(positions.dtype.kind == "i" and right.dtype.kind == "i")
    _require(bool((np.diff(positions) > 0).all() and 0 <= positions[0] < n_docs))
    _require(bool(positions[-1] < n_docs and np.isin(right, (0, 1)).all()))
    return DocumentHits(positions, right.astype(bool))


def _number(value: Any) -> bool:
    """JSON as Python reads it may say NaN."""
    return type(value) in (int, float) and bool(abs(value) < MAX_INTEGER)


def _require(true: bool) -> None:
    if not true:
        raise ValueError("This is not a valid score.")
