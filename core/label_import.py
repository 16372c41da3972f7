"""Bring labels in from a file: first a dry run that says what would happen, then one act.

Nothing is changed by the plan. ``acts_of`` turns it into the acts of one batch, so that one undo
takes everything back.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.label_files import LabelRow
from core.store import Act, Annotation, CreateTopic, Event, Label, Store

Choice = Literal["keep", "take", "new"]
CHOICES: dict[Choice, str] = {
    "keep": "Keep mine where we differ",
    "take": "Take theirs where we differ",
    "new": "Only texts that nobody has touched",
}


@dataclass(frozen=True, slots=True)
class Incoming:
    """A row that found its document."""

    row: LabelRow
    position: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """A document that is labelled differently here; ``mine`` tells by whom and how."""

    incoming: Incoming
    mine: Annotation


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPlan:
    """What a file of labels would change in a project at one point of its log."""

    file: str
    revision: int
    n_rows: int
    fresh: tuple[Incoming, ...] = ()  # documents nobody has said anything about
    narrowed: tuple[Incoming, ...] = ()  # only narrowed down or skipped so far
    conflicts: tuple[Conflict, ...] = ()
    same: int = 0  # rows that say what is said here already
    silent: int = 0  # rows that say nothing
    unknown: tuple[tuple[int, str], ...] = ()  # row, and an id that no document has
    ambiguous: tuple[tuple[int, str], ...] = ()  # row, and an id that several documents have
    repeated: tuple[tuple[int, str], ...] = ()  # row, and an id that a later row has again
    topics: Mapping[str, int] | None = None  # those there are, by name without case
    first_new: int = 1  # the number the next topic will get

    def chosen(self, choice: Choice) -> list[Incoming]:
        """The rows that come in."""
        if choice == "new":
            return list(self.fresh)
        taken = [*self.fresh, *self.narrowed]
        return taken + ([each.incoming for each in self.conflicts] if choice == "take" else [])

    def new_topics(self, choice: Choice) -> tuple[str, ...]:
        """Topics the chosen rows name that are not there yet."""
        known = dict(self.topics or {})
        new: dict[str, str] = {}
        for incoming in self.chosen(choice):
            for name in (*incoming.row.permitted, *incoming.row.forbidden):
                if name.casefold() not in known:
                    new.setdefault(name.casefold(), name)
        return tuple(new.values())


def plan_import(store: Store, project: int, rows: Sequence[LabelRow], file: str) -> ImportPlan:
    """Hold a file against a project."""
    revision = store.revision(project)
    places = defaultdict(list)
    for position, id in enumerate(store.document_ids(project)):
        places[id].append(position)
    said, skipped = store.annotations(project), store.skipped(project)
    topics = {topic.name.casefold(): topic.id for topic in store.topics(project)}
    plan = ImportPlan(
        file=file,
        revision=revision,
        n_rows=len(rows),
        topics=topics,
        first_new=store.last_topic(project) + 1,
    )
    found, plan = _found(plan, rows, places)
    return _sorted(plan, found, said, skipped)


def _found(
    plan: ImportPlan, rows: Sequence[LabelRow], places: Mapping[str, Sequence[int]]
) -> tuple[list[Incoming], ImportPlan]:
    """Rows with the document each is about; the others are listed."""
    last = {row.id: row.row for row in rows}
    times = Counter(row.id for row in rows)
    loud = [row for row in rows if row.says]
    alone = [row for row in loud if row.row == last[row.id]]
    return (
        [Incoming(row, places[row.id][0]) for row in alone if len(places.get(row.id, ())) == 1],
        replace(
            plan,
            silent=len(rows) - len(loud),
            unknown=tuple((row.row, row.id) for row in alone if not places.get(row.id)),
            ambiguous=tuple((r.row, r.id) for r in alone if len(places.get(r.id, ())) > 1),
            repeated=tuple((r.row, r.id) for r in loud if times[r.id] > 1 and r.row != last[r.id]),
        ),
    )


def _sorted(
    plan: ImportPlan,
    found: Iterable[Incoming],
    said: Mapping[int, Annotation],
    skipped: set[int],
) -> ImportPlan:
    fresh, narrowed, conflicts, same = [], [], [], 0
    for incoming in found:
        mine = said.get(incoming.position)
        if mine is not None and _says(incoming.row, plan) == _meaning(mine):
            same += 1
        elif mine is not None and mine.labelled:
            conflicts.append(Conflict(incoming, mine))
        elif mine is not None or incoming.position in skipped:
            narrowed.append(incoming)
        else:
            fresh.append(incoming)
    return replace(
        plan,
        fresh=tuple(fresh),
        narrowed=tuple(narrowed),
        conflicts=tuple(conflicts),
        same=same,
    )


def _meaning(mine: Annotation) -> tuple[object, ...]:
    permitted, forbidden = frozenset(mine.permitted), frozenset(mine.forbidden)
    return permitted, forbidden, mine.confidence, mine.nothing_fits, mine.note


def _says(row: LabelRow, plan: ImportPlan) -> tuple[object, ...]:
    known = plan.topics or {}
    permitted, forbidden = (
        frozenset(known.get(name.casefold(), name) for name in names)
        for names in (row.permitted, row.forbidden)
    )
    return permitted, forbidden, row.confidence, row.nothing_fits, row.note


def acts_of(plan: ImportPlan, choice: Choice) -> list[Act]:
    """New topics first, then the labels that name them."""
    new = plan.new_topics(choice)
    numbers = dict(plan.topics or {})
    numbers |= {name.casefold(): plan.first_new + i for i, name in enumerate(new)}
    labels = [
        Label(
            incoming.position,
            tuple(numbers[name.casefold()] for name in incoming.row.permitted),
            tuple(numbers[name.casefold()] for name in incoming.row.forbidden),
            incoming.row.confidence,
            incoming.row.nothing_fits,
            incoming.row.note,
        )
        for incoming in plan.chosen(choice)
    ]
    return [*(CreateTopic(name) for name in new), *labels]


def import_labels(
    store: Store, project: int, plan: ImportPlan, choice: Choice, *, author: str
) -> Event:
    """Do what the plan says, as one act; refused if anybody acted since the plan was made."""
    title = f"Import of {plan.file}"[:120]
    acts = acts_of(plan, choice)
    return store.record_batch(project, title, acts, author=author, at=plan.revision)
