"""Did the labels help? Fits of one model in the order in which they were made.

Only like is held against like: fits that differ in what people said, not in model, options or
text settings. Two fits are compared on the documents that both were judged by, hit by hit, so
that a few easy documents more in one of them cannot pass for progress. The interval covers which
documents were judged and the luck of a fit; and because a look is taken after every fit, a fit is
called worse only if the fit before it was worse too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from core.metrics.resampling import Difference, paired_difference

if TYPE_CHECKING:
    from core.store import Run

STEP = 10  # labels or acts that a comparison looks back over, if there are as many
STRIDE = 10  # labels between forecasts that are held against what happened
LATE = 1.25  # a forecast for n labels is judged by a fit with at most so many times n
FEWEST = 10  # documents in common below which nothing can be compared
SEVERAL = 5  # starts or fits from which the luck of a fit can be told
USUAL_LUCK = 0.02  # ten seeds on three corpora spread by 0.016 in the middle (docs/tsnmf.md)

Kind = Literal["better", "same", "perhaps worse", "worse"]
Basis = Literal["truth", "held_out"]


@dataclass(frozen=True, slots=True)
class Point:
    """One evaluated fit."""

    run: int
    revision: int
    labelled: int
    finished: datetime
    like: str  # equal for fits that differ in labels only
    basis: str
    model: str
    scores: Mapping[str, Sequence[Any]]  # name: value, low, high, note
    forecast: Mapping[str, Any] | None = None

    def value(self, name: str) -> float | None:
        return self.scores[name][0] if name in self.scores else None

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "finished": self.finished.isoformat()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Point:
        return cls(**{**values, "finished": datetime.fromisoformat(values["finished"])})


@dataclass(frozen=True, slots=True)
class Judged:
    """Which documents a fit was judged by, and whether it was right about each."""

    positions: np.ndarray
    right: np.ndarray  # bool


@dataclass(frozen=True, slots=True)
class Luck:
    """How far chance alone moves the share that a fit is right about: one standard deviation."""

    spread: float = USUAL_LUCK
    source: Literal["starts", "fits", "assumed"] = "assumed"

    @property
    def of_difference(self) -> float:
        """Two fits have their luck each."""
        return float(np.sqrt(2) * self.spread)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Better, the same within noise, or worse than before the last labels, and since when."""

    kind: Kind
    now: float
    before: float
    difference: Difference
    reference: Point  # the fit before the last labels
    since: Point  # the earliest fit, walking back from there, of which the same can be said
    luck: Luck


def likeness(run: Run, basis: str) -> str:
    """Equal for runs that only their labels set apart: same model, options, texts and judge.

    A topic that was named changes the number of topics, and that is labelling too; a name that was
    changed changes nothing.
    """
    spec = run.spec.to_dict()
    if run.spec.obeys:
        spec.pop("n_topics")
    sizes = spec["options"].get("parts")
    if isinstance(sizes, Mapping):
        spec["options"] = {**spec["options"], "parts": sorted(map(str, sizes.values()))}
    given = [run.settings.get(name) for name in ("n_free", "text", "levels")]
    described = json.dumps([spec, given, basis], sort_keys=True, default=str)
    return hashlib.blake2b(described.encode(), digest_size=8).hexdigest()


def like_points(all_points: Sequence[Point], now: Point) -> list[Point]:
    """Earlier fits that can be held against this one, oldest first."""
    return [each for each in all_points if each.like == now.like and each.run < now.run]


def reference_of(earlier: Sequence[Point], now: Point) -> Point | None:
    """The fit before the last labels: some labels or acts back, else the first there is."""
    before = [each for each in earlier if each.revision < now.revision]
    far = [each for each in before if _steps(each, now) >= STEP]
    return far[-1] if far else before[0] if before else None


def _steps(earlier: Point, now: Point) -> int:
    return max(now.revision - earlier.revision, abs(now.labelled - earlier.labelled))


def verdict(
    now: Point,
    judged: Judged,
    earlier: Sequence[Point],
    kept: Mapping[int, Judged],
    starts: Sequence[float] = (),
) -> Verdict | None:
    """How this fit compares with earlier ones like it; None if nothing can be compared.

    ``kept`` holds, by run, what is still known about single documents; ``starts`` what a fit like
    these scored from other random starts.
    """
    known = [each for each in earlier if each.run in kept]
    reference = reference_of(known, now)
    if reference is None:
        return None
    luck = luck_of(known, kept, starts)
    difference = compare(judged, kept[reference.run], luck)
    if difference is None:
        return None
    kind, since = kind_of(difference), reference
    for each in reversed([each for each in known if each.run < reference.run]):
        further = compare(judged, kept[each.run], luck)
        if further is None or kind_of(further) != kind:
            break
        since = each
    if kind == "worse" and not _held(known, kept, reference, luck):
        kind = "perhaps worse"
    mine, theirs = _common(judged, kept[reference.run])
    shares = float(mine.mean()), float(theirs.mean())
    return Verdict(kind, *shares, difference, reference, since, luck)


def luck_of(
    known: Sequence[Point], kept: Mapping[int, Judged], starts: Sequence[float] = ()
) -> Luck:
    """From other random starts where they were tried, else from fit to fit, else as usual.

    From fit to fit: how far earlier fits came out from the fits they were held against, around
    the mean of that, which is what the labels brought.
    """
    if len(starts) >= SEVERAL:
        return Luck(_spread(starts), "starts")
    gains = [gain for each in known if (gain := _gain(each, known, kept)) is not None]
    if len(gains) >= SEVERAL:
        return Luck(_spread([gain / np.sqrt(2) for gain in gains]), "fits")
    return Luck()


def _spread(values: Sequence[float]) -> float:
    """Standard deviation; a few values that happen to agree do not make it nothing."""
    seen = float(np.var(values, ddof=1))
    return float(np.sqrt(np.average([seen, USUAL_LUCK**2], weights=[len(values) - 1, SEVERAL])))


def _gain(point: Point, known: Sequence[Point], kept: Mapping[int, Judged]) -> float | None:
    """What a fit gained on the one it was held against."""
    reference = reference_of([each for each in known if each.run < point.run], point)
    found = None if reference is None else compare(kept[point.run], kept[reference.run])
    return None if found is None else found.gain


def _held(known: Sequence[Point], kept: Mapping[int, Judged], reference: Point, luck: Luck) -> bool:
    """Whether the fit before this one, if it came after the reference, was worse than it too."""
    between = [each for each in known if each.run > reference.run]
    found = compare(kept[between[-1].run], kept[reference.run], luck) if between else None
    return found is None or kind_of(found) == "worse"


def compare(now: Judged, before: Judged, luck: Luck | None = None) -> Difference | None:
    """On the documents that both were judged by; None if they are few."""
    mine, theirs = _common(now, before)
    if mine.size < FEWEST:
        return None
    return paired_difference(mine, theirs, luck=luck.of_difference if luck else 0.0)


def kind_of(difference: Difference) -> Kind:
    if difference.low > 0:
        return "better"
    return "worse" if difference.high < 0 else "same"


def _common(now: Judged, before: Judged) -> tuple[np.ndarray, np.ndarray]:
    _, mine, theirs = np.intersect1d(
        now.positions, before.positions, assume_unique=True, return_indices=True
    )
    return now.right[mine], before.right[theirs]


def fared(all_points: Sequence[Point]) -> pd.DataFrame:
    """Forecasts that have come due, beside what then happened.

    One forecast per ``STRIDE`` labels counts: those in between say the same. What happened is the
    first later fit with as many labels, by the same measure.
    """
    rows = []
    for point in _strided([each for each in all_points if each.forecast]):
        told = point.forecast or {}
        for more, *band in zip(
            told["more"], told["expected"], told["low"], told["high"], strict=True
        ):
            then = _first_with(all_points, point, point.labelled + more)
            if then is not None and then.forecast:
                rows.append((point.labelled, more, *band, then.labelled, then.forecast["now"]))
    columns = ["labelled", "more", "expected", "low", "high", "then", "happened"]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(inside=table["happened"].between(table["low"], table["high"]))


def _strided(forecasts: Sequence[Point]) -> list[Point]:
    kept: list[Point] = []
    for point in forecasts:
        if not kept or point.labelled >= kept[-1].labelled + STRIDE:
            kept.append(point)
    return kept


def _first_with(all_points: Sequence[Point], after: Point, labelled: int) -> Point | None:
    later = (p for p in all_points if p.run > after.run and p.labelled >= labelled and p.forecast)
    found = next(later, None)
    return None if found is None or found.labelled > LATE * labelled else found
