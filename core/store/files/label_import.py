"""Import labels from a file: first a plan that says what would change, then one batch.

The plan changes nothing. ``new_events_of`` turns it into the events of one batch, so that one undo
takes everything back.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.store import Annotation, CreateTopic, Event, Label, NewEvent, Store
from core.store.events.checks import require_few_topics
from core.store.files.label_files import LabelRow
from core.store.history.imported_labels import IMPORT_TITLE

Choice = Literal["keep", "take", "new"]
CONFLICT_CHOICES: dict[Choice, str] = {
    "keep": "Keep mine where we differ",
    "take": "Take theirs where we differ",
    "new": "Only texts without a label",
}


@dataclass(frozen=True, slots=True)
class ImportedRow:
    """A row of the file, and the position of its document."""

    row: LabelRow
    position: int


@dataclass(frozen=True, slots=True)
class LabelConflict:
    """A document that is labelled differently here: ``mine`` is its label in force."""

    imported: ImportedRow
    mine: Annotation


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPlan:
    """What a file of labels would change in a project at one point of its log."""

    file: str
    revision: int
    n_rows: int
    fresh: tuple[ImportedRow, ...] = ()  # documents without a label
    narrowed: tuple[ImportedRow, ...] = ()  # documents only narrowed down or skipped so far
    conflicts: tuple[LabelConflict, ...] = ()
    same: int = 0  # rows equal to the label in force
    silent: int = 0  # rows without a label
    unknown: tuple[tuple[int, str], ...] = ()  # row, and an id that no document has
    ambiguous: tuple[tuple[int, str], ...] = ()  # row, and an id that several documents have
    repeated: tuple[tuple[int, str], ...] = ()  # row, and an id that a later row has again
    topics: Mapping[str, int] | None = None  # those there are, by name without case
    first_new: int = 1  # the number the next topic will get

    def chosen(self, choice: Choice) -> list[ImportedRow]:
        """The rows to import."""
        if choice == "new":
            return list(self.fresh)
        taken = [*self.fresh, *self.narrowed]
        return taken + ([each.imported for each in self.conflicts] if choice == "take" else [])

    def new_topics(self, choice: Choice) -> tuple[str, ...]:
        """Topics the chosen rows name that are not there yet."""
        known = dict(self.topics or {})
        new: dict[str, str] = {}
        for imported in self.chosen(choice):
            for name in (*imported.row.permitted, *imported.row.forbidden):
                if name.casefold() not in known:
                    new.setdefault(name.casefold(), name)
        return tuple(new.values())


def plan_import(store: Store, project: int, rows: Sequence[LabelRow], file: str) -> ImportPlan:
    """Compare a file with a project."""
    revision = store.revision(project)
    places = defaultdict(list)
    for position, id in enumerate(store.document_ids(project)):
        places[id].append(position)
    annotations, skipped = store.annotations(project), store.skipped(project)
    topics = {topic.name.casefold(): topic.id for topic in store.topics(project)}
    plan = ImportPlan(
        file=file,
        revision=revision,
        n_rows=len(rows),
        topics=topics,
        first_new=store.last_topic(project) + 1,
    )
    found, plan = _match_rows(plan, rows, places)
    return _sort_rows(plan, found, annotations, skipped)


def _match_rows(
    plan: ImportPlan, rows: Sequence[LabelRow], places: Mapping[str, Sequence[int]]
) -> tuple[list[ImportedRow], ImportPlan]:
    """Match rows to documents; rows without exactly one document are listed."""
    last = {row.id: row.row for row in rows}
    times = Counter(row.id for row in rows)
    with_label = [row for row in rows if row.has_label]
    last_rows = [row for row in with_label if row.row == last[row.id]]
    return (
        [
            ImportedRow(row, places[row.id][0])
            for row in last_rows
            if len(places.get(row.id, ())) == 1
        ],
        replace(
            plan,
            silent=len(rows) - len(with_label),
            unknown=tuple((row.row, row.id) for row in last_rows if not places.get(row.id)),
            ambiguous=tuple((r.row, r.id) for r in last_rows if len(places.get(r.id, ())) > 1),
            repeated=tuple(
                (r.row, r.id) for r in with_label if times[r.id] > 1 and r.row != last[r.id]
            ),
        ),
    )


def _sort_rows(
    plan: ImportPlan,
    found: Iterable[ImportedRow],
    annotations: Mapping[int, Annotation],
    skipped: set[int],
) -> ImportPlan:
    fresh, narrowed, conflicts, same = [], [], [], 0
    for imported in found:
        mine = annotations.get(imported.position)
        if mine is not None and _row_content(imported.row, plan) == _annotation_content(mine):
            same += 1
        elif mine is not None and mine.labelled:
            conflicts.append(LabelConflict(imported, mine))
        elif mine is not None or imported.position in skipped:
            narrowed.append(imported)
        else:
            fresh.append(imported)
    return replace(
        plan,
        fresh=tuple(fresh),
        narrowed=tuple(narrowed),
        conflicts=tuple(conflicts),
        same=same,
    )


def _annotation_content(mine: Annotation) -> tuple[object, ...]:
    permitted, forbidden = frozenset(mine.permitted), frozenset(mine.forbidden)
    return permitted, forbidden, mine.confidence, mine.nothing_fits, mine.note


def _row_content(row: LabelRow, plan: ImportPlan) -> tuple[object, ...]:
    known = plan.topics or {}
    permitted, forbidden = (
        frozenset(known.get(name.casefold(), name) for name in names)
        for names in (row.permitted, row.forbidden)
    )
    return permitted, forbidden, row.confidence, row.nothing_fits, row.note


def new_events_of(plan: ImportPlan, choice: Choice) -> list[NewEvent]:
    """New topics first, then the labels that name them."""
    new = plan.new_topics(choice)
    require_few_topics(len(new))
    numbers = dict(plan.topics or {})
    numbers |= {name.casefold(): plan.first_new + i for i, name in enumerate(new)}
    labels = [
        Label(
            imported.position,
            tuple(numbers[name.casefold()] for name in imported.row.permitted),
            tuple(numbers[name.casefold()] for name in imported.row.forbidden),
            imported.row.confidence,
            imported.row.nothing_fits,
            imported.row.note,
        )
        for imported in plan.chosen(choice)
    ]
    return [*(CreateTopic(name) for name in new), *labels]


def import_labels(
    store: Store, project: int, plan: ImportPlan, choice: Choice, *, author: str
) -> Event:
    """Record what the plan says as one batch; refused if anything was recorded since the plan."""
    title = f"{IMPORT_TITLE}{plan.file}"[:120]
    several = new_events_of(plan, choice)
    return store.record_batch(project, title, several, author=author, at=plan.revision)
