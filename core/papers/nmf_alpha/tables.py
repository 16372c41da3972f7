"""The tables of the NMF-α paper: print, and ours beside it."""

from __future__ import annotations

from core.papers.tables import PaperRow, PaperStatement, PaperTable
from core.papers.trials import TrialSet

OUR_BEST, SVM_TFIDF = "NMF-α, best", "SVM, TF-IDF"
LDA_ALL_WORDS = "LDA, all words"
CHEAP_METHODS = ("SVM", SVM_TFIDF, "LDA", LDA_ALL_WORDS)
DEAR_METHODS = ("NMF-α", "NMF", "CNMF", "Lee", OUR_BEST, "PCA")
NEWS_METHODS = (*CHEAP_METHODS, *DEAR_METHODS)
WITH_TFIDF = (OUR_BEST, SVM_TFIDF)
METHOD_TITLES = {
    "SVM": "SVM on all words",
    SVM_TFIDF: "SVM on all words, TF-IDF",
    "LDA": "Linear discriminant analysis of 200 components",
    LDA_ALL_WORDS: "Linear discriminant analysis of all words, by ridge regression",
    "Lee": "Lee et al.",
    OUR_BEST: "Ours, best: NMF-α on TF-IDF, topics started from labelled texts",
}
PRINTED_LDA = {20: 65.3, 40: 69.8, 100: 73.5}
PRINTED_NEWS = {
    "NMF-α": {20: 70.1, 40: 75.3, 100: 78.1},
    "LDA": PRINTED_LDA,
    LDA_ALL_WORDS: PRINTED_LDA,
}
N_TERMS = 53_975
LABELLED_SHARES = (20, 40, 100)  # per cent of the training texts whose labels are known
BEATEN_METHODS = ("LDA", LDA_ALL_WORDS, "PCA", "NMF", "CNMF", "Lee")  # that NMF-α beats in print


def news_tables(results: TrialSet) -> list[PaperTable]:
    return [_accuracy(headers, results) for headers in results.choices("headers")]


def _accuracy(headers: str, results: TrialSet) -> PaperTable:
    part = results.of(headers=headers)
    shares = part.choices("labelled")
    rows = [
        PaperRow(
            f"{percent} % labelled: {METHOD_TITLES.get(method, method)}",
            PRINTED_NEWS.get(method, {}).get(percent),
            part.values("accuracy", method=method, labelled=percent),
        )
        for percent in shares
        for method in NEWS_METHODS
    ]
    with_or_without = "with" if headers == "kept" else "without"
    ranks, updates = (
        ", ".join(str(each) for each in results.choices(name)) for name in ("rank", "updates")
    )
    notes = [
        f"Counts of {N_TERMS:,} words, texts of unit length; {ranks} topics or components (linear "
        f"discriminant analysis: 19), {updates} updates from random texts. λ (0.1, 1, 10) and the "
        "machine's C (three) are chosen on the validation texts, nine settings tried, also for "
        "“ours, best”. Print tries more ranks and names neither its grid nor its weights."
    ]
    return PaperTable(
        f"Test accuracy in per cent, texts {with_or_without} headers, footers and quotes (table 2)",
        rows,
        [each for percent in shares for each in _statements(percent, part.of(labelled=percent))],
        decimals=1,
        notes=notes,
    )


def _statements(percent: int, part: TrialSet) -> list[PaperStatement]:
    """NMF-α against each of the others on the splits that both have."""
    ours = _mean("NMF-α", part)
    others = {method: _mean(method, part) for method in (*BEATEN_METHODS, "SVM")}
    return [
        PaperStatement(
            f"{percent} % labelled: NMF-α beats {METHOD_TITLES.get(method, method)}",
            f"{ours:.1f} against {other:.1f}",
            ours > other,
        )
        for method, other in others.items()
        if ours == ours and other == other  # nan: not run
    ]


def _mean(method: str, part: TrialSet) -> float:
    return PaperRow("", None, part.values("accuracy", method=method)).mean
