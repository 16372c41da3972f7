"""The scores of a project's earlier fits, as lines of the file in which it travels.

A line holds what a fit scored; for the newest ones also which documents it was right about, so
that the next fit can be held against them. Tables stay behind: the last fit comes along itself and
is scored anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from core.progress import Judged, Point
from core.scoring import ABOUT
from core.store import evaluations
from core.store.factors import plain

CARRIED = 500_000  # documents whose hits and misses go along, over all fits
LARGEST = 2**53  # the largest whole number that every reader of JSON keeps
BASES = ("truth", "held_out")


def lines(home: Path, project: int) -> Iterator[dict[str, Any]]:
    """Scored fits, oldest first; one that would be refused on arrival stays behind."""
    points = [each for each in evaluations.history(home, project) if _sound(each)]
    known = _newest_hits(home, project, points)
    for point in points:
        yield {"point": plain(point.to_dict()), "judged": known.get(point.run)}


def _sound(point: Point) -> bool:
    try:
        _point(point.to_dict())
    except (ValueError, TypeError, KeyError):
        return False
    return True


def _newest_hits(home: Path, project: int, points: list[Point]) -> dict[int, dict[str, Any]]:
    known: dict[int, dict[str, Any]] = {}
    room = CARRIED
    for point in reversed(points):
        found = evaluations.judged(home, project, point.run)
        if found is None:
            continue
        room -= found.positions.size
        if room < 0:
            break
        right = found.right.astype(int).tolist()
        known[point.run] = {"positions": found.positions.tolist(), "right": right}
    return known


def adopt(
    home: Path, project: int, given: Iterable[Mapping[str, Any]], *, before: int, n_docs: int
) -> None:
    """Keep the scores of fits before this one, once all are seen to make sense."""
    scored = [(_point(line["point"]), _judged(line["judged"], n_docs)) for line in given]
    evaluations.clear(home, project)
    for point, judged in sorted(scored, key=lambda each: each[0].run):
        if point.run < before:
            evaluations.keep(home, point, project, {}, judged)


def _point(values: Mapping[str, Any]) -> Point:
    """A scored fit whose every value is of its kind, or an error."""
    point = Point.from_dict(values)
    whole = (point.run, point.revision, point.labelled)
    _demand(all(type(n) is int and 0 <= n < LARGEST for n in whole) and point.run > 0)
    _demand(all(isinstance(text, str) for text in (point.like, point.model)))
    _demand(point.basis in BASES and point.finished.tzinfo is not None)
    for name, (value, low, high, note) in dict(point.scores).items():
        _demand(name in ABOUT and _number(value) and isinstance(note, str))
        _demand((low is None and high is None) or (_number(low) and _number(high)))
    if point.forecast is not None:
        _check_forecast(point.forecast)
    return point


def _check_forecast(told: Mapping[str, Any]) -> None:
    bands = [list(told[name]) for name in ("more", "expected", "low", "high")]
    _demand(len({len(band) for band in bands}) == 1)
    _demand(all(_number(value) for band in bands for value in band) and _number(told["now"]))


def _judged(values: Mapping[str, Any] | None, n_docs: int) -> Judged | None:
    if values is None:
        return None
    positions, right = np.array(values["positions"]), np.array(values["right"])
    _demand(positions.ndim == 1 and positions.shape == right.shape and positions.size > 0)
    _demand(positions.dtype.kind == "i" and right.dtype.kind == "i")
    _demand(bool((np.diff(positions) > 0).all() and 0 <= positions[0] < n_docs))
    _demand(bool(positions[-1] < n_docs and np.isin(right, (0, 1)).all()))
    return Judged(positions, right.astype(bool))


def _number(value: Any) -> bool:
    """JSON as Python reads it may say NaN."""
    return type(value) in (int, float) and bool(abs(value) < LARGEST)


def _demand(true: bool) -> None:
    if not true:
        raise ValueError("This is no score.")
