"""The ledger finds each kind of fault, and none where there is none."""

from __future__ import annotations

import pytest

from tests.endurance.ledger import Findings, Ledger, LogRow

PANE, COLLEAGUE = "ann", "colleague 1"


def label(number: int, sequence: int) -> LogRow:
    return LogRow(number, "label", PANE, ("tab", sequence))


@pytest.fixture
def ledger() -> Ledger:
    """Two labels by key, both answered; an import that was acknowledged, a restore that was not."""
    made = Ledger()
    for sequence in (1, 2):
        made.press("label")
        made.send(("tab", sequence), "label")
        made.answer(("tab", sequence), sequence)
    for kind in ("batch", "restore"):
        made.attempt((COLLEAGUE, kind))
    made.acknowledge((COLLEAGUE, "batch"))
    return made


LOG = [
    label(1, 1),
    label(2, 2),
    LogRow(3, "batch", COLLEAGUE, members=2),
    LogRow(4, "label", COLLEAGUE),
    LogRow(5, "label", COLLEAGUE),
]


def test_what_is_acknowledged_and_once_on_the_log_is_right(ledger: Ledger) -> None:
    ledger.read(LOG)
    assert ledger.check() == Findings()
    assert (ledger.acknowledged, ledger.recorded, ledger.unsent) == (3, 3, 0)
    assert ledger.answered("label") == 2


def test_what_was_not_acknowledged_may_be_there_once(ledger: Ledger) -> None:
    ledger.read([*LOG, LogRow(6, "restore", COLLEAGUE)])
    assert ledger.check() == Findings()
    ledger.read([LogRow(7, "restore", COLLEAGUE)])
    assert "[6, 7]" in ledger.check().doubled[0]


@pytest.mark.parametrize("missing", [LOG[0], LOG[1]])
def test_a_lost_label_is_found(ledger: Ledger, missing: LogRow) -> None:
    ledger.read([row for row in LOG if row is not missing])
    (sentence,) = ledger.check().sentences()
    assert sentence.startswith("lost: label")


def test_a_lost_batch_is_found(ledger: Ledger) -> None:
    ledger.read(LOG[:2])
    (sentence,) = ledger.check().sentences()
    assert sentence == f"lost: 1 of 1 acknowledged, {(COLLEAGUE, 'batch')}"


def test_an_answer_that_names_another_event_is_a_lost_one(ledger: Ledger) -> None:
    ledger.read([label(1, 2), label(2, 1), *LOG[2:]])
    assert len(ledger.check().lost) == 2


def test_a_receipt_that_is_on_the_log_twice_is_found(ledger: Ledger) -> None:
    ledger.read([*LOG, label(6, 2)])
    (sentence,) = ledger.check().sentences()
    assert sentence == "doubled: ('tab', 2) is events [2, 6]"


def test_a_label_that_is_sent_again_as_another_one_is_found(ledger: Ledger) -> None:
    ledger.send(("tab after a reload", 1), "label")
    ledger.read([*LOG, LogRow(6, "label", PANE, ("tab after a reload", 1))])
    (sentence,) = ledger.check().sentences()
    assert sentence == "doubled: 3 requests of kind label for 2 keys"


@pytest.mark.parametrize(
    "row",
    [
        LogRow(6, "label", PANE, ("a tab that nobody opened", 1)),
        LogRow(6, "label", "a stranger"),
        LogRow(6, "label", COLLEAGUE),  # beyond the members of the batch
    ],
)
def test_a_foreign_event_is_found(ledger: Ledger, row: LogRow) -> None:
    ledger.read([*LOG, row])
    (sentence,) = ledger.check().sentences()
    assert sentence.startswith("foreign: nobody asked for")


def test_a_request_that_is_answered_twice_is_acknowledged_once(ledger: Ledger) -> None:
    ledger.send(("tab", 2), "label")
    ledger.answer(("tab", 2), 2)
    ledger.read(LOG)
    assert ledger.acknowledged == 3
    assert ledger.check() == Findings()
