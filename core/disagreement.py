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

from core.metrics.agreement import krippendorff_alpha
from core.store import Annotation, Event
from core.store.fold import annotation_of, in_force
from core.store.lineage import lineage_of
from core.store.standing import members

SETTLED = "Settled a disagreement"  # the title of the batch that holds the deciding label
GOOD, FAIR = 0.8, 0.667  # Krippendorff's own bounds

Judgement = frozenset[int]  # of permitted topics; empty says that nothing fits


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
    judged, settled = _judgements(list(events))
    shared = {p: notes for p, notes in judged.items() if len(notes) > 1}
    differ = {p: notes for p, notes in shared.items() if len(set(map(_judgement, notes))) > 1}
    listed = [
        Disagreement(position, tuple(notes), _ended(notes, settled.get(position)))
        for position, notes in differ.items()
    ]
    people = Counter(note.author for notes in judged.values() for note in notes)
    return Agreement(
        people=tuple(people.most_common()),
        shared=len(shared),
        alike=len(shared) - len(differ),
        alpha=_alpha(shared),
        pairs=_pairs(shared),
        disagreements=tuple(sorted(listed, key=lambda d: (d.settled is not None, d.position))),
        topics=_differing_topics(differ),
    )


def reading(found: Agreement) -> str:
    """What alpha means, in one sentence."""
    if not found.shared:
        return "No document was labelled by two people yet, so agreement cannot be told."
    if math.isnan(found.alpha):
        return "Everybody always said the same one thing, so agreement cannot be told from chance."
    if found.alpha >= GOOD:
        return "People agree well: labels of different people can be used alike."
    if found.alpha >= FAIR:
        return "People agree fairly: good enough for careful conclusions."
    if found.alpha > 0:
        return "People differ often: talk about the topics below and sharpen the codebook."
    return "People agree no better than by chance: they may not mean the same by the topics."


def _judgements(
    log: list[Event],
) -> tuple[dict[int, list[Annotation]], dict[int, Annotation]]:
    """The last independent label of each person by document, and the label that settled it."""
    acts = in_force(log)
    lineage = lineage_of(acts)
    heads = [act for act in acts if act.kind == "batch" and act.payload["title"] == SETTLED]
    deciding = {number for head in heads for number in members(head)}
    last: dict[tuple[int, str], Event] = {}
    ends: dict[int, Event] = {}
    for act in acts:
        if act.kind == "label" and act.position is not None:
            if act.id in deciding:
                ends[act.position] = act
            else:
                last[act.position, act.author] = act
    judged: dict[int, list[Annotation]] = {}
    for (position, _), act in sorted(last.items(), key=lambda pair: pair[0]):
        note = annotation_of(act, lineage)
        if note is not None and note.labelled:
            judged.setdefault(position, []).append(note)
    settled = {p: note for p, act in ends.items() if (note := annotation_of(act, lineage))}
    return judged, settled


def _judgement(note: Annotation) -> Judgement:
    return frozenset(note.permitted)


def _ended(notes: Iterable[Annotation], by: Annotation | None) -> Annotation | None:
    """A settling label ends what was said before it, not what somebody says afterwards."""
    return by if by is not None and all(note.event < by.event for note in notes) else None


def _alpha(shared: Mapping[int, list[Annotation]]) -> float:
    people = sorted({note.author for notes in shared.values() for note in notes})
    said = [{note.author: _judgement(note) for note in notes} for notes in shared.values()]
    judgements = [[each.get(person) for each in said] for person in people]
    return krippendorff_alpha(judgements, distance="masi") if said else math.nan


def _pairs(shared: Mapping[int, list[Annotation]]) -> tuple[Pair, ...]:
    met: Counter[tuple[str, str]] = Counter()
    alike: Counter[tuple[str, str]] = Counter()
    for notes in shared.values():
        for one, other in combinations(notes, 2):
            pair = (one.author, other.author)
            met[pair] += 1
            alike[pair] += _judgement(one) == _judgement(other)
    return tuple(Pair(*pair, count, alike[pair]) for pair, count in met.most_common())


def _differing_topics(differ: Mapping[int, list[Annotation]]) -> tuple[tuple[int, int], ...]:
    """Topics that some permit and others do not, most often first."""
    counts: Counter[int] = Counter()
    for notes in differ.values():
        sets = [_judgement(note) for note in notes]
        counts.update(frozenset.union(*sets) - frozenset.intersection(*sets))
    return tuple(counts.most_common())
