"""Give texts to people to label: equal parts, or a share, drawn at random; and what is left."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from core.errors import StudioError
from core.store import AssignTexts, Event, Project, Store
from core.store.coding.double_coding import seed_of
from core.values import count


class AssignedWork(NamedTuple):
    """How many texts a person was given, and how many of them are left."""

    person: str
    assigned: int
    left: int


def assigned_work(store: Store, project: int) -> list[AssignedWork]:
    """Of everybody who was given texts, by name."""
    labelled = {p for p, each in store.annotations(project).items() if each.labelled}
    done = labelled | store.skipped(project)
    waiting = store.waiting_labels(project, labelled)
    found = []
    for person, texts in sorted(store.assignments(project).by_person.items()):
        spoken = {p for p in texts if p in waiting and person in waiting[p]}
        confirmed = {p for p in spoken if waiting[p][person].spoken}
        found.append(AssignedWork(person, len(texts), len(texts - done - confirmed)))
    return found


def unassigned_texts(store: Store, project: Project) -> list[int]:
    """Texts that nobody has labelled, skipped or been given."""
    done = {p for p, each in store.annotations(project.id).items() if each.labelled}
    taken = done | store.skipped(project.id) | store.assignments(project.id).all
    return [position for position in range(project.n_docs) if position not in taken]


def assign_equal_parts(
    store: Store, project: Project, people: Sequence[str], *, author: str
) -> Event:
    """Deal all texts that are nobody's to people at random, as evenly as can be; one undo."""
    names, texts = _names(people), _shuffled(store, project)
    if len(texts) < len(names):
        raise StudioError("There are fewer texts left than people.")
    parts = [tuple(texts[i :: len(names)]) for i in range(len(names))]
    return _assign(store, project, names, parts, author)


def assign_shares(
    store: Store, project: Project, people: Sequence[str], share: float, *, author: str
) -> Event:
    """Give each person this share of the texts that are nobody's, at random; one undo."""
    names, texts = _names(people), _shuffled(store, project)
    size = round(share * len(texts))
    if not 0 < size * len(names) <= len(texts):
        raise StudioError("There are not so many texts left.")
    parts = [tuple(texts[i * size : (i + 1) * size]) for i in range(len(names))]
    return _assign(store, project, names, parts, author)


def _assign(
    store: Store, project: Project, names: list[str], parts: list[tuple[int, ...]], author: str
) -> Event:
    events = [AssignTexts(name, part) for name, part in zip(names, parts, strict=True)]
    texts, people = sum(map(len, parts)), count(len(names), "person", "people")
    title = f"Assigned {count(texts, 'text')} to {people} at random"
    return store.record_batch(project.id, title, events, author=author)


def _names(people: Sequence[str]) -> list[str]:
    names = list(dict.fromkeys(" ".join(name.split()) for name in people if name.strip()))
    if not names:
        raise StudioError("Name at least one person.")
    return names


def take_back(store: Store, project: int, person: str, *, author: str) -> Event:
    """Take from a person all texts they were given."""
    texts = store.assignments(project).of(person)
    return store.record(project, AssignTexts("", tuple(texts)), author=author)


def _shuffled(store: Store, project: Project) -> list[int]:
    """In an order that follows from the project and the point of its log alone."""
    texts = unassigned_texts(store, project)
    random.Random(seed_of(f"{project.fingerprint} {store.revision(project.id)}")).shuffle(texts)
    return texts
