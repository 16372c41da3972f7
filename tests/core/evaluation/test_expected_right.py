"""What is expected of unlabelled documents: hard labelled ones do not make it too low."""

from __future__ import annotations

import numpy as np
import pytest

from core.evaluation.expected_right import expected_share_right


def judged(n: int, hardest: float, easiest: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Chances of two labels, and whether the likeliest is right; as often as the chance says."""
    rng = np.random.default_rng(seed)
    top = rng.uniform(hardest, easiest, n)
    return np.column_stack([1 - top, top]), rng.random(n) < top


@pytest.mark.parametrize("seed", range(5))
def test_hard_documents_say_what_easy_ones_will_be(seed: int) -> None:
    hard, hard_right = judged(300, 0.5, 0.9, seed)
    rest, rest_right = judged(3000, 0.8, 0.99, seed + 100)
    told = expected_share_right(hard, hard_right, rest)
    assert abs(told - rest_right.mean()) < 0.08
    assert abs(hard_right.mean() - rest_right.mean()) > 0.1  # what a plain share would say


def test_one_kind_of_answer_is_enough() -> None:
    chances, _ = judged(10, 0.5, 0.9, 0)
    all_right = expected_share_right(chances, np.ones(10), chances)
    none_right = expected_share_right(chances, np.zeros(10), chances)
    assert 0 < none_right < 0.2 < 0.8 < all_right < 1


def test_with_no_document_left_it_is_the_share_of_the_labelled() -> None:
    chances, right = judged(40, 0.5, 0.9, 0)
    assert expected_share_right(chances, right, chances[:0]) == right.mean()


def test_one_label_alone_is_judged_by_its_own_chance() -> None:
    chances, right = judged(200, 0.5, 0.99, 0)
    told = expected_share_right(chances[:, 1:], right, chances[:, 1:])
    assert told == pytest.approx(right.mean(), abs=0.05)
