"""The short form of the long log: what a page, a label and an undo read does not grow with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from core.store import Event, HistoryFilter, Label, Restore, Store, events_in_force, replay
from core.store.maintenance.checks import check_store
from core.store.state.difference import difference
from core.store.state.labels_in_force import LabelInForce, labels_in_force
from tests.endurance.long_log import acts_on, build
from tsnmf_ui.pages.history import rows
from tsnmf_ui.pages.history.rows import HistoryQuery

SHORT, LONG = 2_000, 8_000  # events
EVENTS_PER_DOCUMENT = 10
INSTRUCTIONS = 100  # of SQLite's machine between two counts


class Costs:
    """Statements sent to the database, and instructions it carried out, in hundreds."""

    def __init__(self) -> None:
        self.statements = 0
        self.work = 0

    def count_work(self) -> int:
        self.work += 1
        return 0


@contextmanager
def counted(store: Store) -> Iterator[Costs]:
    """The costs of what is done with a store inside the block."""
    costs, engine = Costs(), store._database.engine

    def checkout(raw: Any, *_: object) -> None:
        raw.set_progress_handler(costs.count_work, INSTRUCTIONS)

    def checkin(raw: Any, *_: object) -> None:
        raw.set_progress_handler(None, INSTRUCTIONS)

    def statement(*_: object) -> None:
        costs.statements += 1

    listeners = (checkout, checkin), ("checkout", "checkin")
    for call, name in zip(*listeners, strict=True):
        event.listen(engine, name, call)
    event.listen(engine, "before_cursor_execute", statement)
    yield costs
    for call, name in zip(*listeners, strict=True):
        event.remove(engine, name, call)
    event.remove(engine, "before_cursor_execute", statement)


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    found = {size: tmp_path_factory.mktemp("log") / "home" for size in (SHORT, LONG)}
    for size, home in found.items():
        build(home, size, size // EVENTS_PER_DOCUMENT)
    return found


def costs_of(home: Path, act: Callable[[Store], object]) -> Costs:
    with Store.open(home=home) as store:
        act(store)  # compiled, and in the cache
        with counted(store) as costs:
            act(store)
    return costs


ALL = HistoryQuery()


@pytest.mark.parametrize(
    "act",
    [
        lambda store: rows.read(store, 1, ALL, 1),
        lambda store: rows.read(store, 1, ALL, rows.pages(store, 1, ALL) // 2),
        lambda store: store.history(1, HistoryFilter(within=range(20, 120)), limit=25),
        lambda store: (store.authors(1), store.kinds(1)),
        lambda store: store.record(1, Label(7, (2,)), author="ann"),
        lambda store: (store.record(1, Label(7, (2,)), author="ann"), store.undo(1, author="ann")),
        lambda store: (
            store.record_batch(1, "Some", [Label(n, (2,)) for n in range(120)], author="ann"),
            store.undo(1, author="ann"),
        ),
    ],
    ids=["first page", "middle page", "inside a batch", "filters", "label", "undo", "batch undo"],
)
def test_what_people_do_often_costs_the_same_on_a_long_log(
    homes: dict[int, Path], act: Callable[[Store], object]
) -> None:
    short, long = (costs_of(homes[size], act) for size in (SHORT, LONG))
    assert long.statements <= short.statements + 5
    assert long.work <= 1.6 * short.work + 20  # four times as many events


def test_a_long_log_and_its_tables_agree(homes: dict[int, Path]) -> None:
    assert [each.sentence for each in check_store(homes[LONG]) if each.level != "ok"] == []


def test_every_act_that_is_measured_can_be_done(homes: dict[int, Path]) -> None:
    with Store.open(home=homes[SHORT]) as store:
        names = [name for name, act in acts_on(store, 1) if act() is not None]
    assert {"one label", "one undo", "restore to the middle", "undo of the restore"} <= set(names)
    assert all(each.level == "ok" for each in check_store(homes[SHORT]))


def test_a_restore_to_the_middle_is_what_a_replay_gives(homes: dict[int, Path]) -> None:
    with Store.open(home=homes[SHORT]) as store:
        middle = store.revision(1) // 2
        expected = replay(store.events(1, limit=middle))
        store.record(1, Restore(middle), author="eve")
        assert store.annotations(1) == expected.annotations
        assert tuple(store.topics(1)) == expected.topics
        assert store.undo(1, author="eve") is not None


@pytest.mark.parametrize("part", [0.1, 0.3, 0.5])
def test_the_preview_of_a_restore_is_that_of_the_whole_log(
    homes: dict[int, Path], part: float
) -> None:
    with Store.open(home=homes[SHORT]) as store:
        log = store.events(1)
        until = int(len(log) * part)
        expected = difference(replay(log), replay(log[:until]))
        assert expected
        assert store.difference_to(1, until) == expected


def label_at(log: list[Event], position: int) -> Any:
    """The payload in force of a document at the end of a log, from the whole of it."""
    about = (e for e in events_in_force(log) if e.position == position)
    label = labels_in_force((0, e.kind, e) for e in about).get(0, LabelInForce()).label
    return None if label is None else label.payload


@pytest.mark.parametrize("part", [0, 1, 2, 3])
def test_pages_say_what_the_whole_log_says(homes: dict[int, Path], part: int) -> None:
    with Store.open(home=homes[SHORT]) as store:
        log, total = store.events(1), store.history(1, limit=0).total
        page = store.history(1, limit=12, offset=total * part // 4)
        in_force = {each.id for each in events_in_force(log)}
    assert page.total == total
    assert len(page.lines) == 12
    for line in page.lines:
        place, number = line.event.position, line.event.id
        if line.event.kind not in ("undo", "redo"):
            assert line.in_force == (number in in_force)
        if place is not None:
            assert line.before == label_at(log[: number - 1], place)
            assert line.after == label_at(log[:number], place)


def test_every_line_is_on_one_page(homes: dict[int, Path]) -> None:
    with Store.open(home=homes[SHORT]) as store:
        log, total = store.events(1), store.history(1, limit=0).total
        found = [line.event.id for line in store.history(1, limit=total).lines]
        heads = [each for each in log if each.kind == "batch"]
        inside = HistoryFilter(within=range(heads[1].id + 1, heads[1].id + 4))
        assert [line.event.id for line in store.history(1, inside, limit=2, offset=1).lines] == [
            *(heads[1].id + 2, heads[1].id + 1),
        ]
    members = {head.id + 1 + n for head in heads for n in range(head.payload["count"])}
    assert found == [each.id for each in reversed(log) if each.id not in members]
