"""The tables of the TS-NMF paper: what print says, and ours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import pearsonr

from core.papers.tables import PaperRow, PaperStatement, PaperTable
from core.papers.trials import TrialSet
from core.values import percent

WEIGHTED, UNWEIGHTED = "weighted", "unweighted"
LABEL_START, PAPER_START = "labels", "acol"
STEEP_UNTIL, LEVEL_UNTIL = 0.2, 0.7  # the rates between which the print sees its curve level off
LEVEL_SLOPE = 0.5  # of the slope before: the most that a curve has which levels off
NEARLY_ALL = 0.95  # of the topics
COMPARABLE = 0.01  # of Jaccard: curves closer than that
SIGNIFICANCE = 0.05
ASSIGNMENTS = {"one": "one topic a text", "as_labels": "as many topics as it has labels"}
LABEL_SIZES = (2, 5, 10, 20, 50)  # texts that a label has at least
SCALES = {
    "shares": "rows sum to 1 (ours)",
    "weights": "weights as they are, labels 0 and 1",
    "peaks": "largest weight of a topic 1, labels 0 and 1",
}


def reuters_tables(results: TrialSet) -> list[PaperTable]:
    ours = results.of(model="tsnmf", start=LABEL_START)
    rates = tuple(sorted(ours.choices("rate")))
    return [
        PaperTable("What print says", statements=statements(results, ours, rates)),
        _curves("Weighted Jaccard, all texts (figures 2 and 4)", ours, "jaccard_shares", rates),
        _curves("Topics resolved, all texts (figures 2 and 4)", ours, "resolved_shares", rates),
        _curves("Weighted Jaccard, texts without a label", ours, "jaccard_unlabelled", rates),
        _curves("Topics resolved, texts without a label", ours, "resolved_unlabelled", rates),
        _models(results),
        _coverage(ours, rates),
        _label_sizes(ours, rates),
        _scales(ours, rates),
    ]


def length_table(results: TrialSet) -> list[PaperTable]:
    """How much hangs on which texts are left out for their length."""
    rows = []
    for length in results.choices("min_characters"):
        part = results.of(min_characters=length)
        what = f"{length} characters, {part.values('texts')[0]:,.0f} texts"
        rows += [
            PaperRow(f"{what}: Jaccard", None, part.values("jaccard_shares")),
            PaperRow(f"{what}: resolved", None, part.values("resolved_shares")),
        ]
    note = "Print has 8,294 texts of at least 250 characters; one text in five is labelled here."
    return [PaperTable("Sensitivity to the rule of 250 characters", rows, notes=[note])]


def assignment_table(results: TrialSet) -> list[PaperTable]:
    """The same fits scored by whole texts instead of shares."""
    rates = results.choices("rate")
    rows = [
        PaperRow(
            f"{percent(rate)} labelled, {meaning}: {score}",
            None,
            results.values(f"{score}_{way}", rate=rate),
        )
        for rate in rates
        for way, meaning in ASSIGNMENTS.items()
        for score in ("jaccard", "resolved")
    ]
    resolved = float(np.mean(results.values("resolved_as_labels", rate=rates[-1])))
    statement = PaperStatement(
        "Nearly all topics resolved above 70 %",
        f"{percent(resolved)} resolved at {percent(rates[-1])}, as many topics as labels",
        resolved >= NEARLY_ALL,
    )
    note = (
        "Print does not say how a text's weights become topics. As many as it has labels is more "
        "than an analyst knows of an unlabelled text; the curve does not level off that way either."
    )
    title = "Texts given whole to their strongest topics, weighted"
    return [PaperTable(title, rows, [statement], notes=[note])]


def statements(
    results: TrialSet, ours: TrialSet, rates: Sequence[float]
) -> tuple[PaperStatement, ...]:
    """The sentences of the paper that our trials can bear out or not."""
    made = [*_shape(ours, rates), *_weighting(ours, rates), *_against_models(results)]
    return (*made, *_coverage_matters(ours, rates))


def _shape(ours: TrialSet, rates: Sequence[float]) -> list[PaperStatement]:
    curve = {rate: _mean(ours, "jaccard_shares", rate) for rate in rates}
    first, last = rates[0], rates[-1]
    steep = (curve[STEEP_UNTIL] - curve[first]) / (STEEP_UNTIL - first)
    level = (curve[LEVEL_UNTIL] - curve[STEEP_UNTIL]) / (LEVEL_UNTIL - STEEP_UNTIL)
    resolved = _mean(ours, "resolved_shares", last)
    return [
        PaperStatement(
            "Rapid improvement below 20 %, levelling off until 70 %",
            f"{steep:.3f} of Jaccard per 100 % of the texts, then {level:.3f}",
            level <= LEVEL_SLOPE * steep,
        ),
        PaperStatement(
            "Nearly all topics resolved above 70 %",
            f"{percent(resolved)} resolved at {percent(last)}",
            resolved >= NEARLY_ALL,
        ),
    ]


def _weighting(ours: TrialSet, rates: Sequence[float]) -> list[PaperStatement]:
    gain = {
        rate: _mean(ours, "jaccard_shares", rate) - _mean(ours, "jaccard_shares", rate, UNWEIGHTED)
        for rate in rates
    }
    middle = {rate: gain[rate] for rate in rates if STEEP_UNTIL <= rate <= LEVEL_UNTIL}
    others = {rate: gain[rate] for rate in rates if rate not in middle}
    return [
        PaperStatement(
            "Weighted beats unweighted from 20 % to 70 %",
            _gains(middle),
            min(middle.values()) > 0,
        ),
        PaperStatement(
            "They are comparable at other rates",
            _gains(others),
            max(map(abs, others.values())) <= COMPARABLE,
        ),
    ]


def _gains(gains: dict[float, float]) -> str:
    return ", ".join(f"{gain:+.3f} at {percent(rate)}" for rate, gain in gains.items())


def _against_models(results: TrialSet) -> list[PaperStatement]:
    """Figure 3, by the paper's own start and steps; nothing where those were not run."""
    lda, nmf = (results.values("jaccard_shares", model=name) for name in ("lda", "nmf"))
    printed = results.of(model="tsnmf", start=PAPER_START)
    low, high = (printed.values("jaccard_shares", rate=rate) for rate in (0.05, 0.2))
    if not (lda and nmf and low and high):
        return []
    values = [float(np.mean(each)) for each in (lda, nmf, low, high)]
    return [
        PaperStatement("LDA beats NMF", f"{values[0]:.3f}, {values[1]:.3f}", values[0] > values[1]),
        PaperStatement(
            "LDA beats TS-NMF at 5 %", f"{values[0]:.3f}, {values[2]:.3f}", values[0] > values[2]
        ),
        PaperStatement(
            "TS-NMF at 20 % beats LDA", f"{values[3]:.3f}, {values[0]:.3f}", values[3] > values[0]
        ),
    ]


def _coverage_matters(ours: TrialSet, rates: Sequence[float]) -> list[PaperStatement]:
    """Figure 5, right: deviations from the mean of the rate, coverage against Jaccard."""
    parts = [ours.of(rate=rate, weight=WEIGHTED) for rate in rates]
    coverage = [part.values("coverage") for part in parts]
    score = [part.values("jaccard_shares") for part in parts]
    x, y = (
        np.concatenate([np.subtract(v, np.mean(v)) for v in each]) for each in (coverage, score)
    )
    if x.size < 3 or not x.any() or not y.any():
        return []
    found = pearsonr(x, y)
    return [
        PaperStatement(
            "No relationship between topic coverage and score at a given rate",
            f"correlation {found.statistic:.2f}, p = {found.pvalue:.3f}, {x.size} fits",
            found.pvalue > SIGNIFICANCE,
        )
    ]


def _curves(title: str, ours: TrialSet, score: str, rates: Sequence[float]) -> PaperTable:
    rows = [
        PaperRow(
            f"{percent(rate)} labelled, {weight}",
            None,
            ours.values(score, rate=rate, weight=weight),
        )
        for rate in rates
        for weight in (WEIGHTED, UNWEIGHTED)
    ]
    return PaperTable(title, rows)


def _models(results: TrialSet) -> PaperTable:
    """Figure 3: models without labels, and TS-NMF from its own start by its own steps."""
    rows = [
        PaperRow(f"{name}: {score}", None, results.values(f"{score}_shares", model=model))
        for name, model in (("NMF", "nmf"), ("LDA", "lda"))
        for score in ("jaccard", "resolved")
    ]
    printed = results.of(model="tsnmf", start=PAPER_START)
    rows += [
        PaperRow(
            f"TS-NMF at {percent(rate)}, random start and printed steps: {score}",
            None,
            printed.values(f"{score}_shares", rate=rate),
        )
        for rate in printed.choices("rate")
        for score in ("jaccard", "resolved")
    ]
    return PaperTable("Models (figure 3)", [row for row in rows if row.ours])


def _coverage(ours: TrialSet, rates: Sequence[float]) -> PaperTable:
    rows = [
        PaperRow(
            f"{percent(rate)} labelled", None, ours.values("coverage", rate=rate, weight=WEIGHTED)
        )
        for rate in rates
    ]
    return PaperTable("Share of the labels that labelled texts carry (figure 5, left)", rows)


def _label_sizes(ours: TrialSet, rates: Sequence[float]) -> PaperTable:
    """Which topics are not resolved: those of labels with few texts."""
    rows = [
        PaperRow(
            f"{percent(rate)} labelled, labels of at least {size} texts",
            None,
            ours.values(f"resolved_of_{size}", rate=rate, weight=WEIGHTED),
        )
        for rate in (STEEP_UNTIL, LEVEL_UNTIL, rates[-1])
        for size in LABEL_SIZES
    ]
    note = (
        "A label of three texts is resolved only if the many unlabelled texts together hold less "
        "of its topic than some thirty texts' worth: rare labels decide how many are resolved."
    )
    return PaperTable("Topics resolved, by how many texts a label has", rows, notes=[note])


def _scales(ours: TrialSet, rates: Sequence[float]) -> PaperTable:
    rows = [
        PaperRow(
            f"{percent(rate)} labelled, {meaning}: {score}",
            None,
            ours.values(f"{score}_{scale}", rate=rate, weight=WEIGHTED),
        )
        for rate in (rates[0], STEEP_UNTIL, LEVEL_UNTIL, rates[-1])
        for scale, meaning in SCALES.items()
        for score in ("jaccard", "resolved")
    ]
    note = "Print does not say on which scale topics and labels are compared."
    return PaperTable("The same fits on other scales, weighted", rows, notes=[note])


def _mean(ours: TrialSet, score: str, rate: float, weight: str = WEIGHTED) -> float:
    return float(np.mean(ours.values(score, rate=rate, weight=weight)))
