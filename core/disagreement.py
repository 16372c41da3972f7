"""Where people differ: the last label of each person on each document, and how well they agree.

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

from core.metrics.agreement import krippendorff_alpha
from core.store import Annotation, Event
from core.store.collecting import uncollected
from core.store.fold import annotation_of, in_force
from core.store.lineage import Lineage, lineage_of
from core.store.standing import members

SETTLED = "Settled a disagreement"  # the title of the batch that holds the deciding label
GOOD, FAIR = 0.8, 0.667  # Krippendorff's own bounds

Judgement = frozenset[int]  # of permitted topics; empty says that nothing fits
Pattern = tuple[tuple[str, Judgement], ...]  # who judges how, by name


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A document on which people differ; ``settled`` is the label that decided it, if any."""

    position: int
    sides: tuple[Annotation, ...]  # one per person, by name
    settled: Annotation | None = None


@dataclass(frozen=True, slots=True)
class Pair:
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
    pairs: tuple[Pair, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()  # open ones first, then settled
    topics: tuple[tuple[int, int], ...] = ()  # topic id, documents on which people differ about it

    @property
    def open(self) -> tuple[Disagreement, ...]:
        return tuple(each for each in self.disagreements if each.settled is None)


def agreement(events: Iterable[Event]) -> Agreement:
    """Read a whole log, oldest event first."""
    acts = in_force(events)
    return agreement_among(acts, lineage_of(acts))


@uncollected()
def agreement_among(acts: Iterable[Event], lineage: Lineage) -> Agreement:
    """The same from the labels and batches in force, oldest first, and the topics there are."""
    judged, settled = _judgements(acts, lineage)
    shared = {p: notes for p, notes in judged.items() if len(notes) > 1}
    opinions = {p: tuple((n.author, n.judgement) for n in notes) for p, notes in shared.items()}
    patterns = Counter(opinions.values())  # many documents are judged alike by the same people
    differ = {pattern for pattern in patterns if len({said for _, said in pattern}) > 1}
    listed = [
        Disagreement(position, sides, _ended(sides, _note(settled.get(position), lineage)))
        for position, pattern in opinions.items()
        if pattern in differ
        for sides in [_sides(shared[position], lineage)]
    ]
    people = Counter(note.author for notes in judged.values() for note in notes)
    return Agreement(
        people=tuple(people.most_common()),
        shared=len(shared),
        alike=len(shared) - len(listed),
        alpha=_alpha(patterns),
        pairs=_pairs(patterns),
        disagreements=tuple(sorted(listed, key=lambda d: (d.settled is not None, d.position))),
        topics=_differing_topics({each: n for each, n in patterns.items() if each in differ}),
    )


def reading(found: Agreement) -> str:
    """What alpha means, in one sentence."""
    if not found.shared:
        return "No text was labelled by two people yet, so agreement cannot be told."
    if math.isnan(found.alpha):
        return "Everybody always said the same one thing, so agreement cannot be told from chance."
    if found.alpha >= GOOD:
        return "People agree well: labels of different people can be used alike."
    if found.alpha >= FAIR:
        return "People agree fairly: good enough for careful conclusions."
    if found.alpha > 0:
        return "People differ often: talk about the topics below and sharpen the codebook."
    return "People agree no better than by chance: they may not mean the same by the topics."


class _Said(NamedTuple):
    author: str
    judgement: Judgement
    event: Event


def _judgements(
    acts: Iterable[Event], lineage: Lineage
) -> tuple[dict[int, list[_Said]], dict[int, Event]]:
    """The last independent label of each person by document, and the label that settled it."""
    last: dict[int, dict[str, Event]] = {}
    ends: dict[int, Event] = {}
    deciding: set[int] = set()
    for act in acts:
        if act.kind == "batch" and act.payload["title"] == SETTLED:
            deciding.update(members(act))
        elif act.kind == "label" and act.position is not None:
            if act.id in deciding:
                ends[act.position] = act
            else:
                last.setdefault(act.position, {})[act.author] = act
    heard = _Hearing(lineage)
    judged = {position: heard.all(last[position]) for position in sorted(last)}
    return {position: notes for position, notes in judged.items() if notes}, ends


class _Hearing:
    """Labels as judgements; what many labels permit alike is looked up once."""

    def __init__(self, lineage: Lineage) -> None:
        self._lineage = lineage
        self._known: dict[tuple[int, ...], Judgement] = {}

    def all(self, labels: Mapping[str, Event]) -> list[_Said]:
        """What each person says, by name; a label that says nothing is left out."""
        found = [_Said(who, self._judgement(label), label) for who, label in sorted(labels.items())]
        return [each for each in found if each.judgement or each.event.payload["nothing_fits"]]

    def _judgement(self, label: Event) -> Judgement:
        named = tuple(label.payload["permitted"])
        if named not in self._known:
            self._known[named] = frozenset(self._lineage.permitted(named))
        return self._known[named]


def _note(label: Event | None, lineage: Lineage) -> Annotation | None:
    return None if label is None else annotation_of(label, lineage)


def _sides(notes: Iterable[_Said], lineage: Lineage) -> tuple[Annotation, ...]:
    found = (annotation_of(note.event, lineage) for note in notes)
    return tuple(each for each in found if each is not None)


def _ended(notes: Iterable[Annotation], by: Annotation | None) -> Annotation | None:
    """A settling label ends what was said before it, not what somebody says afterwards."""
    return by if by is not None and all(note.event < by.event for note in notes) else None


def _alpha(patterns: Mapping[Pattern, int]) -> float:
    people = sorted({author for pattern in patterns for author, _ in pattern})
    said = [dict(pattern) for pattern in patterns]
    judgements = [[each.get(person) for each in said] for person in people]
    times = list(patterns.values())
    return krippendorff_alpha(judgements, distance="masi", times=times) if said else math.nan


def _pairs(patterns: Mapping[Pattern, int]) -> tuple[Pair, ...]:
    met: Counter[tuple[str, str]] = Counter()
    alike: Counter[tuple[str, str]] = Counter()
    for pattern, times in patterns.items():
        for (one, first), (other, second) in combinations(pattern, 2):
            met[one, other] += times
            alike[one, other] += times * (first == second)
    return tuple(Pair(*pair, count, alike[pair]) for pair, count in met.most_common())


def _differing_topics(patterns: Mapping[Pattern, int]) -> tuple[tuple[int, int], ...]:
    """Topics that some permit and others do not, most often first."""
    counts: Counter[int] = Counter()
    for pattern, times in patterns.items():
        sets = [judgement for _, judgement in pattern]
        differing = frozenset.union(*sets) - frozenset.intersection(*sets)
        counts.update(dict.fromkeys(differing, times))
    return tuple(counts.most_common())
