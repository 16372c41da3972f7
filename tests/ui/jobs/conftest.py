"""A store, and a job runner whose executors do what the test says."""

from __future__ import annotations

import pytest

from core.store import Store
from tests.ui.jobs.fakes import Harness


@pytest.fixture
def store(tmp_path):
    with Store.open(home=tmp_path) as store:
        yield store


@pytest.fixture
def harness():
    harness = Harness()
    yield harness
    harness.runner.close()


@pytest.fixture
def runner(harness):
    return harness.runner
