"""The time left follows the steps of a job, not what came before them."""

from __future__ import annotations

import pytest

from tsnmf_ui.jobs import progress
from tsnmf_ui.jobs.progress import Reporter


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_slow_preparations_do_not_count_as_steps(clock):
    sent = []
    report = Reporter(1, lambda *told: sent.append(told), lambda: False)
    for second, share in ((0, 0.0), (60, 0.1), (61, 0.2), (64, 0.5)):
        clock[0] = second
        assert report(share) is False
    assert sent == [(1, 0.1, None, ""), (1, 0.2, pytest.approx(8), ""), (1, 0.5, 5.0, "")]
