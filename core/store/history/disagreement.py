"""Agreement between people on texts they labelled blind, and the texts on which they differ.

Agreement counts what two people said of a text before either saw the other's label (``coding``);
labels given in sight of another say nothing about agreement, and are only counted. Labels that
were imported are no person's judgement, and are counted apart (``imported_labels``). Where people
differ is told of all labels, the last of each person; a label that settles a disagreement counts
as its end, not as one more judgement.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from core.evaluation.metrics import intervals
from core.evaluation.metrics.agreement import krippendorff_alpha, krippendorff_interval
from core.store import Annotation, Event
from core.store.events.in_force import batch_members, events_in_force
from core.store.events.new_events import BLIND_LABEL
from core.store.garbage_collection import without_garbage_collection
from core.store.history.imported_labels import imported_events
from core.store.state.labels_in_force import annotation_of
from core.store.state.lineage import Lineage, lineage_of

SETTLED_TITLE = "Settled a disagreement"  # the title of the batch that holds the deciding label
MAX_JUDGEMENTS = 2_000  # different ones whose distances are held at once; more take gigabytes
MIN_BLIND_TEXTS = 10  # below which no interval is told, and no verdict

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


@dataclass(frozen=True, slots=True)
class TopicAgreement:
    """Whether two people give a topic to the same texts."""

    topic: int
    texts: int  # of those labelled blind, to which at least one of the two gave it
    both: int  # of these, to which both did
    alpha: float  # nan if all or none of the texts have the topic
    interval: tuple[float, float] | None = None  # 95 %; None with too few texts to tell


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How well the people of a project agree; numbers of texts labelled blind, if not said else."""

    people: tuple[tuple[str, int], ...] = ()  # name and documents judged, blind or not, most first
    imported: int = 0  # documents whose last label came from a file or a column
    shared: int = 0  # documents that two people judged blind
    alike: int = 0  # of those, judged alike
    in_sight: int = 0  # documents that two people judged, but not blind: they are not counted
    judgements: int = 0  # different sets of labels among those; alpha is nan beyond MAX_JUDGEMENTS
    alpha: float = math.nan
    interval: tuple[float, float] | None = None  # 95 %, of alpha; None with too few texts to tell
    by_topic: tuple[TopicAgreement, ...] = ()  # most texts first
    pairs: tuple[AuthorPair, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()  # blind or not; open ones first, then settled
    topics: tuple[tuple[int, int], ...] = ()  # topic id, documents on which people differ about it

    @property
    def open(self) -> tuple[Disagreement, ...]:
        return tuple(each for each in self.disagreements if each.settled is None)

    @property
    def alike_interval(self) -> tuple[float, float]:
        """95 % interval of the share judged alike."""
        low, high = intervals.wilson(self.alike, self.shared)
        return float(low), float(high)


def agreement(events: Iterable[Event], from_file_until: int = 0) -> Agreement:
    """Read a whole log, oldest event first."""
    events = events_in_force(events)
    return agreement_among(events, lineage_of(events), from_file_until)


@without_garbage_collection()
def agreement_among(
    events: Sequence[Event], lineage: Lineage, from_file_until: int = 0
) -> Agreement:
    """The same from the labels and batches in force, oldest first, and the lineage of topics.

    Labels up to the event ``from_file_until`` came with the corpus.
    """
    imported = imported_events(events, from_file_until)
    found = _judgements((each for each in events if each.id not in imported), lineage)
    shared = {p: notes for p, notes in found.last.items() if len(notes) > 1}
    opinions = {p: _pattern(notes) for p, notes in shared.items()}
    differing = Counter(each for each in opinions.values() if _differs(each))
    disagreements = [
        Disagreement(
            position, sides, _settled(sides, _annotation(found.settling.get(position), lineage))
        )
        for position, pattern in opinions.items()
        if pattern in differing
        for sides in [_sides(shared[position], lineage)]
    ]
    people = Counter(note.author for notes in found.last.values() for note in notes)
    blind = Counter(map(_pattern, found.blind.values()))  # many documents are judged alike
    return Agreement(
        people=tuple(people.most_common()),
        imported=_count_imported(events, imported),
        shared=blind.total(),
        alike=sum(n for pattern, n in blind.items() if not _differs(pattern)),
        in_sight=len(shared.keys() - found.blind.keys()),
        judgements=(n := _count_judgements(blind)),
        alpha=_alpha(blind) if n <= MAX_JUDGEMENTS else math.nan,
        interval=_interval(blind) if n <= MAX_JUDGEMENTS else None,
        by_topic=_by_topic(blind, lineage),
        pairs=_pairs(blind),
        disagreements=tuple(
            sorted(disagreements, key=lambda d: (d.settled is not None, d.position))
        ),
        topics=_differing_topics(differing),
    )


def _count_imported(events: Iterable[Event], imported: Container[int]) -> int:
    """The documents whose last label is an imported one."""
    last = {event.position: event.id for event in events if event.kind == "label"}
    return sum(event in imported for event in last.values())


class _Judged(NamedTuple):
    author: str
    judgement: Judgement
    event: Event


class _Found(NamedTuple):
    """By document: the last judgement of each person, the two given blind, what settled it."""

    last: dict[int, list[_Judged]]
    blind: dict[int, list[_Judged]]
    settling: dict[int, Event]


def _judgements(events: Iterable[Event], lineage: Lineage) -> _Found:
    last: dict[int, dict[str, Event]] = {}
    waiting: dict[int, dict[str, Event]] = {}  # labels that waited for a second person
    blind: dict[int, dict[str, Event]] = {}
    settling: dict[int, Event] = {}
    deciding: set[int] = set()
    for event in events:
        position = -1 if event.position is None else event.position
        if event.kind == "batch" and event.payload["title"] == SETTLED_TITLE:
            deciding.update(batch_members(event))
        elif event.kind == BLIND_LABEL and event.payload["spoken"]:
            waiting.setdefault(position, {})[event.author] = event
        elif event.kind == "label" and event.id in deciding:
            settling[position] = event
        elif event.kind == "label":
            known = last.setdefault(position, dict(waiting.get(position, {})))
            known[event.author] = event
            if event.payload.get("blind"):
                blind[position] = dict(known)
    reader = _JudgementReader(lineage)
    judged = {position: reader.all(last[position]) for position in sorted(last)}
    pairs = {position: reader.all(blind[position]) for position in sorted(blind)}
    return _Found(
        {position: notes for position, notes in judged.items() if notes},
        {position: notes for position, notes in pairs.items() if len(notes) == 2},
        settling,
    )


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


def _pattern(notes: Iterable[_Judged]) -> Pattern:
    return tuple((note.author, note.judgement) for note in notes)


def _differs(pattern: Pattern) -> bool:
    return len({judgement for _, judgement in pattern}) > 1


def _both(patterns: Mapping[Pattern, int]) -> list[list[Judgement]]:
    """What the first and what the second of two people said; who they are does not matter."""
    return [[pattern[side][1] for pattern in patterns] for side in (0, 1)]


def _count_judgements(patterns: Iterable[Pattern]) -> int:
    return len({judgement for pattern in patterns for _, judgement in pattern})


def _alpha(patterns: Mapping[Pattern, int]) -> float:
    times = list(patterns.values())
    return krippendorff_alpha(_both(patterns), distance="masi", times=times)


def _interval(patterns: Counter[Pattern]) -> tuple[float, float] | None:
    """Whole texts are drawn, with all that was said of them."""
    if patterns.total() < MIN_BLIND_TEXTS:
        return None
    times = list(patterns.values())
    return krippendorff_interval(_both(patterns), distance="masi", times=times)


def _by_topic(patterns: Counter[Pattern], lineage: Lineage) -> tuple[TopicAgreement, ...]:
    """Of each topic: given or not, by the one and by the other."""
    times, first_and_second = list(patterns.values()), _both(patterns)
    found = []
    for topic in lineage.topics:
        given = [[topic in judgement for judgement in side] for side in first_and_second]
        either = sum(n for a, b, n in zip(*given, times, strict=True) if a or b)
        both = sum(n for a, b, n in zip(*given, times, strict=True) if a and b)
        if either:
            alpha = krippendorff_alpha(given, times=times)
            enough = patterns.total() >= MIN_BLIND_TEXTS
            interval = krippendorff_interval(given, times=times) if enough else None
            found.append(TopicAgreement(topic, either, both, alpha, interval))
    return tuple(sorted(found, key=lambda each: -each.texts))


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
