"""A fitted model away from its texts: it answers about new ones, by the names of topics and labels.

>>> from core import fit
>>> topics = fit(matrix, supervision, ModelSpec("tsnmf", 12))
>>> topics.fitted_model(matrix).save("tickets.tsnmf")
>>> label = FittedModel.load("tickets.tsnmf").predict(["A lamp is broken"]).iloc[0]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
import scipy.sparse as sp

from core.corpus import Corpus
from core.engine.learned import Nodes
from core.engine.prediction import cosines
from core.errors import ModelError
from core.fitted.card import ModelCard
from core.fitted.state import PredictionState
from core.spec import ModelSpec
from core.supervision import TopicKey
from core.text import DocumentVectors, Encoder, Vocabulary
from core.text.encoders import WORDLLAMA, wordllama_encoder, wordllama_installed
from core.text.vectors import unit_rows
from core.values import ArrayValue, html_table

Texts = Corpus | Sequence[str] | Any  # a corpus, a list of texts or a pandas column
AnswerProgress = Callable[[int, int], bool | None]  # texts done, texts in all; True stops

TEXTS_PER_BLOCK = 5_000  # read and answered at a time
LABEL_SEPARATOR = "; "


@dataclass(frozen=True, slots=True)
class MeaningSource:
    """Where the vectors of the texts came from that a model was fitted with."""

    name: str  # as it is shown
    encoder: str = ""  # "wordllama", or "" where the reader must bring the vectors

    @classmethod
    def of(cls, vectors: DocumentVectors) -> MeaningSource:
        """No folder of this machine is named in a file that travels."""
        return cls(vectors.source, WORDLLAMA if vectors.encoder == WORDLLAMA else "")


@dataclass(frozen=True, slots=True)
class NewTexts:
    """New texts as a model reads them."""

    ids: tuple[str, ...]
    X: sp.csr_array
    vectors: np.ndarray | None

    @property
    def silent(self) -> np.ndarray:
        """Texts that say nothing to the model: no word it knows, and no vector."""
        wordless = np.diff(self.X.indptr) == 0
        return wordless if self.vectors is None else wordless & ~self.vectors.any(axis=1)


@dataclass(frozen=True, kw_only=True, eq=False)
class FittedModel(ArrayValue):
    """Topics, labels and vocabulary of a fit, without its texts."""

    state: PredictionState
    vocabulary: Vocabulary
    spec: ModelSpec
    topic_names: tuple[str, ...]  # in the order of ``state.columns``
    meaning: MeaningSource | None = None
    card: ModelCard = field(default_factory=ModelCard)
    encoder: Encoder | None = field(default=None, repr=False, compare=False)  # not saved
    nodes: Nodes | None = field(default=None, repr=False, compare=False)  # not saved, either

    def __repr__(self) -> str:
        n_terms, n_labels = len(self.vocabulary.terms), len(self.label_names)
        return (
            f"FittedModel({self.spec.model!r}, {len(self.topic_names)} topics, "
            f"{n_labels} labels, {n_terms} terms)"
        )

    def _repr_html_(self) -> str:
        labels = ", ".join(self.label_names)
        rows = [("model", self.spec.model), ("topics", ", ".join(self.topic_names))]
        rows += [("labels", labels), ("terms", str(len(self.vocabulary.terms)))]
        return html_table(self.card.title, rows)

    @property
    def label_names(self) -> tuple[str, ...]:
        """The labels that can be predicted."""
        return self.state.labels

    @property
    def predicts(self) -> bool:
        """Whether some text carried a label, so that there is one to predict."""
        return bool(self.state.arrays["class_count_"].any())

    @cached_property
    def _estimator(self) -> Any:
        return self.state.restored(self.spec.estimator(len(self.label_names)))

    @cached_property
    def _encoder(self) -> Encoder | None:
        if self.encoder is not None or self.meaning is None or not self.state.n_dimensions:
            return self.encoder
        known = self.meaning.encoder == WORDLLAMA and wordllama_installed()
        return wordllama_encoder() if known else None

    @property
    def meaning_note(self) -> str:
        """That new texts cannot be read as the old ones were; empty if they can."""
        if not self.state.n_dimensions or self._encoder is not None or self.meaning is None:
            return ""
        return (
            f"The model was fitted with vectors from {self.meaning.name}, which are not here: "
            "new texts are read by their words alone."
        )

    def renamed(self, names: Mapping[TopicKey, str], topics: Sequence[str]) -> FittedModel:
        """The same under other names: of labels by key, of topics in order."""
        pairs = zip(self.state.label_keys, self.state.labels, strict=True)
        labels = tuple(names.get(key, name) for key, name in pairs)
        return replace(self, state=replace(self.state, labels=labels), topic_names=tuple(topics))

    # Answers

    def transform(self, texts: Texts, *, vectors: np.ndarray | None = None) -> pd.DataFrame:
        """Topic weights: a row for each text, a column for each topic."""
        new = self._read(texts, vectors)
        return pd.DataFrame(self._weights(new), index=list(new.ids), columns=list(self.topic_names))

    def predict(
        self, texts: Texts, *, vectors: np.ndarray | None = None
    ) -> pd.Series | pd.DataFrame:
        """The label of each text; where texts may carry several, True or False for each label."""
        new = self._read(texts, vectors)
        found = self._estimator.predict(new.X, **self._more(new))
        if found.ndim == 1:
            return pd.Series(found, index=list(new.ids), name="label", dtype=object)
        return pd.DataFrame(found > 0, index=list(new.ids), columns=list(self.label_names))

    def predict_proba(self, texts: Texts, *, vectors: np.ndarray | None = None) -> pd.DataFrame:
        """How likely each label is to be a text's main one; rows sum to 1."""
        new = self._read(texts, vectors)
        found = self._estimator.predict_proba(new.X, **self._more(new))
        return pd.DataFrame(found, index=list(new.ids), columns=list(self.label_names))

    def table(self, texts: Texts, *, vectors: np.ndarray | None = None) -> pd.DataFrame:
        """Each text's main topic, labels and shares of all topics; ``blocks`` in one piece."""
        blocks = list(self.blocks(texts, vectors=vectors))
        return pd.concat(blocks) if blocks else pd.DataFrame()

    def blocks(
        self,
        texts: Texts,
        *,
        vectors: np.ndarray | None = None,
        progress: AnswerProgress | None = None,
    ) -> Iterator[pd.DataFrame]:
        """``table``, some thousand texts at a time; a text that says nothing to the model has
        neither topic nor label."""
        ids, read = _ids_and_texts(texts)
        for start in range(0, len(read), TEXTS_PER_BLOCK):
            part = slice(start, start + TEXTS_PER_BLOCK)
            given = None if vectors is None else vectors[part]
            yield self._block(self._rows(ids[part], read[part], given))
            if progress is not None and progress(min(part.stop, len(read)), len(read)):
                return

    def _block(self, new: NewTexts) -> pd.DataFrame:
        weights = self._weights(new).astype(np.float64)
        total = weights.sum(axis=1, keepdims=True)
        shares = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
        best, some = shares.argmax(axis=1), (total.ravel() > 0) & ~new.silent
        names = np.array([*self.topic_names, ""], dtype=object)
        main = {
            "main topic": names[np.where(some, best, -1)],
            "main topic share": np.where(some, shares.max(axis=1, initial=0), np.nan),
        }
        known = main | self._label_columns(new) | self._group_columns(shares, some)
        about = pd.DataFrame(known, index=list(new.ids))
        named = [f"share of {name}" for name in self.topic_names]
        return pd.concat([about, pd.DataFrame(shares, index=about.index, columns=named)], axis=1)

    def _label_columns(self, new: NewTexts) -> dict[str, Any]:
        """The labels of each text and the chance of the likeliest one."""
        if not self.predicts:
            return {}
        chances = self._chances(new)
        given = self._estimator.predict(new.X, **self._more(new))
        names, silent = self.label_names, new.silent
        if given.ndim == 1:
            cells = [str(label) for label in given]
        else:
            order = np.argsort(-chances, axis=1, kind="stable")
            cells = [
                LABEL_SEPARATOR.join(names[j] for j in row if carried[j])
                for row, carried in zip(order, given, strict=True)
            ]
        cells = ["" if nothing else cell for cell, nothing in zip(cells, silent, strict=True)]
        best = np.where(silent, np.nan, chances.max(axis=1, initial=0))
        return {"labels": cells, "chance of first label": best}

    def _group_columns(self, shares: np.ndarray, some: np.ndarray) -> dict[str, Any]:
        """At every level above the labels, the group whose texts use topics most like the text."""
        if self.nodes is None or self.nodes.depth < 2:
            return {}
        length = self.state.arrays["topic_length_"][list(self.state.columns)]
        weights = shares / np.where(length > 0, length, 1)  # of topics that sum to one
        found: dict[str, Any] = {}
        for level in range(1, self.nodes.depth):
            names = np.array([*self.nodes.names[level], ""], dtype=object)
            best = cosines(weights, self.nodes.shares(level)).argmax(axis=1)
            title = "group" if self.nodes.depth == 2 else f"group, level {level}"
            found[title] = names[np.where(some, best, -1)]
        return found

    def _chances(self, new: NewTexts) -> np.ndarray:
        answer = getattr(self._estimator, "label_probabilities", self._estimator.predict_proba)
        return np.asarray(answer(new.X, **self._more(new)), dtype=np.float64)

    def _weights(self, new: NewTexts) -> np.ndarray:
        weights = np.asarray(self._estimator.transform(new.X, **self._more(new)))
        if not np.isfinite(weights).all():  # a model's file may have been made by hand
            raise ModelError("The model gives weights that are no numbers.")
        return weights[:, list(self.state.columns)]

    def _more(self, new: NewTexts) -> dict[str, Any]:
        return {} if new.vectors is None else {"vectors": new.vectors}

    def _read(self, texts: Texts, vectors: np.ndarray | None) -> NewTexts:
        return self._rows(*_ids_and_texts(texts), vectors)

    def _rows(
        self, ids: Sequence[str], texts: Sequence[str], vectors: np.ndarray | None
    ) -> NewTexts:
        return NewTexts(
            tuple(ids), self.vocabulary.rows_of(texts), self._vectors_of(texts, vectors)
        )

    def _vectors_of(self, texts: Sequence[str], given: np.ndarray | None) -> np.ndarray | None:
        size = self.state.n_dimensions
        if not size:
            return None
        if given is None and self._encoder is not None:
            given = self._encoder.encode(texts)
        if given is None:
            return None
        values = np.asarray(given)
        if values.shape != (len(texts), size):
            raise ModelError(
                f"The model needs {size} numbers for each of {len(texts):,} texts; "
                f"the vectors are {' × '.join(map(str, values.shape))}."
            )
        return unit_rows(values)

    # One file

    def save(self, path: Path | str, *, compressed: bool = True) -> None:
        """One file without any pickle, written whole or not at all; see ``core.fitted``."""
        from core.fitted.model_file import write_model

        write_model(self, path, compressed=compressed)

    @classmethod
    def load(cls, source: Path | str | bytes | BinaryIO) -> FittedModel:
        """What ``save`` wrote; ModelError for a file that is damaged or of a newer version."""
        from core.fitted.model_file import read_model

        return read_model(source)


def _ids_and_texts(texts: Texts) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if isinstance(texts, Corpus):
        return texts.ids, texts.texts
    if isinstance(texts, str):
        raise ModelError("Give a list of texts, also where it is only one.")
    read = tuple("" if _is_missing(text) else str(text) for text in texts)
    index = getattr(texts, "index", None)
    if index is None or callable(index):  # a list has a method of that name
        index = range(len(read))
    return tuple(map(str, index)), read


def _is_missing(text: object) -> bool:
    return text is None or text is pd.NA or (isinstance(text, float) and np.isnan(text))
