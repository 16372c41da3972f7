"""The tables of the SSNMF paper: print, and ours beside it."""

from __future__ import annotations

from core.papers.tables import PaperRow, PaperStatement, PaperTable
from core.papers.trials import TrialSet

PAIRS = ("F,F", "F,D", "D,F", "D,D")
PRINTED_ACCURACY = {
    "F,F": 79.37,
    "F,D": 79.51,
    "D,F": 81.88,
    "D,D": 81.50,
    "NMF + SVM": 70.99,
    "SVM": 80.70,
    "Multinomial NB": 82.28,
}
NEWSGROUP_MODELS = tuple(PRINTED_ACCURACY)
PRINTED_CLUSTERING = {
    "F,F": (0.3895, 0.3647),
    "F,D": (0.3857, 0.3703),
    "D,F": (0.3874, 0.3553),
    "D,D": (0.3874, 0.3732),
    "NMF + SVM": (0.4348, 0.3080),
}
PRINTED_ERROR = {
    "F,F": (0.2917, 0.0081, 0.0078, 0.0204),
    "F,D": (0.2927, 0.0065, 0.0109, 0.0199),
    "D,F": (0.2930, 0.0093, 0.0071, 0.0210),
    "D,D": (0.2922, 0.0076, 0.0075, 0.0172),
}
NOISE_NAMES = (
    "Gaussian on X and Y",
    "Gaussian on X, Poisson on Y",
    "Poisson on X, Gaussian on Y",
    "Poisson on X and Y",
)


def newsgroup_tables(results: TrialSet) -> list[PaperTable]:
    accuracy = [
        PaperRow(_name(model), printed, results.values("accuracy", model=model))
        for model, printed in PRINTED_ACCURACY.items()
    ]
    scores = [
        PaperRow(f"{_name(model)}, {kind}", value, results.values(kind, model=model))
        for model, printed in PRINTED_CLUSTERING.items()
        for kind, value in zip(("hard", "soft"), printed, strict=True)
    ]
    start = (
        'SSNMF starts from the labels\' means (`init="labels"`), with the printed tol and λ. The '
        "print starts at random and does not say whether words are chosen on training texts."
    )
    judged = "Score P is taken on the training texts; print takes it on all texts."
    return [
        PaperTable("Test accuracy in per cent (table 4)", accuracy, decimals=2, notes=[start]),
        PaperTable("Score P (table 8)", scores, decimals=4, notes=[judged]),
    ]


def synthetic_tables(results: TrialSet) -> list[PaperTable]:
    rows = [
        PaperRow(
            f"{noise}: {_name(pair)}",
            PRINTED_ERROR[pair][column],
            results.values("relative_error", noise=column + 1, pair=pair),
        )
        for column, noise in enumerate(NOISE_NAMES)
        for pair in PAIRS
    ]
    updates = ", ".join(f"{number:,}" for number in results.choices("updates"))
    note = (
        f"{updates} updates (print: 100,000), λ = 1. Values below zero count as zero, and 0 log 0 "
        "in the truth is 0. Print's factors and starts are not known, so only the "
        "order within a kind of noise can be compared."
    )
    return [
        PaperTable(
            "Relative error on made-up data (table 2)",
            rows,
            [_diagonal(column, results) for column in range(len(PAIRS))],
            decimals=4,
            notes=[note],
        )
    ]


def _diagonal(column: int, results: TrialSet) -> PaperStatement:
    """Whether the pair that belongs to the noise has the smallest error."""
    part = results.of(noise=column + 1)
    means = {
        pair: PaperRow("", None, part.values("relative_error", pair=pair)).mean for pair in PAIRS
    }
    best = min(means, key=lambda pair: means[pair])
    return PaperStatement(
        f"{NOISE_NAMES[column]}: {_name(PAIRS[column])} is best",
        f"best is {_name(best)}",
        best == PAIRS[column],
    )


def _name(model: str) -> str:
    return f"({model})" if model in PAIRS else model
