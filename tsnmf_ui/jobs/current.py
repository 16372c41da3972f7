"""The job runner of this server, for pages; outside a server it does nothing.

A page may be older than the role of its visitor, so each call asks whether they may make it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from core.store.members.roles import Role
from tsnmf_ui.jobs.kinds import JOB_KINDS
from tsnmf_ui.jobs.runner import JobRunner
from tsnmf_ui.jobs.state import NO_PROJECT, JobState

RequireRole = Callable[[int, Role], None]  # raises if the visitor has no such role in a project


class PageJobs:
    """The runner as the visitor of a page may use it."""

    def __init__(self, runner: JobRunner, require: RequireRole) -> None:
        self._runner, self._require = runner, require

    def request(
        self,
        kind: str,
        project: int = NO_PROJECT,
        arguments: Mapping[str, Any] | None = None,
        *,
        title: str = "",
        delay: float | None = None,
    ) -> None:
        """As ``JobRunner.request``, from somebody who may ask for such a job."""
        self._require(project, JOB_KINDS[kind].needed)
        self._runner.request(kind, project, arguments, title=title, delay=delay)

    def cancel(self, kind: str, project: int = NO_PROJECT) -> None:
        """As ``JobRunner.cancel``, from somebody who may ask for such a job."""
        self._require(project, JOB_KINDS[kind].needed)
        self._runner.cancel(kind, project)

    def announce(self, kind: str, project: int, result: Any) -> None:
        """As ``JobRunner.announce``, from somebody who may ask for such a job."""
        self._require(project, JOB_KINDS[kind].needed)
        self._runner.announce(kind, project, result)

    def state(self, kind: str, project: int = NO_PROJECT) -> JobState:
        self._require(project, Role.READER)
        return self._runner.state(kind, project)

    def wait(self, kind: str, project: int, seconds: float) -> JobState:
        """As ``JobRunner.wait``, for somebody who may read the project."""
        self._require(project, Role.READER)
        return self._runner.wait(kind, project, seconds)


Jobs = JobRunner | PageJobs  # the server's own, or as a visitor may use it


class _Current:
    """The runner that pages reach."""

    jobs: Jobs


def service() -> Jobs:
    """The runner of this server; without a server, as in a page test, one that is closed."""
    return _Current.jobs


@contextmanager
def serving(runner: JobRunner, require: RequireRole | None = None) -> Iterator[JobRunner]:
    """Let pages reach this runner until the block ends, as far as ``require`` allows."""
    before, _Current.jobs = _Current.jobs, PageJobs(runner, require) if require else runner
    try:
        yield runner
    finally:
        _Current.jobs = before


def _closed_runner() -> JobRunner:
    runner = JobRunner(lambda progress: {})
    runner.close()
    return runner


_Current.jobs = _closed_runner()
