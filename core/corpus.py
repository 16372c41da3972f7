"""A corpus: documents in order, with what is known about each and where they came from."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from types import MappingProxyType
from typing import Any

from core.values import ArrayValue, CopiedByFields, html_table

REPEATED_ID = "the id was already used"  # the kind of a row that was left out


@dataclass(frozen=True, slots=True)
class Document:
    """One text and what came with it."""

    id: str
    text: str
    labels: tuple[str, ...] = ()
    date: date | None = None
    side: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ColumnRoles:
    """Which columns of the source became what; None where there was none."""

    text: str | None = None
    id: str | None = None
    date: str | None = None
    labels: str | None = None
    side: tuple[str, ...] = ()
    label_separator: str | None = None
    more_text: tuple[str, ...] = ()  # columns that were joined with that of the text

    @property
    def texts(self) -> tuple[str, ...]:
        """All columns that the texts come from."""
        return (self.text, *self.more_text) if self.text else ()


@dataclass(frozen=True, slots=True)
class DroppedRow:
    """A row that did not become a document. Rows count from 1 as in the file, header included."""

    row: int
    reason: str

    @property
    def kind(self) -> str:
        """The reason without the id or name in it, so that rows can be counted by it."""
        if self.reason.startswith("the id"):
            return REPEATED_ID
        return "not a .txt file" if self.reason.endswith("is not a .txt file") else self.reason


@dataclass(frozen=True, slots=True)
class Reading:
    """How a corpus was read: every guess that was made and every row that was left out."""

    source: str = ""
    kind: str = ""
    encoding: str | None = None
    delimiter: str | None = None
    columns: ColumnRoles = ColumnRoles()
    rows_read: int = 0
    dropped: tuple[DroppedRow, ...] = ()
    duplicates: tuple[tuple[int, int], ...] = ()
    notes: tuple[str, ...] = ()
    html_removed: bool = False  # whether tags were taken out of the texts where there are any
    added: int = 0  # texts that came later, from other files; the rows above are not theirs

    def reasons(self) -> list[tuple[str, int]]:
        """Why rows were left out, and how many each, most first."""
        return Counter(entry.kind for entry in self.dropped).most_common()


def duplicates(texts: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """(position, position of the first copy) of every text that was there before.

    Space around a text, which nobody sees, makes no other text of it.
    """
    first: dict[str, int] = {}
    bare = (text.strip() for text in texts)
    pairs = ((position, first.setdefault(text, position)) for position, text in enumerate(bare))
    return tuple((position, original) for position, original in pairs if position != original)


class CorpusDigest:
    """Takes documents one by one; their fingerprint is that of a corpus of them."""

    def __init__(self) -> None:
        self._digest = hashlib.blake2b(digest_size=16)

    def add(self, id_: str, text: str, labels: Iterable[str]) -> None:
        for part in (id_, text, *labels):
            self._digest.update(part.encode("utf-8", "surrogatepass"))
            self._digest.update(b"\x1f")
        self._digest.update(b"\x1e")

    @property
    def fingerprint(self) -> str:
        return self._digest.hexdigest()


@dataclass(frozen=True, kw_only=True, eq=False)
class Corpus(ArrayValue, CopiedByFields):
    """Documents in order; immutable, so whatever is made from it can name it by fingerprint."""

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...] = ()
    dates: tuple[date | None, ...] = ()
    side: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    reading: Reading = Reading()

    def __post_init__(self) -> None:
        n = len(self.ids)
        object.__setattr__(self, "labels", self.labels or ((),) * n)
        object.__setattr__(self, "dates", self.dates or (None,) * n)
        object.__setattr__(self, "side", MappingProxyType(dict(self.side)))
        columns = {"texts": self.texts, "labels": self.labels, "dates": self.dates, **self.side}
        for name, values in columns.items():
            if len(values) != n:
                raise ValueError(f"{name}: {len(values)} values for {n} documents")

    def __repr__(self) -> str:
        return f"Corpus({len(self)} documents, source={self.reading.source!r})"

    def _repr_html_(self) -> str:
        n_labelled = sum(bool(row) for row in self.labels)
        rows = [("documents", len(self)), ("source", self.reading.source)]
        rows += [("with labels", n_labelled), ("with a date", sum(map(bool, self.dates)))]
        return html_table("Corpus", [*rows, ("side columns", ", ".join(self.side))])

    def __hash__(self) -> int:
        return hash(self.ids)

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, position: int) -> Document:
        return Document(
            id=self.ids[position],
            text=self.texts[position],
            labels=self.labels[position],
            date=self.dates[position],
            side={name: values[position] for name, values in self.side.items()},
        )

    def __iter__(self) -> Iterator[Document]:
        return (self[position] for position in range(len(self)))

    def rows(self, positions: Sequence[int]) -> Corpus:
        """Some documents, in this order; what was noted when the file was read is left out."""

        def chosen(cells: Sequence[Any]) -> tuple[Any, ...]:
            return tuple(cells[row] for row in positions)

        return Corpus(
            ids=chosen(self.ids),
            texts=chosen(self.texts),
            labels=chosen(self.labels),
            dates=chosen(self.dates),
            side={name: chosen(cells) for name, cells in self.side.items()},
        )

    @classmethod
    def of(cls, frame: Any, *, text: str, **columns: str | None) -> Corpus:
        """A corpus from a pandas frame: ``text``, and as wanted ``id``, ``labels`` and ``date``.

        Labels are names or lists of names; gaps are unlabelled. Rows without text are left out.
        All other columns are kept as side columns.
        """
        from core.values.frames import corpus_columns

        return cls(**corpus_columns(frame, text, columns))

    def to_frame(self) -> Any:
        """The corpus as a pandas frame, a row for each document, ids as the index."""
        from core.values.frames import frame_of

        about = {"text": self.texts, "labels": self.labels, "date": self.dates}
        return frame_of(self.ids, {**about, **self.side})

    @cached_property
    def fingerprint(self) -> str:
        """Changes when an id, a text or a given label changes; the same on every machine."""
        digest = CorpusDigest()
        for document in zip(self.ids, self.texts, self.labels, strict=True):
            digest.add(*document)
        return digest.fingerprint

    @cached_property
    def label_names(self) -> tuple[str, ...]:
        """The given labels, most frequent first, ties in alphabetical order."""
        counts: dict[str, int] = {}
        for labels in self.labels:
            for label in labels:
                counts[label] = counts.get(label, 0) + 1
        return tuple(sorted(counts, key=lambda name: (-counts[name], name)))
