"""The queue: the right documents, in the right order, for the reason given."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.errors import StudioError
from core.queue import QUEUE_MODES, Hints, QueueItem, next_documents
from core.spec import ModelSpec
from core.topics import Topics

SHARES = np.array(
    [
        [0.50, 0.46, 0.04, 0.00],  # 0: close call
        [0.90, 0.05, 0.05, 0.00],  # 1: clear
        [0.40, 0.10, 0.38, 0.12],  # 2: closest call
        [0.00, 0.00, 0.00, 0.00],  # 3: without weight
        [0.10, 0.20, 0.70, 0.00],  # 4: leans to the third
        [1.00, 0.00, 0.00, 0.00],  # 5: labelled with the first
        [0.00, 1.00, 0.00, 0.00],  # 6: labelled with the second
        [1.00, 0.00, 0.00, 0.00],  # 7: labelled with the first
    ]
)
LABELLED = {5, 6, 7}


def topics(shares: np.ndarray = SHARES, n_supervised: int = 3) -> Topics:
    n, k = shares.shape
    return Topics(
        doc_topic=shares * 2,
        topic_term=np.eye(k),
        terms=tuple(f"t{i}" for i in range(k)),
        doc_ids=tuple(map(str, range(n))),
        names=("Billing", "Network", "Roaming", "Free 1")[:k],
        n_supervised=n_supervised,
        spec=ModelSpec(),
    )


def queue(mode: str, **options: object) -> list[QueueItem]:
    return next_documents(topics(), LABELLED, n_docs=len(SHARES), mode=mode, **options)  # type: ignore[arg-type]


def positions(items: list[QueueItem]) -> list[int]:
    return [item.position for item in items]


def test_the_closest_call_comes_first() -> None:
    items = queue("uncertain")
    assert positions(items) == [2, 0, 4, 1]
    assert items[1].reason == "Its words suggest Billing or Network"


def test_thin_topics_ask_for_labels() -> None:
    items = queue("thin")
    assert positions(items)[0] == 4
    assert items[0].reason == "Few labels: Roaming has no labels yet"


@pytest.mark.parametrize(("count", "words"), [(1, "has only 1 label"), (2, "has only 2 labels")])
def test_a_thin_topic_tells_its_labels(count: int, words: str) -> None:
    labels = {row: [0, 1] for row in (5, 6, 7)} | {row: [2] for row in range(90, 90 + count)}
    assert queue("thin", labels=labels)[0].reason.endswith(words)


def test_a_label_the_model_does_not_believe() -> None:
    unlabelled_weights = SHARES.copy()
    unlabelled_weights[5] = [0.1, 0.0, 0.9, 0.0]
    items = queue("mislabelled", unlabelled_weights=unlabelled_weights)
    told = "Looks mislabelled: labelled Billing, reads like Roaming"
    assert items == [QueueItem(5, "mislabelled", told, 0.9)]
    assert queue("mislabelled") == []
    assert queue("mislabelled", unlabelled_weights=unlabelled_weights, confirmed=[5]) == []


def test_in_order_leaves_out_what_is_done() -> None:
    assert positions(queue("in_order", skip=[0], duplicates=[(2, 1)])) == [1, 3, 4]
    assert positions(queue("in_order", limit=2)) == [0, 1]


def test_random_is_a_matter_of_the_seed() -> None:
    drawn = positions(queue("random"))
    assert sorted(drawn) == [0, 1, 2, 3, 4]
    assert positions(queue("random")) == drawn
    assert any(positions(queue("random", seed=seed)) != drawn for seed in range(1, 6))
    assert positions(queue("random", skip=drawn[:1])) == drawn[1:]


def test_mixed_offers_every_open_document_once() -> None:
    items = queue("mixed")
    assert sorted(positions(items)) == [0, 1, 2, 3, 4]
    assert items[0].kind == "uncertain"
    assert {item.kind for item in items} >= {"uncertain", "random"}


@pytest.mark.parametrize("mode", QUEUE_MODES)
def test_done_documents_stay_out(mode: str) -> None:
    items = queue(mode, skip=[4], duplicates=[(2, 0)])
    assert not {2, 4} & set(positions(items))
    assert len(set(positions(items))) == len(items)
    assert queue(mode, limit=0) == []


@pytest.mark.parametrize("mode", ["mixed", "uncertain", "thin", "random"])
def test_before_the_first_fit_the_draw_is_blind(mode: str) -> None:
    items = next_documents(None, {0}, n_docs=3, mode=mode)
    assert sorted(positions(items)) == [1, 2]
    assert {item.reason for item in items} == {"Random check"}


def judged(own: float, rival: float) -> Hints:
    """Hints in which document 5, labelled Billing, looks like Roaming with the given chances."""
    one = np.array([5], dtype=np.int32)
    return replace(
        Hints.of(SHARES),
        judged=one,
        own=np.array([own]),
        rival=np.array([2]),
        rival_chance=np.array([rival]),
    )


def test_the_other_labels_speak_against_one() -> None:
    items = queue("mislabelled", hints=judged(0.1, 0.7))
    told = "Looks mislabelled: labelled Billing, reads like Roaming"
    assert [(item.position, item.reason) for item in items] == [(5, told)]
    assert 5 in positions(queue("mixed", hints=judged(0.1, 0.7)))


@pytest.mark.parametrize(("own", "rival"), [(0.4, 0.6), (0.01, 0.2)])
def test_a_mild_doubt_is_kept_quiet(own: float, rival: float) -> None:
    assert queue("mislabelled", hints=judged(own, rival)) == []


@pytest.mark.parametrize("confirmed", [{"skip": [5]}, {"confirmed": [5]}, {"labels": {5: [2]}}])
def test_a_doubt_that_was_answered_does_not_return(confirmed: dict[str, object]) -> None:
    assert queue("mislabelled", hints=judged(0.1, 0.7), **confirmed) == []


def test_hints_come_before_shares() -> None:
    chances = SHARES.copy()
    chances[1] = [0.05, 0.45, 0.05, 0.45]
    items = queue("uncertain", hints=Hints.of(chances))
    told = "The labels so far suggest Network or Free 1"
    assert items[0].reason == told
    assert items[0].value == pytest.approx(1)


def test_before_the_first_label_it_is_the_names_that_suggest() -> None:
    given = {"n_docs": len(SHARES), "mode": "uncertain", "hints": Hints.of(SHARES)}
    items = next_documents(topics(), [], **given)  # type: ignore[arg-type]
    assert items[0].reason.startswith("The topics’ names suggest")


@pytest.mark.parametrize("mode", QUEUE_MODES)
def test_nothing_left(mode: str) -> None:
    assert next_documents(topics(), range(8), n_docs=8, mode=mode) == []
    assert next_documents(None, [], n_docs=0, mode=mode) == []


def test_one_topic_leaves_no_close_call() -> None:
    one = topics(np.ones((3, 1)), n_supervised=0)
    assert next_documents(one, [], n_docs=3, mode="uncertain") == []
    assert len(next_documents(one, [], n_docs=3)) == 3


def test_an_unknown_mode_is_one_sentence() -> None:
    with pytest.raises(StudioError, match="no queue mode “best”"):
        queue("best")


def test_many_documents_are_queued_like_few() -> None:
    rng = np.random.default_rng(0)
    n, k = 200_000, 50
    large = Topics(
        doc_topic=rng.random((n, k), dtype=np.float32),
        topic_term=np.eye(k, dtype=np.float32),
        terms=("",) * k,
        doc_ids=("",) * n,
        names=tuple(f"T{i}" for i in range(k)),
        n_supervised=k,
        spec=ModelSpec(),
    )
    items = next_documents(large, range(0, n, 50), n_docs=n, limit=200)
    assert len({item.position for item in items}) == 200
    assert {item.kind for item in items} == {"uncertain", "thin", "random"}
    assert not any(item.position % 50 == 0 for item in items if item.kind != "mislabelled")
