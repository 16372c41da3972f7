"""What a fit of files says about documents, worker by worker: shares as files, and small sums."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from heapq import nlargest
from operator import add
from typing import NamedTuple

import numpy as np

from core.cluster.counted_files import FileRows
from core.cluster.held_documents import HeldDocuments, SumRequest, weights
from core.cluster.text_files import open_to_write
from core.engine.groups import Layout
from core.engine.prediction import row_shares


class TopDocument(NamedTuple):
    """A document that holds much of a topic."""

    weight: float
    share: float
    id: str
    file: int  # which of the files it is in
    row: int  # which of the file's documents it is


@dataclass(frozen=True)
class Finishing:
    """What is asked for when a fit is over."""

    scale: np.ndarray  # of W's columns: how long their topics were
    layout: Layout
    names: tuple[str, ...]
    n_top: int
    folder: str | None  # where shares go


@dataclass(frozen=True)
class DocumentSummary:
    """Documents by topics; those of several files add up."""

    n_docs: int
    main_topic: np.ndarray  # documents whose largest share each topic has
    shares: np.ndarray  # sum of every topic's shares
    label_shares: np.ndarray  # the same of the documents that carry each label: labels × topics
    label_counts: np.ndarray  # documents that carry each label
    top: tuple[tuple[TopDocument, ...], ...]  # by topic, the heaviest first

    def __add__(self, other: DocumentSummary) -> DocumentSummary:
        n_top = max(max(map(len, self.top)), max(map(len, other.top)))
        return DocumentSummary(
            self.n_docs + other.n_docs,
            self.main_topic + other.main_topic,
            self.shares + other.shares,
            self.label_shares + other.label_shares,
            self.label_counts + other.label_counts,
            tuple(
                tuple(nlargest(n_top, one + two))
                for one, two in zip(self.top, other.top, strict=True)
            ),
        )


def finish_file(
    held: HeldDocuments, last: SumRequest, rows: FileRows, number: int, finishing: Finishing
) -> DocumentSummary:
    """Write the shares of one file's documents, and sum them up."""
    W = weights(held, last) * finishing.scale
    W = finishing.layout.gathered(W.astype(held.documents.X.dtype))
    shares = np.where(W.any(axis=1, keepdims=True), row_shares(W), 0)
    if finishing.folder is not None:
        _write_shares(f"{finishing.folder}/part-{number:05}.parquet", rows, shares, finishing.names)
    used = W.any(axis=1)
    n_topics = W.shape[1]
    permitted = rows.supervision.permitted.astype(np.float64)
    return DocumentSummary(
        len(rows),
        np.bincount(shares[used].argmax(axis=1), minlength=n_topics),
        shares.sum(axis=0, dtype=np.float64),
        np.asarray(permitted.T @ shares.astype(np.float64)),
        np.asarray(permitted.sum(axis=0)),
        tuple(
            tuple(
                TopDocument(float(W[i, k]), float(shares[i, k]), rows.ids[i], number, int(i))
                for i in np.argsort(-W[:, k], kind="stable")[: finishing.n_top]
                if W[i, k] > 0
            )
            for k in range(n_topics)
        ),
    )


def add_summaries(*parts: DocumentSummary) -> DocumentSummary:
    return reduce(add, parts)


def _write_shares(address: str, rows: FileRows, shares: np.ndarray, names: tuple[str, ...]) -> None:
    """A column of ids and one for every topic; a file that is written again is the same."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = [pa.array(rows.ids), *(pa.array(shares[:, k]) for k in range(len(names)))]
    with open_to_write(address) as file:
        pq.write_table(pa.table(columns, names=["id", *names]), file)
