"""Dates, classes and given labels of the documents, as arrays.

A page about 200,000 documents asks for them on every visit; arrays are read in milliseconds.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from core.corpus import Corpus
from core.errors import StoreError
from core.values import ArrayValue, whole_file

FILE_FORMAT = 2  # of the saved file; 1 had all classes in alphabetical order
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DocumentClasses(ArrayValue):
    """A class for every document, by number: ``names[codes[i]]``; negative for none."""

    names: tuple[str, ...]
    codes: np.ndarray  # (n_docs,) int32

    @classmethod
    def of(cls, values: Sequence[str]) -> DocumentClasses:
        """Number the classes in the order in which people read them."""
        names = in_reading_order(set(map(str, values)))
        number = {name: code for code, name in enumerate(names)}
        codes = np.fromiter((number[str(value)] for value in values), np.int32, len(values))
        return cls(tuple(names), codes)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DocumentFacts(ArrayValue):
    """Days, classes and given labels of the documents of one corpus."""

    days: np.ndarray  # (n_docs,) datetime64[D], not-a-time where there is none
    classes: Mapping[str, DocumentClasses] = field(default_factory=dict)
    label_names: tuple[str, ...] = ()
    labels: sp.csr_array | None = None  # (n_docs, n_labels), 1 where a document came with a label

    @property
    def dated(self) -> bool:
        """Whether there are two different days."""
        known = self.days[~np.isnat(self.days)]
        return bool(known.size and known.min() != known.max())

    @classmethod
    def of(cls, corpus: Corpus) -> DocumentFacts:
        names = corpus.label_names
        return cls(
            days=days_of(corpus.dates),
            classes={name: DocumentClasses.of(values) for name, values in corpus.side.items()},
            label_names=names,
            labels=_indicator(corpus.labels, names) if names else None,
        )

    def save(self, path: Path) -> None:
        """One npz file, whole or not at all; nothing in it is a pickle."""
        about = {
            "format": FILE_FORMAT,
            "labels": self.label_names,
            "classes": {name: each.names for name, each in self.classes.items()},
        }
        arrays = {f"class_{i}": each.codes for i, each in enumerate(self.classes.values())}
        if self.labels is not None:
            arrays |= {"label_indices": self.labels.indices, "label_indptr": self.labels.indptr}
        header = np.frombuffer(json.dumps(about).encode(), np.uint8)
        with whole_file(path) as file:
            np.savez(file, allow_pickle=False, about=header, days=self.days.astype("i8"), **arrays)

    @classmethod
    def load(cls, path: Path) -> DocumentFacts:
        """Read what ``save`` wrote."""
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
            about = json.loads(arrays["about"].tobytes())
            if about["format"] != FILE_FORMAT:
                raise StoreError("These facts were saved by another version of the Studio.")
            classes = {
                name: DocumentClasses(tuple(values), arrays[f"class_{i}"])
                for i, (name, values) in enumerate(about["classes"].items())
            }
            days, labels = arrays["days"].astype("M8[D]"), None
            if about["labels"]:
                indices, indptr = arrays["label_indices"], arrays["label_indptr"]
                ones, shape = np.ones(indices.size), (days.size, len(about["labels"]))
                labels = sp.csr_array((ones, indices, indptr), shape=shape)
            return cls(days, classes, tuple(about["labels"]), labels)


def in_reading_order(values: set[str]) -> list[str]:
    """By size where all are numbers, else alphabetical; the one that says nothing is last."""
    filled = sorted(values - {""})
    if all(map(NUMBER.fullmatch, filled)):
        filled.sort(key=float)
    return filled + [""] * ("" in values)


def days_of(dates: Sequence[date | None] | np.ndarray) -> np.ndarray:
    """Dates as datetime64[D], not-a-time where a document has none."""
    if isinstance(dates, np.ndarray):
        return dates.astype("datetime64[D]")
    known: dict[date | None, int] = {None: np.iinfo(np.int64).min}
    for day in set(dates) - {None}:
        known[day] = int(np.datetime64(day, "D").astype(int))
    return np.fromiter((known[day] for day in dates), np.int64, len(dates)).astype("M8[D]")


def _indicator(labels: Sequence[Sequence[str]], names: Sequence[str]) -> sp.csr_array:
    column = {name: j for j, name in enumerate(names)}
    rows = [sorted({column[label] for label in row}) for row in labels]
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)])
    indices = np.fromiter((j for row in rows for j in row), np.int32, int(indptr[-1]))
    shape = (len(rows), len(names))
    return sp.csr_array((np.ones(indices.size), indices, indptr.astype(np.int32)), shape=shape)
