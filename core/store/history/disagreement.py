"""Agreement between people: the last label of each person on each document, and where they differ.

Labels that settle a disagreement count as its end, not as one more independent judgement, so that
settling cannot make agreement look better than it was.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from core.evaluation.metrics.agreement import krippendorff_alpha
from core.store import Annotation, Event
from core.store.events.in_force import batch_members, events_in_force
from core.store.garbage_collection import without_garbage_collection
from core.store.state.labels_in_force import annotation_of
from core.store.state.lineage import Lineage, lineage_of

SETTLED_TITLE = "Settled a disagreement"  # the title of the batch that holds the deciding label
GOOD_ALPHA, FAIR_ALPHA = 0.8, 0.667  # Krippendorff's own bounds

Judgement = frozenset[int]  # of permitted topics; empty says that nothing fits
Pattern = tuple[tuple[str, Judgement], ...]  # who judges how, by name


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A document on which people differ; ``settled`` is the label that decided it, if any."""

    position: int
    sides: tuple[Annotation, ...]  # one per person, by name
    settled: Annotation | None = None


@dataclass(frozen=True, slots=True)
class AuthorPair:
    """Two people: documents both judged, and those they judged alike."""

    first: str
    second: str
    shared: int
    alike: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How well the people of a project agree."""

    people: tuple[tuple[str, int], ...] = ()  # name and documents judged, most first
    shared: int = 0  # documents that at least two people judged
    alike: int = 0  # of those, judged alike by all
    alpha: float = math.nan
    pairs: tuple[AuthorPair, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()  # open ones first, then settled
    topics: tuple[tuple[int, int], ...] = ()  # topic id, documents on which people differ about it

    @property
    def open(self) -> tuple[Disagreement, ...]:
        return tuple(each for each in self.disagreements if each.settled is None)


def agreement(events: Iterable[Event]) -> Agreement:
    """Read a whole log, oldest event first."""
    events = events_in_force(events)
    return agreement_among(events, lineage_of(events))


@without_garbage_collection()
def agreement_among(events: Iterable[Event], lineage: Lineage) -> Agreement:
    """The same from the labels and batches in force, oldest first, and the lineage of topics."""
    judged, settled = _judgements(events, lineage)
    shared = {p: notes for p, notes in judged.items() if len(notes) > 1}
    opinions = {p: tuple((n.author, n.judgement) for n in notes) for p, notes in shared.items()}
    patterns = Counter(opinions.values())  # many documents are judged alike by the same people
    differing = {
        pattern for pattern in patterns if len({judgement for _, judgement in pattern}) > 1
    }
    disagreements = [
        Disagreement(position, sides, _settled(sides, _annotation(settled.get(position), lineage)))
        for position, pattern in opinions.items()
        if pattern in differing
        for sides in [_sides(shared[position], lineage)]
    ]
    people = Counter(note.author for notes in judged.values() for note in notes)
    return Agreement(
        people=tuple(people.most_common()),
        shared=len(shared),
        alike=len(shared) - len(disagreements),
        alpha=_alpha(patterns),
        pairs=_pairs(patterns),
        disagreements=tuple(
            sorted(disagreements, key=lambda d: (d.settled is not None, d.position))
        ),
        topics=_differing_topics({each: n for each, n in patterns.items() if each in differing}),
    )


def agreement_sentence(found: Agreement) -> str:
    """What Krippendorff's alpha means, in one sentence."""
    if not found.shared:
        return "No text has been labelled by two people yet, so agreement cannot be measured."
    if math.isnan(found.alpha):
        return "All labels are the same, so agreement cannot be measured against chance."
    if found.alpha >= GOOD_ALPHA:
        return "Agreement is good: labels of different people can be used together."
    if found.alpha >= FAIR_ALPHA:
        return "Agreement is fair: draw conclusions with care."
    if found.alpha > 0:
        return "People often differ: discuss the topics below and sharpen the codebook."
    return "Agreement is no better than chance: people may understand the topics differently."


class _Judged(NamedTuple):
    author: str
    judgement: Judgement
    event: Event


def _judgements(
    events: Iterable[Event], lineage: Lineage
) -> tuple[dict[int, list[_Judged]], dict[int, Event]]:
    """The last independent label of each person by document, and the label that settled it."""
    last: dict[int, dict[str, Event]] = {}
    settling: dict[int, Event] = {}
    deciding: set[int] = set()
    for event in events:
        if event.kind == "batch" and event.payload["title"] == SETTLED_TITLE:
            deciding.update(batch_members(event))
        elif event.kind == "label" and event.position is not None:
            if event.id in deciding:
                settling[event.position] = event
            else:
                last.setdefault(event.position, {})[event.author] = event
    reader = _JudgementReader(lineage)
    judged = {position: reader.all(last[position]) for position in sorted(last)}
    return {position: notes for position, notes in judged.items() if notes}, settling


class _JudgementReader:
    """Converts labels to judgements; equal labels are converted once."""

    def __init__(self, lineage: Lineage) -> None:
        self._lineage = lineage
        self._known: dict[tuple[int, ...], Judgement] = {}

    def all(self, labels: Mapping[str, Event]) -> list[_Judged]:
        """The judgement of each person, by name; empty labels are left out."""
        found = [
            _Judged(who, self._judgement(label), label) for who, label in sorted(labels.items())
        ]
        return [each for each in found if each.judgement or each.event.payload["nothing_fits"]]

    def _judgement(self, label: Event) -> Judgement:
        named = tuple(label.payload["permitted"])
        if named not in self._known:
            self._known[named] = frozenset(self._lineage.permitted(named))
        return self._known[named]


def _annotation(label: Event | None, lineage: Lineage) -> Annotation | None:
    return None if label is None else annotation_of(label, lineage)


def _sides(notes: Iterable[_Judged], lineage: Lineage) -> tuple[Annotation, ...]:
    found = (annotation_of(note.event, lineage) for note in notes)
    return tuple(each for each in found if each is not None)


def _settled(notes: Iterable[Annotation], by: Annotation | None) -> Annotation | None:
    """A settling label settles earlier labels, not later ones."""
    return by if by is not None and all(note.event < by.event for note in notes) else None


def _alpha(patterns: Mapping[Pattern, int]) -> float:
    people = sorted({author for pattern in patterns for author, _ in pattern})
    judgement = [dict(pattern) for pattern in patterns]
    judgements = [[each.get(person) for each in judgement] for person in people]
    times = list(patterns.values())
    return krippendorff_alpha(judgements, distance="masi", times=times) if judgement else math.nan


def _pairs(patterns: Mapping[Pattern, int]) -> tuple[AuthorPair, ...]:
    met: Counter[tuple[str, str]] = Counter()
    alike: Counter[tuple[str, str]] = Counter()
    for pattern, times in patterns.items():
        for (one, first), (other, second) in combinations(pattern, 2):
            met[one, other] += times
            alike[one, other] += times * (first == second)
    return tuple(AuthorPair(*pair, count, alike[pair]) for pair, count in met.most_common())


def _differing_topics(patterns: Mapping[Pattern, int]) -> tuple[tuple[int, int], ...]:
    """Topics that some permit and others do not, most often first."""
    counts: Counter[int] = Counter()
    for pattern, times in patterns.items():
        sets = [judgement for _, judgement in pattern]
        differing = frozenset.union(*sets) - frozenset.intersection(*sets)
        counts.update(dict.fromkeys(differing, times))
    return tuple(counts.most_common())
