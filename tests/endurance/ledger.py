"""What was asked for and what was acknowledged, held against the log: nothing lost, none twice.

An act of the labelling pane is known by its receipt, which the log holds. An act of anything else
is known by its author and kind. A key is pressed before the pane sends anything: more requests than
keys would be acts that nobody asked for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

Receipt = tuple[str, int]
Source = tuple[str, str]  # author and kind of an act without a receipt


class LogRow(NamedTuple):
    """An event as the log holds it."""

    number: int
    kind: str
    author: str
    receipt: Receipt | None = None
    members: int = 0  # events that follow a batch's head and belong to it


@dataclass(slots=True)
class Findings:
    """What is wrong, a sentence each."""

    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def sentences(self) -> list[str]:
        return [*self.lost, *self.doubled, *self.foreign]


class Ledger:
    """Acts asked for and acknowledged so far, and the rows of the log that are theirs."""

    def __init__(self) -> None:
        self.pressed: Counter[str] = Counter()  # by kind of request
        self.acknowledged = 0
        self._sent: dict[Receipt, str] = {}  # the kind of each request
        self._answers: dict[Receipt, int] = {}  # the event that the answer named
        self._attempted: Counter[Source] = Counter()
        self._done: Counter[Source] = Counter()
        self._by_receipt: defaultdict[Receipt, list[int]] = defaultdict(list)
        self._by_source: defaultdict[Source, list[int]] = defaultdict(list)
        self._foreign: list[LogRow] = []
        self._members_left = 0

    def press(self, *kinds: str) -> None:
        """A key that may lead to one request of each kind."""
        self.pressed.update(kinds)

    def send(self, receipt: Receipt, kind: str) -> None:
        """The pane sends a request, for the first time or again."""
        self._sent[receipt] = kind

    def answer(self, receipt: Receipt, event: int | None) -> None:
        """The pane was answered; without an event there was nothing to do."""
        if event is not None and receipt not in self._answers:
            self._answers[receipt] = event
            self.acknowledged += 1

    def attempt(self, source: Source) -> None:
        """Something without a receipt is about to be done."""
        self._attempted[source] += 1

    def acknowledge(self, source: Source) -> None:
        """Whoever did it has seen that it is done."""
        self._done[source] += 1
        self.acknowledged += 1

    def answered(self, kind: str) -> int:
        """Requests of a kind that have left an event."""
        return sum(self._sent.get(receipt) == kind for receipt in self._answers)

    @property
    def unsent(self) -> int:
        """Keys that led to no request: dropped after a refusal or a reload, or without a text."""
        return self.pressed.total() - len(self._sent)

    @property
    def recorded(self) -> int:
        """Acts on the log; a batch is one."""
        return sum(map(len, (*self._by_receipt.values(), *self._by_source.values())))

    def read(self, rows: Iterable[LogRow]) -> None:
        """Take in what the log has gained, oldest first."""
        for row in rows:
            if self._members_left:
                self._members_left -= 1
            elif row.receipt is not None:
                self._by_receipt[row.receipt].append(row.number)
            elif self._attempted[row.author, row.kind]:
                self._by_source[row.author, row.kind].append(row.number)
            else:
                self._foreign.append(row)
            self._members_left += row.members

    def check(self) -> Findings:
        """Hold everything against everything."""
        return Findings(self._lost(), self._doubled(), self._strangers())

    def _lost(self) -> list[str]:
        lost = [
            f"lost: {self._sent.get(receipt)} {receipt} was acknowledged as event {event}"
            for receipt, event in self._answers.items()
            if event not in self._by_receipt.get(receipt, ())
        ]
        return lost + [
            f"lost: {n - len(self._by_source[source])} of {n} acknowledged, {source}"
            for source, n in self._done.items()
            if n > len(self._by_source[source])
        ]

    def _doubled(self) -> list[str]:
        twice = [(key, rows) for key, rows in self._by_receipt.items() if len(rows) > 1]
        found = [f"doubled: {key} is events {rows}" for key, rows in twice]
        found += [
            f"doubled: {source} was done {self._attempted[source]} times and is events {rows}"
            for source, rows in self._by_source.items()
            if len(rows) > self._attempted[source]
        ]
        sent = Counter(self._sent.values())
        return found + [
            f"doubled: {n} requests of kind {kind} for {self.pressed[kind]} keys"
            for kind, n in sent.items()
            if n > self.pressed[kind]
        ]

    def _strangers(self) -> list[str]:
        unknown: Sequence[object] = [key for key in self._by_receipt if key not in self._sent]
        return [f"foreign: nobody asked for {each}" for each in (*self._foreign, *unknown)]
