"""What was acknowledged is on disk: killed writers, two writers, many threads."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from core.corpus import Corpus
from core.store import AddedTexts, CreateTopic, Label, Store, TextChanges, replay

ACTS = 200
SEQUENCES = range(ACTS)
CORPUS = Corpus(ids=tuple(map(str, SEQUENCES)), texts=tuple(f"text {i}" for i in SEQUENCES))

pytestmark = pytest.mark.skipif(
    "forkserver" not in multiprocessing.get_all_start_methods(), reason="needs fork and SIGKILL"
)


def new_project(home: Path) -> None:
    first = [(CreateTopic("Waste"), "ann"), (CreateTopic("Roads"), "ann")]
    with Store.open(home=home) as store:
        store.create_project("Desk", CORPUS, author="ann", first_events=first)


def record_from(home: Path, first: int, client: str, acknowledge: Connection) -> None:
    """Record one event after another and say so after each."""
    store = Store.open(home=home)
    for sequence in range(first, ACTS):
        act = Label(sequence, (1 + sequence % 2,))
        event = store.record(1, act, author=client, client=client, sequence=sequence)
        acknowledge.send((sequence, event.id))
    store.close()


class Writer:
    """A process that records, with the pipe it acknowledges through."""

    context = multiprocessing.get_context("forkserver")

    def __init__(self, home: Path, first: int, client: str) -> None:
        self.acknowledged, theirs = self.context.Pipe(duplex=False)
        self.process = self.context.Process(
            target=record_from, args=(home, first, client, theirs), daemon=True
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


def test_a_kill_after_every_event_loses_none(tmp_path: Path) -> None:
    """The writer goes on until it dies, so the kill falls into whatever it is doing next."""
    new_project(tmp_path)
    acknowledged: dict[int, int] = {}
    for sequence in SEQUENCES:
        writer = Writer(tmp_path, sequence, "tab")
        first = writer.acknowledged.recv()
        writer.kill()
        for position, event in [first, *writer.rest()]:
            assert acknowledged.setdefault(position, event) == event
    with Store.open(home=tmp_path) as store:
        labels = [event for event in store.events(1) if event.kind == "label"]
        assert {event.position: event.id for event in labels} == acknowledged
        assert len(labels) == ACTS
        assert replay(store.events(1)).annotations == store.annotations(1)


def test_two_processes_lose_nothing(tmp_path: Path) -> None:
    new_project(tmp_path)
    writers = [Writer(tmp_path, 0, client) for client in ("ann", "ben")]
    said = [writer.rest() for writer in writers]
    for writer in writers:
        writer.process.join()
    with Store.open(home=tmp_path) as store:
        ids = sorted(event for each in said for _, event in each)
        assert ids == list(range(3, 3 + 2 * ACTS))
        assert store.revision(1) == 2 + 2 * ACTS
        assert replay(store.events(1)).annotations == store.annotations(1)


def test_threads_of_one_store_lose_nothing(tmp_path: Path) -> None:
    new_project(tmp_path)
    with Store.open(home=tmp_path) as store:

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


def test_opening_at_the_same_moment(tmp_path: Path) -> None:
    """The first start of two processes must not make the tables twice."""
    ready = threading.Barrier(4)
    opened: list[int] = []

    def open_one() -> None:
        ready.wait()
        with Store.open(home=tmp_path) as store:
            opened.append(len(store.projects()))

    threads = [threading.Thread(target=open_one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert opened == [0, 0, 0, 0]


def turn_from(home: Path, acknowledge: Connection) -> None:
    """Label everything at once and take it back, again and again, and say so each time."""
    with Store.open(home=home) as store:
        while True:
            labels = [Label(position, (1,)) for position in range(ACTS)]
            store.record_batch(1, "Bulk", labels, author="ann")
            acknowledge.send("done")
            store.undo(1, author="ann")
            acknowledge.send("undone")


def killed_after(home: Path, target: Callable[[Path, Connection], None], spoken: int) -> None:
    """Let a process say so many things; the kill falls into whatever it does after the last."""
    acknowledged, theirs = Writer.context.Pipe(duplex=False)
    process = Writer.context.Process(target=target, args=(home, theirs), daemon=True)
    process.start()
    theirs.close()
    for _ in range(spoken):
        acknowledged.recv()
    process.kill()
    process.join()
    acknowledged.close()


def add_and_take_back(home: Path, acknowledge: Connection) -> None:
    """Double the texts and take them back, again and again, and say so each time."""
    twice = Corpus(
        ids=(*CORPUS.ids, *(f"n{i}" for i in SEQUENCES)), texts=(*CORPUS.texts, *CORPUS.texts)
    )
    about = AddedTexts(file="more.csv", first=ACTS, added=ACTS)
    with Store.open(home=home) as store:
        while True:
            new = {"about": about, "corpus": twice, "updated": ()}
            revision = store.texts_revision(1)
            store.add_texts(1, TextChanges(**new, texts_revision=revision), author="ann")
            acknowledge.send("done")
            store.undo(1, author="ann")
            acknowledge.send("undone")


def test_a_kill_leaves_added_texts_whole_or_not_there(tmp_path: Path) -> None:
    new_project(tmp_path)
    for spoken in range(1, 7):
        killed_after(tmp_path, add_and_take_back, spoken)
        with Store.open(home=tmp_path) as store:
            project, corpus = store.project(1), store.corpus(1)
            assert project.n_docs == len(corpus) == ACTS * (1 + len(store.additions(1)))
            assert project.fingerprint == corpus.fingerprint
            assert len(store.matching(1, "text")) == project.n_docs
            if project.n_docs > ACTS:
                store.undo(1, author="ann")


def test_a_kill_leaves_a_batch_whole_or_not_there(tmp_path: Path) -> None:
    new_project(tmp_path)
    for spoken in range(1, 7):
        killed_after(tmp_path, turn_from, spoken)
        with Store.open(home=tmp_path) as store:
            assert len(store.annotations(1)) in (0, ACTS)
            assert store.project(1).n_labelled == len(store.annotations(1))
            assert replay(store.events(1)).annotations == store.annotations(1)
