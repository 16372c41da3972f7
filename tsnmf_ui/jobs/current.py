"""The job runner of this server, for pages; outside a server it does nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tsnmf_ui.jobs.runner import JobRunner


class _Current:
    """The runner that pages reach."""

    runner: JobRunner


def service() -> JobRunner:
    """The runner of this server; without a server, as in a page test, one that is closed."""
    return _Current.runner


@contextmanager
def serving(runner: JobRunner) -> Iterator[JobRunner]:
    """Let pages reach this runner until the block ends."""
    before, _Current.runner = _Current.runner, runner
    try:
        yield runner
    finally:
        _Current.runner = before


def _closed_runner() -> JobRunner:
    runner = JobRunner(lambda progress: {})
    runner.close()
    return runner


_Current.runner = _closed_runner()
