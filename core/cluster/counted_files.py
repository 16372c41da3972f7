"""Texts of files, counted on workers: what they know of terms and labels, and their rows of X."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from core.cluster.text_files import TextColumns, TextFile
from core.errors import TextError
from core.supervision import Supervision
from core.text import Analyzer, TextSettings, Vocabulary
from core.text.counting import TermCounts, count_terms
from core.text.vocabulary import columns_to_keep

ONE_MACHINE_ONLY = (
    "Terms are chosen by their largest TF-IDF on one machine only; take other word weights."
)


@dataclass(frozen=True)
class CountedFile:
    """The terms of the texts of one file, with their ids and labels; the texts are gone."""

    ids: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    counts: TermCounts


@dataclass(frozen=True)
class TermTotals:
    """What files say about terms and labels; those of several add up."""

    n_docs: int
    n_labelled: int
    frequency: Counter[str]  # documents that hold each term
    total: Counter[str]  # how often each occurs
    labels: Counter[str]

    def vocabulary(self, settings: TextSettings) -> Vocabulary:
        """The terms that one machine would keep; TextError if there is none."""
        if settings.weighting == "max_tfidf":
            raise TextError(ONE_MACHINE_ONLY)
        names = list(self.frequency)
        frequency = np.fromiter(map(self.frequency.__getitem__, names), np.int64, len(names))
        total = np.fromiter(map(self.total.__getitem__, names), np.float64, len(names))
        keep = columns_to_keep(names, frequency, total, self.n_docs, settings)
        return Vocabulary(
            terms=tuple(names[column] for column in keep),
            document_frequency=frequency[keep],
            n_docs=self.n_docs,
            settings=settings,
        )


@dataclass(frozen=True)
class FileRows:
    """The rows of X of one file, and its labels."""

    ids: tuple[str, ...]
    X: sp.csr_array
    supervision: Supervision

    def __len__(self) -> int:
        return len(self.ids)

    def __sizeof__(self) -> int:
        return int(self.X.data.nbytes + self.X.indices.nbytes + self.X.indptr.nbytes)


def count_file(file: TextFile, columns: TextColumns, settings: TextSettings) -> CountedFile:
    corpus = file.read(columns)
    return CountedFile(corpus.ids, corpus.labels, count_terms(corpus.texts, Analyzer(settings)))


def term_totals(file: CountedFile) -> TermTotals:
    names = file.counts.names
    frequency, total = file.counts.document_frequency(), file.counts.occurrences()
    return TermTotals(
        n_docs=len(file.ids),
        n_labelled=sum(map(bool, file.labels)),
        frequency=Counter(dict(zip(names, frequency.tolist(), strict=True))),
        total=Counter(dict(zip(names, total.tolist(), strict=True))),
        labels=Counter(label for row in file.labels for label in row),
    )


def add_totals(*parts: TermTotals) -> TermTotals:
    counters = [Counter[str](), Counter[str](), Counter[str]()]
    for part in parts:
        for counter, more in zip(counters, (part.frequency, part.total, part.labels), strict=True):
            counter.update(more)
    sizes = sum(part.n_docs for part in parts), sum(part.n_labelled for part in parts)
    return TermTotals(*sizes, *counters)


def weigh_file(file: CountedFile, vocabulary: Vocabulary, labels: tuple[str, ...]) -> FileRows:
    X = vocabulary.rows_of_counts(file.counts)
    carried = {at: row for at, row in enumerate(file.labels) if row}
    return FileRows(file.ids, X, Supervision.of_some(len(file.ids), labels, carried))


@dataclass(frozen=True)
class SampleShare:
    """How much of the labelled and of the other documents a sample takes, each from 0 to 1."""

    labelled: float
    others: float

    @classmethod
    def of(cls, totals: TermTotals, limit: int) -> SampleShare:
        """All if they are few; else labelled ones first, up to half of the sample."""
        if totals.n_docs <= limit:
            return cls(1.0, 1.0)
        labelled = min(totals.n_labelled, limit // 2)
        others = totals.n_docs - totals.n_labelled
        return cls(
            labelled / max(totals.n_labelled, 1), min((limit - labelled) / max(others, 1), 1.0)
        )

    def positions(self, labelled: np.ndarray) -> np.ndarray:
        """Evenly spaced documents of a file."""
        chosen = [
            rows[
                np.unique((np.arange(int(rows.size * share + 1e-9)) / max(share, 1e-9)).astype(int))
            ]
            for rows, share in (
                (np.flatnonzero(labelled), self.labelled),
                (np.flatnonzero(~labelled), self.others),
            )
        ]
        return np.sort(np.concatenate(chosen))


def sample_file(rows: FileRows, share: SampleShare) -> tuple[np.ndarray, FileRows]:
    """Some documents of a file, and where they stand in it."""
    at = share.positions(rows.supervision.labelled)
    ids = tuple(rows.ids[place] for place in at)
    labels = supervision_of(rows.supervision.names, rows.supervision.permitted[at])
    return at, FileRows(ids, rows.X[at], labels)


def supervision_of(names: tuple[str, ...], permitted: sp.csr_array) -> Supervision:
    """Labels from who carries which."""
    rows = np.split(permitted.indices, permitted.indptr[1:-1])
    carried = {at: [names[label] for label in row] for at, row in enumerate(rows) if row.size}
    return Supervision.of_some(permitted.shape[0], names, carried)


def joined_rows(parts: list[FileRows]) -> FileRows:
    """Documents of several files, in order."""
    if not any(len(part) for part in parts):
        raise TextError("No file holds any text.")
    permitted = sp.csr_array(sp.vstack([part.supervision.permitted for part in parts]))
    return FileRows(
        tuple(id for part in parts for id in part.ids),
        sp.csr_array(sp.vstack([part.X for part in parts])),
        supervision_of(parts[0].supervision.names, permitted),
    )
