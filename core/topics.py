"""Topics: what a fit says about a corpus. Frozen; holds no estimator, draws nothing."""

from __future__ import annotations

import io
import json
import os
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy.sparse as sp

from core.descent import Trace
from core.errors import StoreError

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

    def __len__(self) -> int:
        return self.topic_term.shape[0]

    def top_terms(self, topic: int, n: int = 10) -> list[TermWeight]:
        """The n heaviest terms of a topic, heaviest first; ties in column order; no zeros."""
        weights = self.topic_term[topic]
        order = np.argsort(-weights, kind="stable")[:n]
        return [TermWeight(self.terms[j], float(weights[j])) for j in order if weights[j] > 0]

    def shares(self) -> np.ndarray:
        """doc_topic with rows summing to one; a document without weight stays zero."""
        return self._shares

    @cached_property
    def _shares(self) -> np.ndarray:
        total = self.doc_topic.sum(axis=1, keepdims=True)
        return np.divide(self.doc_topic, total, out=np.zeros_like(self.doc_topic), where=total > 0)

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
        """W is mostly zeros, so it travels as CSR."""
        W = sp.csr_array(self.doc_topic)
        about = {
            "format": FORMAT,
            "terms": self.terms,
            "doc_ids": self.doc_ids,
            "names": self.names,
            "n_supervised": self.n_supervised,
            "spec": self.spec.to_dict(),
            "trace": self.trace.to_dict(),
            "fingerprint": self.fingerprint,
        }
        return {
            "about": np.frombuffer(json.dumps(about).encode("utf-8"), dtype=np.uint8),
            "doc_topic_data": W.data,
            "doc_topic_indices": W.indices,
            "doc_topic_indptr": W.indptr,
            "topic_term": self.topic_term,
        }

    @classmethod
    def load(cls, path: Path | str) -> Topics:
        """Read what ``save`` wrote."""
        from core.fitting import ModelSpec

        with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as arrays:
            about = json.loads(arrays["about"].tobytes().decode("utf-8"))
            if about["format"] > FORMAT:
                raise StoreError("These topics were saved by a newer version of the Studio.")
            shape = (len(about["doc_ids"]), len(about["names"]))
            parts = tuple(arrays[f"doc_topic_{name}"] for name in ("data", "indices", "indptr"))
            return cls(
                doc_topic=sp.csr_array(parts, shape=shape).toarray(),
                topic_term=arrays["topic_term"],
                terms=tuple(about["terms"]),
                doc_ids=tuple(about["doc_ids"]),
                names=tuple(about["names"]),
                n_supervised=about["n_supervised"],
                spec=ModelSpec.from_dict(about["spec"]),
                trace=Trace.from_dict(about["trace"]),
                fingerprint=about["fingerprint"],
            )
