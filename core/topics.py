"""Topics: what a fit says about a corpus. Frozen; holds no estimator, draws nothing."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy.sparse as sp

from core.descent import Trace
from core.errors import StoreError
from core.groups import Groups, Layout
from core.learned import Learned

if TYPE_CHECKING:
    from core.fitting import ModelSpec
    from core.guide import Guide

FORMAT = 1  # of the saved file; raised when an older reader would misread it


class TermWeight(NamedTuple):
    """A term and its weight in a topic."""

    term: str
    weight: float


@dataclass(frozen=True, kw_only=True)
class Topics:
    """Topics of one corpus under one model."""

    doc_topic: np.ndarray  # W: (n_docs, n_topics)
    topic_term: np.ndarray  # H: (n_topics, n_terms), every row of unit length
    terms: tuple[str, ...]
    doc_ids: tuple[str, ...]
    names: tuple[str, ...]
    n_supervised: int = 0  # the first n_supervised topics carry the analyst's labels
    spec: ModelSpec
    trace: Trace = field(default_factory=Trace)
    fingerprint: str = ""  # of the matrix the topics were fitted to
    guide: Guide | None = field(default=None, repr=False, compare=False)  # not saved: learnt anew
    groups: Groups | None = field(default=None, repr=False, compare=False)  # parts of some topics
    learned: Learned | None = field(default=None, repr=False, compare=False)  # of labels and nodes

    def __len__(self) -> int:
        return self.topic_term.shape[0]

    def top_terms(self, topic: int, n: int = 10) -> list[TermWeight]:
        """The n heaviest terms of a topic, heaviest first; ties in column order; no zeros."""
        return self._heaviest(self.topic_term[topic], n)

    def _heaviest(self, weights: np.ndarray, n: int) -> list[TermWeight]:
        order = np.argsort(-weights, kind="stable")[:n]
        return [TermWeight(self.terms[j], float(weights[j])) for j in order if weights[j] > 0]

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
        columns = list(topics)
        return replace(
            self,
            doc_topic=np.ascontiguousarray(self.doc_topic[:, columns]),
            topic_term=np.ascontiguousarray(self.topic_term[columns]),
            names=tuple(self.names[k] for k in columns),
            n_supervised=sum(k < self.n_supervised for k in columns),
            groups=None if self.groups is None else self.groups.picked(columns),
            learned=None if self.learned is None else self.learned.picked(columns),
        )

    def renamed(self, names: tuple[str, ...]) -> Topics:
        """The same topics under other names."""
        return replace(self, names=names)

    def save(self, path: Path | str) -> None:
        """Write one npz file, whole or not at all; nothing in it is a pickle."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
        with open(partial, "wb") as file:
            np.savez(file, allow_pickle=False, **self._arrays())
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)

    def _arrays(self) -> dict[str, np.ndarray]:
        about = {
            "format": FORMAT,
            "terms": self.terms,
            "doc_ids": self.doc_ids,
            "names": self.names,
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
        from core.fitting import ModelSpec

        with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as arrays:
            about = json.loads(arrays["about"].tobytes().decode("utf-8"))
            if about["format"] > FORMAT:
                raise StoreError("These topics were saved by a newer version of the Studio.")
            n_docs, n_topics = len(about["doc_ids"]), len(about["names"])
            return cls(
                doc_topic=_unpacked("doc_topic", arrays, (n_docs, n_topics)),
                topic_term=arrays["topic_term"],
                terms=tuple(about["terms"]),
                doc_ids=tuple(about["doc_ids"]),
                names=tuple(about["names"]),
                n_supervised=about["n_supervised"],
                spec=ModelSpec.from_dict(about["spec"]),
                trace=Trace.from_dict(about["trace"]),
                fingerprint=about["fingerprint"],
                groups=_groups(tuple(about.get("sizes", ())), arrays, n_docs),
                learned=Learned.restored(about["learned"], arrays)
                if about.get("learned")
                else None,
            )


def _shared(weights: np.ndarray) -> np.ndarray:
    total = weights.sum(axis=1, keepdims=True)
    return np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)


CSR = ("data", "indices", "indptr")


def _packed(name: str, weights: np.ndarray) -> dict[str, np.ndarray]:
    """Weights of documents are mostly zeros, so they travel as CSR."""
    packed = sp.csr_array(weights)
    return {f"{name}_{piece}": getattr(packed, piece) for piece in CSR}


def _unpacked(name: str, arrays: Mapping[str, np.ndarray], shape: tuple[int, int]) -> np.ndarray:
    pieces = tuple(arrays[f"{name}_{piece}"] for piece in CSR)
    return sp.csr_array(pieces, shape=shape).toarray()


def _groups(sizes: tuple[int, ...], arrays: Mapping[str, np.ndarray], n_docs: int) -> Groups | None:
    """The parts, if the file has any; files of earlier versions have none."""
    if not sizes:
        return None
    return Groups(sizes, _unpacked("doc_part", arrays, (n_docs, sum(sizes))), arrays["part_term"])
