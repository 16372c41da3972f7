"""Did the labels help? Compare evaluated runs of one model in the order in which they were made.

Runs are compared only if they differ in labels alone, not in model, options or text settings. Two
runs are compared on the documents that both were judged by, document by document, so that a few
easy documents more in one of them cannot look like progress. The interval covers the choice of
documents and the random variation between fits. That variation is known from fits of the same
labels by other seeds; runs with other labels say nothing of it, for what differs between them is
what the labels brought. Because every run is compared, a run is called worse only if the run before
it was worse too, or if the drop is far beyond chance.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
import pandas as pd

from core.evaluation.metrics import intervals
from core.evaluation.metrics.resampling import PairedDifference, paired_difference
from core.values import ArrayValue

if TYPE_CHECKING:
    from core.spec import ModelSpec

STEPS_BACK = 10  # labels or events that a comparison looks back over, if there are as many
LABELS_BETWEEN_FORECASTS = 10  # between two forecasts that are compared with what happened
MAX_LABELS_RATIO = 1.25  # a forecast for n labels is compared with a run of at most 1.25 n
MIN_COMMON_DOCUMENTS = 10  # with fewer documents in common nothing can be told
MAX_UNCERTAINTY = 0.1  # half of an interval so wide that no difference says nothing
CLEAR_DROP_INTERVALS = 2  # half intervals below zero from which one run is enough
MIN_REPEATED_FITS = 5  # random starts from which the noise of a fit is estimated
DEFAULT_FIT_NOISE = 0.02  # ten seeds on three corpora: median 0.016 (tests/bench/RESULTS.md)

VerdictKind = Literal["better", "same", "perhaps worse", "worse", "too few"]


@dataclass(frozen=True, slots=True)
class EvaluatedRun:
    """One run and its scores."""

    run: int
    revision: int
    labelled: int
    finished: datetime
    comparison_key: str  # equal for runs that differ in labels only
    basis: str
    model: str
    scores: Mapping[str, Sequence[Any]]  # name: value, low, high, note
    forecast: Mapping[str, Any] | None = None

    def value(self, name: str) -> float | None:
        return self.scores[name][0] if name in self.scores else None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for a file, which calls the comparison key ``like``."""
        values = asdict(self)
        values["like"] = values.pop("comparison_key")
        return {**values, "finished": self.finished.isoformat()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> EvaluatedRun:
        given = {**values, "finished": datetime.fromisoformat(values["finished"])}
        return cls(comparison_key=given.pop("like"), **given)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DocumentHits(ArrayValue):
    """Which documents a run was judged by, and whether it was right about each."""

    positions: np.ndarray
    right: np.ndarray  # bool


@dataclass(frozen=True, slots=True)
class FitNoise:
    """How far chance alone moves the share of documents that a fit gets right."""

    spread: float = DEFAULT_FIT_NOISE  # one standard deviation
    source: Literal["starts", "assumed"] = "assumed"

    @property
    def of_difference(self) -> float:
        """The standard deviation of the difference of two fits."""
        return float(np.sqrt(2) * self.spread)

    @property
    def interval(self) -> float:
        """Half the 95 % interval that the difference of two fits has by chance alone."""
        return float(intervals.TWO_SIDED_95 * self.of_difference)


@dataclass(frozen=True, slots=True)
class ProgressVerdict:
    """Better, the same within noise, or worse than before the last labels, and since when."""

    kind: VerdictKind
    now: float
    before: float
    difference: PairedDifference
    reference: EvaluatedRun  # the run before the last labels
    since: EvaluatedRun  # the earliest run, going back from there, with the same verdict
    noise: FitNoise


class FittedRun(Protocol):
    """The attributes of a run that decide which runs it can be compared with."""

    @property
    def spec(self) -> ModelSpec: ...

    @property
    def settings(self) -> Mapping[str, Any]: ...


def comparison_key(run: FittedRun, basis: str) -> str:
    """Equal for runs that differ in labels only: same model, options, texts and basis.

    Naming a topic changes the number of topics, and that is labelling too; renaming a topic
    changes nothing.
    """
    spec = run.spec.to_dict()
    if run.spec.labels_own_topics:
        spec.pop("n_topics")
    sizes = spec["options"].get("parts")
    if isinstance(sizes, Mapping):
        spec["options"] = {**spec["options"], "parts": sorted(map(str, sizes.values()))}
    given = [run.settings.get(name) for name in ("n_free", "text", "levels")]
    roles = run.settings.get("column_roles") or {}
    given += sorted(name for name, role in roles.items() if role == "truth")
    described = json.dumps([spec, given, basis], sort_keys=True, default=str)
    return hashlib.blake2b(described.encode(), digest_size=8).hexdigest()


def comparable_runs(runs: Sequence[EvaluatedRun], now: EvaluatedRun) -> list[EvaluatedRun]:
    """Earlier runs that differ from this one in labels only, oldest first."""
    return [
        each for each in runs if each.comparison_key == now.comparison_key and each.run < now.run
    ]


def reference_run(earlier: Sequence[EvaluatedRun], now: EvaluatedRun) -> EvaluatedRun | None:
    """The run before the last labels: ``STEPS_BACK`` labels or events ago, else the first."""
    before = [each for each in earlier if each.revision < now.revision]
    far = [each for each in before if _steps(each, now) >= STEPS_BACK]
    return far[-1] if far else before[0] if before else None


def _steps(earlier: EvaluatedRun, now: EvaluatedRun) -> int:
    return max(now.revision - earlier.revision, abs(now.labelled - earlier.labelled))


def judge_progress(
    now: EvaluatedRun,
    hits: DocumentHits,
    earlier: Sequence[EvaluatedRun],
    hits_by_run: Mapping[int, DocumentHits],
    starts: Sequence[float] = (),
) -> ProgressVerdict | None:
    """How this run compares with earlier comparable ones; None if nothing can be compared.

    ``hits_by_run`` holds the hits of earlier runs as far as they are kept; ``starts`` the scores
    of the same fit from other random starts.
    """
    known = [each for each in earlier if each.run in hits_by_run]
    reference = reference_run(known, now)
    if reference is None:
        return None
    noise = estimate_fit_noise(starts)
    difference = compare_hits(hits, hits_by_run[reference.run], noise)
    if difference is None:
        return None
    kind, since = classify_difference(difference), reference
    for each in reversed([each for each in known if each.run < reference.run]):
        further = compare_hits(hits, hits_by_run[each.run], noise)
        if further is None or classify_difference(further) != kind:
            break
        since = each
    if (
        kind == "worse"
        and not is_clear_drop(difference)
        and not _previous_was_worse(known, hits_by_run, reference, noise)
    ):
        kind = "perhaps worse"
    mine, theirs = _common_hits(hits, hits_by_run[reference.run])
    shares = float(mine.mean()), float(theirs.mean())
    return ProgressVerdict(kind, *shares, difference, reference, since, noise)


def estimate_fit_noise(starts: Sequence[float] = ()) -> FitNoise:
    """From fits of the same labels by other seeds if they were tried, else the default."""
    if len(starts) >= MIN_REPEATED_FITS:
        return FitNoise(_spread(starts), "starts")
    return FitNoise()


def _spread(values: Sequence[float]) -> float:
    """Standard deviation, averaged with the default so that a few equal values do not give 0."""
    seen = float(np.var(values, ddof=1))
    weights = [len(values) - 1, MIN_REPEATED_FITS]
    return float(np.sqrt(np.average([seen, DEFAULT_FIT_NOISE**2], weights=weights)))


def _previous_was_worse(
    known: Sequence[EvaluatedRun],
    hits_by_run: Mapping[int, DocumentHits],
    reference: EvaluatedRun,
    noise: FitNoise,
) -> bool:
    """Whether the run before this one, if it is later than the reference, was worse too."""
    between = [each for each in known if each.run > reference.run]
    if not between:
        return True
    found = compare_hits(hits_by_run[between[-1].run], hits_by_run[reference.run], noise)
    return found is None or classify_difference(found) == "worse"


def compare_hits(
    now: DocumentHits, before: DocumentHits, noise: FitNoise | None = None
) -> PairedDifference | None:
    """On the documents that both were judged by; None if there are none."""
    mine, theirs = _common_hits(now, before)
    if not mine.size:
        return None
    return paired_difference(mine, theirs, fit_noise=noise.of_difference if noise else 0.0)


def classify_difference(difference: PairedDifference) -> VerdictKind:
    """What the interval says; nothing if it is too wide, or made of too few documents."""
    if difference.n < MIN_COMMON_DOCUMENTS:
        return "too few"
    if difference.low > 0:
        return "better"
    if difference.high < 0:
        return "worse"
    return "too few" if difference.sampling > MAX_UNCERTAINTY else "same"


def is_clear_drop(difference: PairedDifference) -> bool:
    """Whether an interval twice as wide would still lie below zero."""
    half = (difference.high - difference.low) / 2
    return difference.high + (CLEAR_DROP_INTERVALS - 1) * half < 0


def _common_hits(now: DocumentHits, before: DocumentHits) -> tuple[np.ndarray, np.ndarray]:
    _, mine, theirs = np.intersect1d(
        now.positions, before.positions, assume_unique=True, return_indices=True
    )
    return now.right[mine], before.right[theirs]


def check_forecasts(runs: Sequence[EvaluatedRun]) -> pd.DataFrame:
    """Earlier forecasts beside the scores that followed.

    One forecast per ``LABELS_BETWEEN_FORECASTS`` labels counts: those in between say the same.
    The score is that of the first later run with as many labels, by the same measure.
    """
    rows = []
    for run in _spaced_forecasts([each for each in runs if each.forecast]):
        forecast = run.forecast or {}
        columns = (forecast[name] for name in ("more", "expected", "low", "high"))
        for more, *band in zip(*columns, strict=True):
            then = _first_run_with(runs, run, run.labelled + more)
            if then is not None and then.forecast:
                rows.append((run.labelled, more, *band, then.labelled, then.forecast["now"]))
    names = ["labelled", "more", "expected", "low", "high", "then", "happened"]
    table = pd.DataFrame(rows, columns=names)
    return table.assign(inside=table["happened"].between(table["low"], table["high"]))


def _spaced_forecasts(runs: Sequence[EvaluatedRun]) -> list[EvaluatedRun]:
    chosen: list[EvaluatedRun] = []
    for run in runs:
        if not chosen or run.labelled >= chosen[-1].labelled + LABELS_BETWEEN_FORECASTS:
            chosen.append(run)
    return chosen


def _first_run_with(
    runs: Sequence[EvaluatedRun], after: EvaluatedRun, labelled: int
) -> EvaluatedRun | None:
    later = (
        each
        for each in runs
        if each.run > after.run and each.labelled >= labelled and each.forecast
    )
    found = next(later, None)
    return None if found is None or found.labelled > MAX_LABELS_RATIO * labelled else found
