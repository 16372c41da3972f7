"""The codebook as a file: out and in again, the plan, one undo, and what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import CorpusError, StoreError
from core.store import Codebook, CreateTopic, EditCodebook, NewEvent, Store
from core.store.files.codebook_files import (
    NOTHING_CHANGES,
    import_codebook,
    plan_codebook,
    read_codebook,
    write_codebook,
)
from core.store.history.sentences import describe_event
from core.store.maintenance.log_check import log_faults
from tests.core.workspace import small

WASTE = Codebook("=Bins and; litter", "brown “bins”\nand bags", "- street lamps", (2, 0))


@pytest.fixture
def store(tmp_path: Path):
    with Store.open(home=tmp_path) as opened:
        opened.create_project("Desk *1*", small.corpus(), author="ann")
        for name in ("Waste", "Noise; loud"):
            opened.record(1, CreateTopic(name), author="ann")
        entry = EditCodebook(1, WASTE.definition, WASTE.include, WASTE.exclude, WASTE.examples)
        opened.record(1, entry, author="ann")
        yield opened


@pytest.mark.parametrize("format", ["csv", "xlsx", "json"])
def test_what_goes_out_comes_in_the_same(store: Store, format) -> None:
    data = write_codebook(store, 1, format=format)
    rows, file = read_codebook(data, filename=f"book.{format}")
    plan = plan_codebook(store, 1, rows, file)
    assert (plan.changed, plan.new, plan.same, plan.unknown) == ((), (), 2, ())
    with pytest.raises(StoreError, match="says all of this already"):
        import_codebook(store, 1, plan, create=True, author="ben")
    assert list(plan.sentences(True))[-1] == NOTHING_CHANGES


def test_markdown_is_for_reading(store: Store) -> None:
    page = write_codebook(store, 1, format="md").decode()
    assert page.startswith("# Codebook of Desk \\*1\\*")
    assert "**Does not belong here.** \\- street lamps" in page
    assert "**Examples.** d2, d0" in page


FILE = b"Topic,Meaning,examples\nwaste,Bins only,d2;d9;d99\nRoads,Potholes,\nNoise; loud,,\n"


def test_a_file_is_planned_and_one_undo_takes_it_back(store: Store) -> None:
    plan = plan_codebook(store, 1, *read_codebook(FILE, filename="book.csv"))
    assert list(plan.sentences(False)) == [
        "“waste”: definition, examples.",
        "No topics here, left out: “Roads”.",
        "Entries that stay the same: 1.",
        "Row 2: no text has the id d99, so it is no example.",
    ]
    before = store.codebook(1)
    import_codebook(store, 1, plan, create=True, author="ben")
    book = store.codebook(1)
    assert book[1] == Codebook("Bins only", WASTE.include, WASTE.exclude, (2, 9))
    assert (store.topics(1)[2].name, book[3].definition) == ("Roads", "Potholes")
    with pytest.raises(StoreError, match="changed the project meanwhile"):
        import_codebook(store, 1, plan, create=True, author="cid")
    store.undo(1, author="ben")
    assert (store.codebook(1), len(store.topics(1))) == (before, 2)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"name\nWaste\n", "book.csv: a codebook has a column “topic”"),
        (b"topic,definition\n,x\n", "book.csv, row 2, column “topic”: a topic needs a name."),
        (b"topic,definition\nA,x\na,y\n", "book.csv, row 3, column “topic”: the topic “a” is in"),
        (b"topic,include\nA," + b"x" * 4001 + b"\n", "row 2, column “include”: what belongs to a"),
        (b"%PDF-1.4", "book.csv"),
    ],
)
def test_what_is_wrong_is_named(store: Store, data: bytes, sentence: str) -> None:
    with pytest.raises(CorpusError) as error:
        read_codebook(data, filename="book.csv")
    assert sentence in str(error.value)


def test_history_shows_what_changed(store: Store) -> None:
    store.record(1, EditCodebook(1, "Bins", WASTE.include, "", (2,)), author="ben")
    store.undo(1, author="ben")
    lines = store.history(1, limit=3).lines
    undone, edited, first = (describe_event(line, store.topic_names(1)) for line in lines)
    assert edited.before == (
        "definition: “=Bins and; litter”; does not belong here: “- street lamps”; examples: 2 texts"
    )
    assert edited.after == "definition: “Bins”; does not belong here: nothing; examples: 1 text"
    assert (undone.before, undone.after) == (edited.after, edited.before)
    assert first.before.startswith("definition: nothing; belongs here: nothing")


def test_a_file_creates_a_thousand_topics_at_most_and_lists_a_few(store: Store) -> None:
    lines = "".join(f"Topic {n},about {n},{'x;' * 30}\n" for n in range(1_001))
    plan = plan_codebook(store, 1, *read_codebook(f"topic,definition,examples\n{lines}".encode()))
    assert len(list(plan.sentences(True))) < 30
    assert "and 981 more." in next(iter(plan.sentences(True)))
    with pytest.raises(StoreError, match="would create 1,001 topics; at most 1,000"):
        import_codebook(store, 1, plan, create=True, author="ben")


def test_topics_of_a_batch_do_not_read_all_topics_again(store: Store, monkeypatch) -> None:
    """Reading them anew for each made a file of some hundred topics hold everybody up."""
    monkeypatch.setattr(
        "core.store.events.log.update_topics", lambda *_: pytest.fail("Read again.")
    )
    plan = plan_codebook(store, 1, *read_codebook(FILE, filename="book.csv"))
    import_codebook(store, 1, plan, create=True, author="ben")
    made = store.topics(1)[-1]
    assert (made.name, made.colour, made.id) == ("Roads", 2, 3)
    with store._database.read() as connection:
        assert log_faults(connection, 1) == []


def database_steps(store: Store, several: list[NewEvent]) -> int:
    """The thousands of steps that SQLite takes to record a batch."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    with store._database.engine.connect() as connection:
        raw = connection.connection.dbapi_connection
    raw.set_progress_handler(count, 1_000)
    try:
        store.record_batch(1, "Codebook", several, author="ann")
    finally:
        raw.set_progress_handler(None, 0)
    return steps


@pytest.mark.sqlite_only
def test_a_thousand_topics_do_not_make_the_next_ones_dear(store: Store) -> None:
    """Everybody's labels wait while a codebook is recorded."""

    def topics(name: str, n: int) -> list[NewEvent]:
        first = store.last_topic(1) + 1
        entries = [EditCodebook(number, "Meaning") for number in range(first, first + n)]
        return [*(CreateTopic(f"{name} {i}") for i in range(n)), *entries]

    few = database_steps(store, topics("Early", 100))
    store.record_batch(1, "Codebook", topics("Many", 1_500), author="ann")
    assert 0 < database_steps(store, topics("Late", 100)) < 2 * few
    taken = [CreateTopic("New"), CreateTopic("nEw")]
    with pytest.raises(StoreError, match="There is a topic named “nEw” already"):
        store.record_batch(1, "Codebook", taken, author="ann")
    with pytest.raises(StoreError, match="There is a topic named “MANY 7” already"):
        store.record_batch(1, "Codebook", [CreateTopic("MANY 7")], author="ann")
