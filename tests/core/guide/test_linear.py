"""Scores that are linear in each view of a document."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.engine.kernels import threads
from core.guide.linear import LinearScores


@pytest.mark.parametrize("with_meaning", [True, False])
def test_scores_add_up_view_by_view(monkeypatch, with_meaning):
    rng = np.random.default_rng(0)

    def some() -> LinearScores:
        meaning = rng.random((5, 3)) if with_meaning else None
        return LinearScores(rng.random((20, 3)), rng.random((4, 3)), meaning, rng.random(3))

    one, two, three = some(), some(), some()
    monkeypatch.setattr(threads, "ROWS_PER_BLOCK", 7)
    total = one.plus((2.0, two), (-0.5, three))
    for view in ("words", "places", "meaning", "constant"):
        first, second, third = (getattr(each, view) for each in (one, two, three))
        if first is None:
            assert getattr(total, view) is None
        else:
            assert_allclose(getattr(total, view), first + 2 * second - 0.5 * third)
    assert total.words is not one.words
