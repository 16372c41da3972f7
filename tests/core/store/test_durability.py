"""What was acknowledged is on disk: killed writers, two writers, many threads."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import pytest

from core.corpus import Corpus
from core.store import AddedTexts, CreateTopic, Label, Store, TextChanges, replay
from tests.core.store.conftest import AddressOf

ACTS = 200
WRITERS = 20
SEQUENCES = range(ACTS)
CORPUS = Corpus(ids=tuple(map(str, SEQUENCES)), texts=tuple(f"text {i}" for i in SEQUENCES))

pytestmark = pytest.mark.skipif(
    "forkserver" not in multiprocessing.get_all_start_methods(), reason="needs fork and SIGKILL"
)


class Place(NamedTuple):
    """A home and the address of its database, for processes that are told where to write."""

    home: Path
    url: str | None

    @property
    def kills(self) -> int:
        """Fewer where each costs a connection; what is asked is the same."""
        return ACTS if self.url is None else ACTS // 5

    def open(self) -> Store:
        return Store.open(self.url, home=self.home)


@pytest.fixture
def place(tmp_path: Path, address_of: AddressOf) -> Place:
    return Place(tmp_path, address_of(tmp_path))


def new_project(place: Place) -> None:
    first = [(CreateTopic("Waste"), "ann"), (CreateTopic("Roads"), "ann")]
    with place.open() as store:
        store.create_project("Desk", CORPUS, author="ann", first_events=first)


def record_from(place: Place, events: range, client: str, acknowledge: Connection) -> None:
    """Record one event after another and say so after each."""
    store = place.open()
    for sequence in events:
        act = Label(sequence, (1 + sequence % 2,))
        event = store.record(1, act, author=client, client=client, sequence=sequence)
        acknowledge.send((sequence, event.id))
    store.close()


class Writer:
    """A process that records, with the pipe it acknowledges through."""

    context = multiprocessing.get_context("forkserver")

    def __init__(self, place: Place, events: range, client: str) -> None:
        self.acknowledged, theirs = self.context.Pipe(duplex=False)
        self.process = self.context.Process(
            target=record_from, args=(place, events, client, theirs), daemon=True
        )
        self.process.start()
        theirs.close()

    def kill(self) -> None:
        if self.process.pid is not None and self.process.is_alive():
            os.kill(self.process.pid, signal.SIGKILL)
        self.process.join()

    def rest(self) -> list[tuple[int, int]]:
        """What it said before it died, to the last complete word."""
        said = []
        try:
            while True:
                said.append(self.acknowledged.recv())
        except EOFError:
            self.acknowledged.close()
        return said


@pytest.fixture(scope="module", autouse=True)
def _warm_server() -> None:
    Writer.context.set_forkserver_preload(["core.store", __name__])


def test_a_kill_after_every_event_loses_none(place: Place) -> None:
    """The writer goes on until it dies, so the kill falls into whatever it is doing next."""
    new_project(place)
    acknowledged: dict[int, int] = {}
    for sequence in range(place.kills):
        writer = Writer(place, range(sequence, place.kills), "tab")
        first = writer.acknowledged.recv()
        writer.kill()
        for position, event in [first, *writer.rest()]:
            assert acknowledged.setdefault(position, event) == event
    with place.open() as store:
        labels = [event for event in store.events(1) if event.kind == "label"]
        assert {event.position: event.id for event in labels} == acknowledged
        assert len(labels) == place.kills
        assert replay(store.events(1)).annotations == store.annotations(1)


def test_two_processes_lose_nothing(place: Place) -> None:
    new_project(place)
    writers = [Writer(place, SEQUENCES, client) for client in ("ann", "ben")]
    said = [writer.rest() for writer in writers]
    for writer in writers:
        writer.process.join()
    with place.open() as store:
        ids = sorted(event for each in said for _, event in each)
        assert ids == list(range(3, 3 + 2 * ACTS))
        assert store.revision(1) == 2 + 2 * ACTS
        assert replay(store.events(1)).annotations == store.annotations(1)


def test_threads_of_one_store_lose_nothing(place: Place) -> None:
    new_project(place)
    with place.open() as store:

        def label(author: str) -> None:
            for position in range(25):
                store.record(1, Label(position, (1,)), author=author)
                store.annotation(1, position)

        threads = [threading.Thread(target=label, args=(f"author {i}",)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.revision(1) == 2 + 4 * 25
        assert store.project(1).n_labelled == 25
        assert replay(store.events(1)).annotations == store.annotations(1)


def test_twenty_writers_with_stores_of_their_own_lose_nothing(place: Place) -> None:
    """As many servers or commands at once as anybody would start."""
    new_project(place)
    acts, ready = 5, threading.Barrier(WRITERS)

    def write(number: int) -> None:
        with place.open() as store:
            ready.wait()
            for position in range(acts):
                store.record(1, Label(number * acts + position, (1,)), author=f"author {number}")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with place.open() as store:
        assert [event.id for event in store.events(1)] == list(range(1, 3 + WRITERS * acts))
        assert store.project(1).n_labelled == len(store.annotations(1)) == WRITERS * acts
        assert replay(store.events(1)).annotations == store.annotations(1)


def test_opening_at_the_same_moment(place: Place) -> None:
    """The first start of two processes must not make the tables twice."""
    ready = threading.Barrier(4)
    opened: list[int] = []

    def open_one() -> None:
        ready.wait()
        with place.open() as store:
            opened.append(len(store.projects()))

    threads = [threading.Thread(target=open_one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert opened == [0, 0, 0, 0]


def turn_from(place: Place, acknowledge: Connection) -> None:
    """Label everything at once and take it back, again and again, and say so each time."""
    with place.open() as store:
        while True:
            labels = [Label(position, (1,)) for position in range(ACTS)]
            store.record_batch(1, "Bulk", labels, author="ann")
            acknowledge.send("done")
            store.undo(1, author="ann")
            acknowledge.send("undone")


def killed_after(place: Place, target: Callable[[Place, Connection], None], spoken: int) -> None:
    """Let a process say so many things; the kill falls into whatever it does after the last."""
    acknowledged, theirs = Writer.context.Pipe(duplex=False)
    process = Writer.context.Process(target=target, args=(place, theirs), daemon=True)
    process.start()
    theirs.close()
    for _ in range(spoken):
        acknowledged.recv()
    process.kill()
    process.join()
    acknowledged.close()


def add_and_take_back(place: Place, acknowledge: Connection) -> None:
    """Double the texts and take them back, again and again, and say so each time."""
    twice = Corpus(
        ids=(*CORPUS.ids, *(f"n{i}" for i in SEQUENCES)), texts=(*CORPUS.texts, *CORPUS.texts)
    )
    about = AddedTexts(file="more.csv", first=ACTS, added=ACTS)
    with place.open() as store:
        while True:
            new = {"about": about, "corpus": twice, "updated": ()}
            revision = store.texts_revision(1)
            store.add_texts(1, TextChanges(**new, texts_revision=revision), author="ann")
            acknowledge.send("done")
            store.undo(1, author="ann")
            acknowledge.send("undone")


def test_a_kill_leaves_added_texts_whole_or_not_there(place: Place) -> None:
    new_project(place)
    for spoken in range(1, 7):
        killed_after(place, add_and_take_back, spoken)
        with place.open() as store:
            project, corpus = store.project(1), store.corpus(1)
            assert project.n_docs == len(corpus) == ACTS * (1 + len(store.additions(1)))
            assert project.fingerprint == corpus.fingerprint
            assert len(store.matching(1, "text")) == project.n_docs
            if project.n_docs > ACTS:
                store.undo(1, author="ann")


def test_a_kill_leaves_a_batch_whole_or_not_there(place: Place) -> None:
    new_project(place)
    for spoken in range(1, 7):
        killed_after(place, turn_from, spoken)
        with place.open() as store:
            assert len(store.annotations(1)) in (0, ACTS)
            assert store.project(1).n_labelled == len(store.annotations(1))
            assert replay(store.events(1)).annotations == store.annotations(1)
