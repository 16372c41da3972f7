"""Document vectors: what texts are about, as numbers, beside the words they hold.

Two texts that say the same in other words have similar vectors. The vectors come from an
``Encoder`` (``core.text.encoders``) or from the analyst. Without them everything works on words.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np

from core.errors import TextError
from core.values import ArrayValue, html_table, whole_file

TEXTS_PER_BATCH = 1_000  # between two reports of progress

Progress = Callable[[int, int], None]  # texts done, texts in all; may raise to stop


class Encoder(Protocol):
    """Turns texts into vectors, always in the same way."""

    @property
    def name(self) -> str:
        """As it is shown: “wordllama 256”."""

    @property
    def key(self) -> str:
        """What ``encoders.encoder_from`` finds it by again."""

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """One float32 row of length 1 for each text; zeros for a text that says nothing."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DocumentVectors(ArrayValue):
    """One vector for each document of a corpus, in its order."""

    values: np.ndarray  # (n_docs, n_dimensions) float32, rows of length 1 or 0
    source: str  # where they come from, as it is shown
    encoder: str = ""  # key of the encoder that made them; "" if they are the analyst's own
    fingerprint: str = ""  # of values and source; given or computed

    def __post_init__(self) -> None:
        values = np.ascontiguousarray(self.values, dtype=np.float32)
        if values.ndim != 2:
            raise TextError("Vectors are a table: a row for each text, a column for each number.")
        object.__setattr__(self, "values", values)
        if not self.fingerprint:
            object.__setattr__(self, "fingerprint", _fingerprint(values, self.source))

    def __repr__(self) -> str:
        n_docs, n_dimensions = self.values.shape
        return f"DocumentVectors({n_docs} documents, {n_dimensions} numbers each, {self.source!r})"

    def _repr_html_(self) -> str:
        n_docs, n_dimensions = self.values.shape
        rows = [("documents", n_docs), ("numbers each", n_dimensions), ("source", self.source)]
        return html_table("Document vectors", rows)

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def of(cls, values: np.ndarray, source: str) -> DocumentVectors:
        """Vectors of any length, brought to length 1."""
        return cls(values=unit_rows(values), source=source)

    def save(self, path: str | Path, *, durable: bool = False) -> None:
        """One npz file: an array and a JSON text, nothing pickled; whole or not at all."""
        about = {"source": self.source, "encoder": self.encoder, "fingerprint": self.fingerprint}
        with whole_file(path, durable=durable) as file:
            np.savez(
                file,
                values=self.values,
                about=np.frombuffer(json.dumps(about).encode("utf8"), dtype=np.uint8),
            )

    @classmethod
    def load(cls, source: str | Path | BinaryIO) -> DocumentVectors:
        """What ``save`` wrote."""
        with np.load(source, allow_pickle=False) as file:
            about: dict[str, Any] = json.loads(file["about"].tobytes())
            return cls(values=file["values"], **about)


def encode_documents(
    encoder: Encoder, texts: Sequence[str], progress: Progress | None = None
) -> DocumentVectors:
    """The vectors of a whole corpus, a batch at a time."""
    batches = []
    for start in range(0, len(texts), TEXTS_PER_BATCH):
        batches.append(encoder.encode(texts[start : start + TEXTS_PER_BATCH]))
        if progress is not None:
            progress(min(start + TEXTS_PER_BATCH, len(texts)), len(texts))
    values = np.concatenate(batches) if batches else encoder.encode(texts)
    return DocumentVectors(values=values, source=encoder.name, encoder=encoder.key)


def unit_rows(values: np.ndarray) -> np.ndarray:
    """Every row divided by its length, in float32; rows of zeros stay."""
    rows = np.asarray(values, dtype=np.float64)
    if not np.isfinite(rows).all():
        raise TextError("Vectors hold a value that is no number.")
    largest = np.abs(rows).max(axis=1, initial=0.0, keepdims=True)
    rows = rows / np.where(largest > 0, largest, 1.0)  # so that no square overflows or vanishes
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(length > 0, length, 1.0)).astype(np.float32)


def _fingerprint(values: np.ndarray, source: str) -> str:
    digest = hashlib.blake2b(digest_size=16)
    digest.update(json.dumps([source, list(values.shape)]).encode("utf8"))
    digest.update(values.data)
    return digest.hexdigest()
