"""What a report writes row by row: every text with its topics, and every event of the log.

Rows are made one at a time, so that a report of 200,000 texts needs no second copy of them.
Privacy is applied here, once for all formats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

import numpy as np

from core.corpus import Corpus
from core.insight.shares import NO_TOPIC, main_topics
from core.report.masking import Masker
from core.report.privacy import SMALL_GROUP, PersonNames, Privacy
from core.supervision import Supervision
from core.topics import Topics

NOTHING_FITS = "(nothing fits)"
ROWS_PER_PROGRESS = 500  # progress is told after so many rows

Tell = Callable[[float], bool]  # the share that is done; True stops the work


def nobody(_share: float) -> bool:
    """Nobody asks how far it is, and nobody stops it."""
    return False


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """One text as a report may show it."""

    row: int  # counts from 1, in the order of the corpus
    id: str  # empty where ids are hidden
    text: str  # empty where texts are left out
    date: str
    given_labels: tuple[str, ...]
    labels: tuple[str, ...]
    main_topic: int  # -1 where the model found nothing
    side: tuple[str, ...]
    shares: np.ndarray  # of every topic


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One event of the log."""

    number: int
    time: datetime
    person: str
    kind: str
    what: str


@dataclass(frozen=True, kw_only=True, eq=False)
class DocumentRows:
    """Every text of a corpus with its topics and labels, under a privacy setting."""

    topics: Topics
    corpus: Corpus
    supervision: Supervision
    privacy: Privacy = field(default_factory=Privacy)
    hidden: frozenset[int] = frozenset()  # columns of topics that are left out

    def __len__(self) -> int:
        return len(self.corpus)

    @property
    def columns(self) -> tuple[int, ...]:
        """The topics that are shown."""
        return tuple(k for k in range(len(self.topics)) if k not in self.hidden)

    @property
    def topic_names(self) -> tuple[str, ...]:
        return tuple(self.topics.names[k] for k in self.columns)

    @property
    def side_names(self) -> tuple[str, ...]:
        return tuple(self.corpus.side)

    def __iter__(self) -> Iterator[DocumentRow]:
        shares, columns = self.topics.shares(), list(self.columns)
        main, labels = self._main_topics(), _label_cells(self.supervision, self._hides)
        small, masker = self._small_groups(), Masker(self.privacy.masks)
        for position in range(len(self)):
            yield self._row(
                position, main[position], labels(position), shares, columns, small, masker
            )

    def _row(
        self,
        position: int,
        main: int,
        labels: tuple[str, ...],
        shares: np.ndarray,
        columns: list[int],
        small: Mapping[str, frozenset[str]],
        masker: Masker,
    ) -> DocumentRow:
        corpus, privacy = self.corpus, self.privacy
        date = corpus.dates[position]
        side = (
            SMALL_GROUP if cells[position] in small[name] else masker.mask(cells[position])
            for name, cells in corpus.side.items()
        )
        return DocumentRow(
            row=position + 1,
            id=masker.mask(corpus.ids[position]) if privacy.shows_ids else "",
            text=masker.mask(corpus.texts[position]) if privacy.shows_texts else "",
            date="" if date is None else date.isoformat(),
            given_labels=tuple(n for n in corpus.labels[position] if not self._hides(n)),
            labels=labels,
            main_topic=int(main),
            side=tuple(side),
            shares=shares[position, columns],
        )

    def _hides(self, label: str) -> bool:
        """Whether a label has the name of a topic that is left out."""
        return bool(self.hidden) and label.casefold() in self._hidden_names

    @cached_property
    def _hidden_names(self) -> frozenset[str]:
        return frozenset(self.topics.names[k].casefold() for k in self.hidden)

    def _main_topics(self) -> np.ndarray:
        """Places among the topics that are shown; that of a hidden one is not told."""
        place = np.full(len(self.topics) + 1, NO_TOPIC)
        place[list(self.columns)] = np.arange(len(self.columns))
        return place[main_topics(self.topics)]  # the last place is that of NO_TOPIC

    def _small_groups(self) -> dict[str, frozenset[str]]:
        least = self.privacy.smallest_group
        return {
            name: frozenset(v for v, n in Counter(cells).items() if n < least and v)
            for name, cells in self.corpus.side.items()
        }


def _label_cells(
    supervision: Supervision, hides: Callable[[str], bool]
) -> Callable[[int], tuple[str, ...]]:
    """The labels of a document that are not hidden; or “(nothing fits)”."""
    names, permitted = supervision.names, supervision.permitted
    nothing = supervision.nothing_fits

    def labels(row: int) -> tuple[str, ...]:
        if nothing[row]:
            return (NOTHING_FITS,)
        carried = permitted.indices[permitted.indptr[row] : permitted.indptr[row + 1]]
        return tuple(names[j] for j in carried if not hides(names[j]))

    return labels


@dataclass(frozen=True, kw_only=True, eq=False)
class ReportRows:
    """The rows of a report: its texts, and the events of its log."""

    documents: DocumentRows | None = None
    history: Callable[[], Iterable[HistoryRow]] = tuple
    people: PersonNames | None = None
    masks: bool = True

    def events(self) -> Iterator[HistoryRow]:
        """The log with people as the report calls them."""
        masker, shown = Masker(self.masks), self.people is not None and self.people.shown
        for each in self.history():
            name = self.people.name(each.person) if shown and self.people else ""
            yield HistoryRow(each.number, each.time, name, each.kind, masker.mask(each.what))


NO_ROWS = ReportRows()
