"""Topics: what a fit says about a corpus. Frozen; holds no estimator, draws nothing."""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from core.engine.descent import Trace
from core.engine.groups import Groups, Layout
from core.engine.learned import LearnedWeights
from core.errors import ModelError, StoreError
from core.fitted import FittedModel, MeaningSource, PredictionState
from core.supervision import TopicKey
from core.values import ArrayValue, html_table, whole_file

if TYPE_CHECKING:
    from core.guide.classifier import Guide
    from core.matrix import DocumentTermMatrix
    from core.spec import ModelSpec

TOPICS_FILE_FORMAT = 1  # of the saved file; raised when an older reader would misread it


class TermWeight(NamedTuple):
    """A term and its weight in a topic."""

    term: str
    weight: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Topics(ArrayValue):
    """Topics of one corpus under one model.

    A topic is its key: the id of its label in a project, otherwise its name. Names may change
    between two fits, and columns too; keys say which topics are the same.
    """

    doc_topic: np.ndarray  # W: (n_docs, n_topics)
    topic_term: np.ndarray  # H: (n_topics, n_terms), every row of unit length
    terms: tuple[str, ...]
    doc_ids: tuple[str, ...]
    names: tuple[str, ...]
    keys: tuple[TopicKey, ...] = ()  # by default the names
    n_supervised: int = 0  # the first n_supervised topics carry the analyst's labels
    spec: ModelSpec
    trace: Trace = field(default_factory=Trace)
    fingerprint: str = ""  # of the matrix the topics were fitted to
    guide: Guide | None = field(default=None, repr=False, compare=False)  # not saved: learnt anew
    groups: Groups | None = field(default=None, repr=False)  # parts of some topics
    learned: LearnedWeights | None = field(default=None, repr=False)  # of labels and nodes
    state: PredictionState | None = field(default=None, repr=False, compare=False)  # not saved

    def __repr__(self) -> str:
        (n_docs, n_topics), n_terms = self.doc_topic.shape, len(self.terms)
        return (
            f"Topics({n_topics} topics, {n_docs} documents, {n_terms} terms, {self.spec.model!r})"
        )

    def _repr_html_(self) -> str:
        rows = [
            (name, ", ".join(each.term for each in self.top_terms(topic, 8)))
            for topic, name in enumerate(self.names)
        ]
        return html_table(f"{len(self)} topics of {self.doc_topic.shape[0]} documents", rows)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", self.keys or self.names)
        if len(self.keys) != len(self.names):
            raise ModelError(f"{len(self.keys)} keys for {len(self.names)} topics.")

    def __len__(self) -> int:
        return self.topic_term.shape[0]

    def column(self, key: TopicKey) -> int | None:
        """Where a topic stands; None if it is not among these."""
        return self.columns.get(key)

    @cached_property
    def columns(self) -> Mapping[TopicKey, int]:
        """Where each topic stands, by key."""
        return {key: column for column, key in enumerate(self.keys)}

    @property
    def label_keys(self) -> tuple[TopicKey, ...]:
        """The keys of the first topics, those that carry the analyst's labels."""
        return self.keys[: self.n_supervised]

    def top_terms(self, topic: int, n: int = 10) -> list[TermWeight]:
        """The n heaviest terms of a topic, heaviest first; ties in column order; no zeros."""
        return self._heaviest(self.topic_term[topic], n)

    def _heaviest(self, weights: np.ndarray, n: int) -> list[TermWeight]:
        """Sorts only those that can be among the first: a refit asks for every topic, twice."""
        found = np.flatnonzero(weights > 0)
        if 0 < n < found.size:
            found = found[weights[found] >= np.partition(weights[found], -n)[-n]]
        order = found[np.argsort(-weights[found], kind="stable")][:n]
        return [TermWeight(self.terms[j], float(weights[j])) for j in order]

    def shares(self) -> np.ndarray:
        """doc_topic with rows summing to one; a document without weight stays zero."""
        return self._shares

    @cached_property
    def _shares(self) -> np.ndarray:
        return _shared(self.doc_topic)

    @property
    def parts(self) -> tuple[tuple[int, ...], ...]:
        """The parts of every topic, as columns of ``part_doc_topic``; mostly one each."""
        return (self.groups or Layout.single(len(self))).columns

    @property
    def part_doc_topic(self) -> np.ndarray:
        """What each document holds of each part; a topic's weight is the sum of its parts'."""
        return self.doc_topic if self.groups is None else self.groups.doc_part

    @property
    def part_topic_term(self) -> np.ndarray:
        """The words of each part. A topic with several shows their mean in ``topic_term``."""
        return self.topic_term if self.groups is None else self.groups.part_term

    def is_group(self, topic: int) -> bool:
        """Whether a topic has several parts."""
        return len(self.parts[topic]) > 1

    def part_terms(self, part: int, n: int = 10) -> list[TermWeight]:
        """The n heaviest terms of a part, like ``top_terms``."""
        return self._heaviest(self.part_topic_term[part], n)

    def part_shares(self) -> np.ndarray:
        """part_doc_topic with rows summing to one."""
        return self._part_shares

    @cached_property
    def _part_shares(self) -> np.ndarray:
        return self._shares if self.groups is None else _shared(self.groups.doc_part)

    def part_name(self, part: int) -> str:
        """The topic's name, with a number if it has several parts."""
        topic = next(k for k, columns in enumerate(self.parts) if part in columns)
        place = self.parts[topic].index(part) + 1
        return f"{self.names[topic]} {place}" if self.is_group(topic) else self.names[topic]

    def picked(self, topics: Sequence[int]) -> Topics:
        """These topics only, in this order, with their parts."""
        columns, at = list(topics), np.array(topics, dtype=np.intp)
        return replace(
            self,
            doc_topic=np.take(self.doc_topic, at, axis=1),
            topic_term=np.take(self.topic_term, at, axis=0),
            names=tuple(self.names[k] for k in columns),
            keys=tuple(self.keys[k] for k in columns),
            n_supervised=sum(k < self.n_supervised for k in columns),
            groups=None if self.groups is None else self.groups.picked(columns),
            learned=None if self.learned is None else self.learned.picked(columns),
            state=None if self.state is None else self.state.picked(columns),
        )

    def of_documents(self, doc_ids: Sequence[str]) -> Topics:
        """The same topics beside other documents: one that was not there has no weight yet."""
        if tuple(doc_ids) == self.doc_ids:
            return self
        pairs = zip(self.doc_ids, doc_ids, strict=False)
        known = np.array([i for i, (was, now) in enumerate(pairs) if was == now], dtype=np.intp)
        groups = self.groups
        if groups is not None:
            groups = replace(groups, doc_part=_rows_at(groups.doc_part, known, len(doc_ids)))
        doc_topic = _rows_at(self.doc_topic, known, len(doc_ids))
        return replace(self, doc_topic=doc_topic, doc_ids=tuple(doc_ids), groups=groups)

    def renamed(self, names: tuple[str, ...]) -> Topics:
        """The same topics under other names."""
        return replace(self, names=names)

    def without(self, keys: Collection[TopicKey]) -> Topics:
        """The topics that are not among these."""
        kept = [k for k, key in enumerate(self.keys) if key not in keys]
        return self if len(kept) == len(self) else self.picked(kept)

    def to_frame(self, *, shares: bool = False) -> Any:
        """Topic weights as a pandas frame: a row per document, a column per topic; or shares."""
        import pandas as pd

        values = self.shares() if shares else self.doc_topic
        index = pd.Index(self.doc_ids, name="id")
        return pd.DataFrame(values, index=index, columns=list(self.names))

    def fitted_model(self, matrix: DocumentTermMatrix) -> FittedModel:
        """The model behind the topics, for new texts; ``matrix`` is the one they were fitted to."""
        if self.state is None:
            raise ModelError("These topics were loaded, not fitted; fit again to get their model.")
        if matrix.terms != self.terms or not self._as_fitted():
            raise ModelError("The topics were changed after the fit, or fitted to other words.")
        vectors = matrix.vectors if self.state.n_dimensions else None
        return FittedModel(
            state=self.state,
            vocabulary=matrix.vocabulary,
            spec=self.spec,
            topic_names=self.names,
            meaning=None if vectors is None else MeaningSource.of(vectors),
        )

    def _as_fitted(self) -> bool:
        assert self.state is not None
        fitted = self.state.arrays["components_"]
        return np.array_equal(self.topic_term, fitted[list(self.state.columns)])

    def save(self, path: Path | str) -> None:
        """Write one npz file, whole or not at all; nothing in it is a pickle."""
        with whole_file(path, durable=True) as file:
            np.savez(file, allow_pickle=False, **self._arrays())

    def _arrays(self) -> dict[str, np.ndarray]:
        about = {
            "format": TOPICS_FILE_FORMAT,
            "terms": self.terms,
            "doc_ids": self.doc_ids,
            "names": self.names,
            "keys": self.keys,
            "n_supervised": self.n_supervised,
            "spec": self.spec.to_dict(),
            "trace": self.trace.to_dict(),
            "fingerprint": self.fingerprint,
            "sizes": self.groups.sizes if self.groups else (),
            "learned": self.learned.about() if self.learned else None,
        }
        arrays = {
            "about": np.frombuffer(json.dumps(about).encode("utf-8"), dtype=np.uint8),
            **_packed("doc_topic", self.doc_topic),
            "topic_term": self.topic_term,
        }
        if self.groups is not None:
            arrays |= _packed("doc_part", self.groups.doc_part)
            arrays["part_term"] = self.groups.part_term
        return arrays | (self.learned.arrays() if self.learned else {})

    @classmethod
    def load(cls, path: Path | str) -> Topics:
        """Read what ``save`` wrote."""
        with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as arrays:
            return cls.of_arrays(json.loads(arrays["about"].tobytes().decode("utf-8")), arrays)

    @classmethod
    def of_arrays(cls, about: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Topics:
        """The topics from the parts of the file."""
        from core.spec import ModelSpec

        if about["format"] > TOPICS_FILE_FORMAT:
            raise StoreError("These topics were saved by a newer version of the Studio.")
        n_docs, n_topics = len(about["doc_ids"]), len(about["names"])
        return cls(
            doc_topic=_unpacked("doc_topic", arrays, (n_docs, n_topics)),
            topic_term=arrays["topic_term"],
            terms=tuple(about["terms"]),
            doc_ids=tuple(about["doc_ids"]),
            names=tuple(about["names"]),
            keys=tuple(about.get("keys", ())),  # earlier versions wrote none
            n_supervised=about["n_supervised"],
            spec=ModelSpec.from_dict(about["spec"]),
            trace=Trace.from_dict(about["trace"]),
            fingerprint=about["fingerprint"],
            groups=_groups(tuple(about.get("sizes", ())), arrays, n_docs),
            learned=LearnedWeights.restored(about["learned"], arrays)
            if about.get("learned")
            else None,
        )


def _rows_at(weights: np.ndarray, known: np.ndarray, n_rows: int) -> np.ndarray:
    """Weights with as many rows as that; those that are not known are zero."""
    found = np.zeros((n_rows, weights.shape[1]), dtype=weights.dtype)
    found[known] = weights[known]
    return found


def _shared(weights: np.ndarray) -> np.ndarray:
    total = weights.sum(axis=1, keepdims=True)
    return np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)


CSR_ARRAYS = ("data", "indices", "indptr")


def _packed(name: str, weights: np.ndarray) -> dict[str, np.ndarray]:
    """Weights of documents are mostly zeros, so they travel as CSR."""
    packed = sp.csr_array(weights)
    return {f"{name}_{piece}": getattr(packed, piece) for piece in CSR_ARRAYS}


def _unpacked(name: str, arrays: Mapping[str, np.ndarray], shape: tuple[int, int]) -> np.ndarray:
    pieces = tuple(arrays[f"{name}_{piece}"] for piece in CSR_ARRAYS)
    packed = sp.csr_array(pieces, shape=shape)
    packed.check_format(full_check=True)  # a place outside would be written to
    return packed.toarray()


def _groups(sizes: tuple[int, ...], arrays: Mapping[str, np.ndarray], n_docs: int) -> Groups | None:
    """The parts, if the file has any; files of earlier versions have none."""
    if not sizes:
        return None
    return Groups(sizes, _unpacked("doc_part", arrays, (n_docs, sum(sizes))), arrays["part_term"])
