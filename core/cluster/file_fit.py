"""A fit of files: read, counted and solved where the workers are.

The matrix is never in one place. Workers hold the rows of their files; this machine holds the
vocabulary, the topics, and a sample of at most ``MAX_SAMPLE_TEXTS`` documents from which the guide
is learnt and the topics begin. Where the files hold no more than that, the sample is all of them,
and the result is that of one machine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.cluster import counted_files, file_results
from core.cluster.counted_files import FileRows, SampleShare, TermTotals
from core.cluster.dask_client import DaskClient, Future
from core.cluster.file_results import DocumentSummary, Finishing
from core.cluster.held_documents import HeldDocuments
from core.cluster.remote_documents import RemoteDocuments, added, places_of
from core.cluster.text_files import TextColumns, TextFile, find_files, known_columns
from core.engine.descent import Callback
from core.engine.documents import MakeDocuments
from core.engine.groups import Layout
from core.errors import ModelError
from core.fitting import fit
from core.matrix import DocumentTermMatrix
from core.spec import ModelSpec
from core.text import TextSettings, Vocabulary
from core.topics import Topics

MAX_SAMPLE_TEXTS = 20_000  # on this machine, to learn the guide from and to begin with
TOP_TEXTS = 10  # of every topic, that are brought here


@dataclass(frozen=True)
class FileTopics:
    """Topics of files. ``topics`` holds the documents of the sample; the others are summed up."""

    topics: Topics
    matrix: DocumentTermMatrix  # of the sample
    summary: DocumentSummary
    files: tuple[TextFile, ...]
    columns: TextColumns
    labels: tuple[str, ...]  # of the files, sorted

    @property
    def n_docs(self) -> int:
        return self.summary.n_docs

    @property
    def label_topic(self) -> np.ndarray:
        """Mean shares of the topics in the documents of each label: the heat map."""
        count = np.maximum(self.summary.label_counts, 1)[:, None]
        return np.asarray(self.summary.label_shares / count)

    def quotes(self, topic: int, n: int = 3) -> list[tuple[str, str]]:
        """Ids and texts of the documents that hold most of a topic; reads their files again."""
        wanted = self.summary.top[topic][:n]
        corpora = {each.file: self.files[each.file].read(self.columns) for each in wanted}
        return [(each.id, corpora[each.file].texts[each.row]) for each in wanted]


@dataclass(frozen=True)
class ReadPart:
    """Documents of a file, which Dask reads again if their worker dies."""

    rows: Future
    make: Future

    def hold(self, client: DaskClient, worker: str) -> Future:
        return client.submit_there(_hold_rows, self.rows, self.make, worker=worker)


def _hold_rows(rows: FileRows, make: MakeDocuments) -> HeldDocuments:
    return HeldDocuments(make(rows.X, rows.supervision))


class FileMatrix:
    """Rows of X on workers, a part for each file."""

    def __init__(
        self, client: DaskClient, files: Sequence[TextFile], asked: TextColumns, text: TextSettings
    ) -> None:
        self.client, self.files = client, tuple(files)
        self.columns = known_columns(self.files[0], asked)
        self.workers = places_of(client, len(self.files))
        counted = [
            client.submit(counted_files.count_file, file, self.columns, text, worker=worker)
            for file, worker in zip(self.files, self.workers, strict=True)
        ]
        totals = self._each(counted_files.term_totals, counted)
        self.totals: TermTotals = client.result(added(client, counted_files.add_totals, totals))
        self.labels = tuple(sorted(self.totals.labels))
        self.vocabulary: Vocabulary = self.totals.vocabulary(text)
        shared = client.share(self.vocabulary)
        self.rows = self._each(counted_files.weigh_file, counted, shared, self.labels)
        share = SampleShare.of(self.totals, MAX_SAMPLE_TEXTS)
        sampled = self._each(counted_files.sample_file, self.rows, share)
        found = [client.result(future) for future in sampled]
        self.sampled_rows = [at for at, _ in found]
        self.sample = counted_files.joined_rows([rows for _, rows in found])

    def _each(self, work: Callable[..., Any], parts: Sequence[Future], *given: Any) -> list[Future]:
        pairs = zip(parts, self.workers, strict=True)
        return [self.client.submit(work, part, *given, worker=worker) for part, worker in pairs]

    def sample_matrix(self) -> DocumentTermMatrix:
        """The documents of the sample, as one machine would hold them."""
        X, identity = self.sample.X, [self.vocabulary.terms, self.sample.ids, self.totals.n_docs]
        return DocumentTermMatrix(
            X=X,
            terms=self.vocabulary.terms,
            doc_ids=self.sample.ids,
            settings=self.vocabulary.settings,
            document_frequency=np.bincount(X.indices, minlength=X.shape[1]).astype(np.int64),
            fingerprint=hashlib.blake2b(
                json.dumps(identity).encode("utf8"), digest_size=16
            ).hexdigest(),
            empty=tuple(np.flatnonzero(np.diff(X.indptr) == 0).tolist()),
            read_by=self.vocabulary,
        )


class FileHost:
    """Where the documents of files are solved; those of this process are a sample of them."""

    documents: RemoteDocuments

    def __init__(self, matrix: FileMatrix) -> None:
        self.matrix = matrix
        self.scale = np.ones(0)

    def place(self, documents: Any, make: MakeDocuments | None) -> RemoteDocuments:
        if make is None:
            raise ModelError('Files are fitted by nmf and tsnmf with solver="cd".')
        client, shared = self.matrix.client, self.matrix.client.share(make)
        self.documents = RemoteDocuments(
            client,
            [ReadPart(rows, shared) for rows in self.matrix.rows],
            total=None,
            fresh=True,
            rows=self.matrix.sampled_rows,
        )
        return self.documents

    def finish(self, scale: np.ndarray) -> None:
        self.scale = scale

    def summary(self, topics: Topics, folder: str | None) -> DocumentSummary:
        """Shares written, and summed up."""
        sizes = tuple(map(len, topics.parts))
        finishing = Finishing(self.scale, Layout(sizes), topics.names, TOP_TEXTS, folder)
        n = len(self.matrix.rows)
        summaries = self.documents.each(
            file_results.finish_file, self.matrix.rows, range(n), [finishing] * n
        )
        return file_results.add_summaries(*summaries)


def fit_files(
    client: DaskClient,
    address: str,
    spec: ModelSpec,
    columns: TextColumns,
    text: TextSettings,
    folder: str | None,
    callback: Callback | None,
) -> FileTopics:
    """Topics of all texts at an address; ``folder`` receives the shares of every text."""
    _require_solver(spec)
    files = find_files(address)
    matrix = FileMatrix(client, files, columns, spec.text_settings(text))
    host, sample = FileHost(matrix), matrix.sample_matrix()
    topics = fit(
        sample,
        matrix.sample.supervision,
        _with_rate(spec, matrix.totals),
        callback=callback,
        cluster=host,
    )
    summary = host.summary(topics, folder)
    return FileTopics(topics, sample, summary, matrix.files, matrix.columns, matrix.labels)


def _require_solver(spec: ModelSpec) -> None:
    estimator = spec.estimator()
    if spec.model not in ("nmf", "tsnmf") or estimator.solver != "cd":
        raise ModelError(
            'Files are fitted by nmf and tsnmf with solver="cd"; others need a matrix.'
        )


def _with_rate(spec: ModelSpec, totals: TermTotals) -> ModelSpec:
    """The paper's weight of a labelled document as a number: that of all files."""
    if spec.options.get("labelled_weight") != "inverse_rate" or not totals.n_labelled:
        return spec
    rate = totals.n_docs / totals.n_labelled
    return replace(spec, options={**spec.options, "labelled_weight": rate})
