"""A log of a million events: how long it takes to open, page, restore, check and copy it.

    python -m tests.endurance.long_log --events 1000000 --home FOLDER

The log is made by the store itself: labels in batches and one by one, skips, undo and redo, topics,
codebook entries and restores. Then every act is timed on it: by the clock, by the work of the
processor, which other programs do not lengthen, and by that part of it during which others could
not write.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, event

from core.corpus import Corpus
from core.store import CreateTopic, EditCodebook, Label, NewEvent, RenameTopic, Restore, Skip, Store
from core.store.events import log, undo
from core.store.events.origin import Origin
from core.store.maintenance.backup import back_up
from core.store.maintenance.checks import check_store
from tsnmf_ui.pages.history import rows
from tsnmf_ui.pages.history.rows import HistoryQuery

DOCUMENTS = 20_000
TOPICS = 12
BATCH = 3_000  # labels of an ordinary batch
SINGLY = 300  # events recorded one by one before the next batch
PEOPLE = ("ann", "ben", "cat")


def build(home: Path, n_events: int, n_documents: int = DOCUMENTS, seed: int = 0) -> None:
    """A project whose log has at least so many events; the store's own functions write them.

    What a build that was stopped has left is continued.
    """
    ids = tuple(map(str, range(n_documents)))
    corpus = Corpus(ids=ids, texts=tuple(f"text number {i} of the log" for i in ids))
    draw = random.Random(seed)
    with Store.open(home=home) as store:
        if not store.projects():
            first = [(CreateTopic(f"Topic {n}"), "ann") for n in range(TOPICS)]
            store.create_project("Long", corpus, author="ann", first_events=first)
            labels = [Label(i, (1 + i % TOPICS,)) for i in range(n_documents)]
            store.record_batch(1, "Everything", labels, author="import")
        [project] = [each.id for each in store.projects()]
        restored = store.revision(project)
        while (revision := store.revision(project)) < n_events:
            _stretch(store, project, draw, n_documents)
            if revision - restored > n_events // 6:  # a restore looks at every event before it
                store.record(project, Restore(revision - 50), author="cat")
                restored = revision


def _stretch(store: Store, project: int, draw: random.Random, n_documents: int) -> None:
    """Some events one by one in one transaction, then a batch, which is undone now and then."""
    with store._database.write() as connection:
        for _ in range(SINGLY):
            _one(connection, project, draw, n_documents)
    chosen = draw.sample(range(n_documents), min(BATCH, n_documents))
    several = [Label(at, (draw.randrange(TOPICS) + 1,)) for at in chosen]
    author = draw.choice(PEOPLE)
    store.record_batch(project, "Several", several, author=author)
    if draw.random() < 0.05:
        store.undo(project, author=author)


def _one(connection: Connection, project: int, draw: random.Random, n_documents: int) -> None:
    origin, chance = Origin(draw.choice(PEOPLE)).checked(), draw.random()
    if chance < 0.08:
        _undo_single(connection, project, origin)
    else:
        log.record(connection, project, _event(draw, chance, n_documents), origin)


def _undo_single(connection: Connection, project: int, origin: Origin) -> None:
    """Batches and restores are undone elsewhere: they look at many events."""
    if undo.plan_undo_or_redo(connection, project, origin, "undo") is None:
        undo.undo(connection, project, origin)


def _event(draw: random.Random, chance: float, n_documents: int) -> NewEvent:
    at, topic = draw.randrange(n_documents), draw.randrange(TOPICS) + 1
    if chance < 0.12:
        return Skip(at)
    if chance < 0.121:
        return RenameTopic(topic, f"Topic {topic} {draw.random():.6f}")
    if chance < 0.122:
        return EditCodebook(topic, definition=f"Definition {draw.random():.6f}")
    return Label(at, (topic,), note="" if chance < 0.9 else f"note {at % 100}")


class LockTimes:
    """How long writing transactions of a store have lasted, in seconds of the processor."""

    def __init__(self, store: Store) -> None:
        self.longest = 0.0
        self._begun = 0.0
        engine = store._database.engine
        event.listen(engine, "before_cursor_execute", self._statement)
        event.listen(engine, "commit", self._commit)

    def _statement(self, _connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement == "BEGIN IMMEDIATE":
            self._begun = time.process_time()

    def _commit(self, _connection: object) -> None:
        if self._begun:
            self.longest = max(self.longest, time.process_time() - self._begun)
        self._begun = 0.0


def acts_on(store: Store, project: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """What people do, by name."""
    middle = store.revision(project) // 2
    asked = HistoryQuery()
    n_pages = rows.pages(store, project, asked)
    yield "History: first page", lambda: rows.read(store, project, asked, 1)
    yield "History: page in the middle", lambda: rows.read(store, project, asked, n_pages // 2)
    yield "History: number of pages", lambda: rows.pages(store, project, asked)
    yield "History: people and kinds", lambda: (store.authors(project), store.kinds(project))
    by_ann = HistoryQuery(authors=("ann",), kinds=("skip",))
    yield "History: one person's skips", lambda: rows.read(store, project, by_ann, 1)
    of_topic = HistoryQuery(topic=3)
    yield "History: one topic", lambda: rows.read(store, project, of_topic, 1)
    revisions = range(0, 2 * middle, max(1, middle // 50))
    yield (
        "Scores: which of 100 runs stand on undone work",
        lambda: store.undone_revisions(project, revisions),
    )
    several = [Label(at, (2,)) for at in range(min(1_000, store.project(project).n_docs))]
    yield (
        "1,000 labels at once",
        lambda: store.record_batch(project, "Thousand", several, author="eve"),
    )
    yield "undo of the 1,000", lambda: store.undo(project, author="eve")
    yield "one label", lambda: store.record(project, Label(7, (2,)), author="ann")
    yield "one undo", lambda: store.undo(project, author="ann")
    yield "preview of a restore to the middle", lambda: store.difference_to(project, middle)
    yield (
        "restore to the middle",
        lambda: store.record(project, Restore(middle), author="dan"),
    )
    yield "one label after it", lambda: store.record(project, Label(8, (2,)), author="ann")
    yield "undo of the restore", lambda: store.undo(project, author="dan")


@contextmanager
def timed(name: str, locks: LockTimes | None = None) -> Iterator[None]:
    if locks is not None:
        locks.longest = 0.0
    begun, worked = time.perf_counter(), time.process_time()
    yield
    seconds, work = time.perf_counter() - begun, time.process_time() - worked
    lock = f"{locks.longest:.3f} s" if locks is not None and locks.longest else ""
    print(f"| {name} | {seconds:.3f} s | {work:.3f} s | {lock} |", flush=True)


def measure(home: Path) -> None:
    """A line of a table for every act."""
    print("| act | time | of it processor | processor with write lock |\n|---|---|---|---|")
    with timed("open"):
        store = Store.open(home=home)
    [project] = [each.id for each in store.projects()]
    locks = LockTimes(store)
    for name, act in acts_on(store, project):
        with timed(name, locks):
            act()
    store.close()
    with timed("doctor: all checks of the store"):
        faults = [each for each in check_store(home) if each.level != "ok"]
    assert faults == [], faults
    with tempfile.TemporaryDirectory(dir=home.parent) as place, timed("backup"):
        back_up(Path(place) / "backup.zip", home)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--events", type=int, default=1_000_000)
    asked.add_argument("--home", type=Path, help="an empty folder, or one this has filled before")
    chosen = asked.parse_args()
    with tempfile.TemporaryDirectory() as place:
        home = chosen.home or Path(place) / "home"
        begun = time.perf_counter()
        build(home, chosen.events)
        print(f"Built in {time.perf_counter() - begun:.0f} s.", flush=True)
        size = (home / "studio.db").stat().st_size / 1e6
        print(f"The database has {size:.0f} MB.", flush=True)
        measure(home)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"Memory at most: {used:.0f} MB. Threads: {threading.active_count()}.")


if __name__ == "__main__":
    main()
