"""The runner as pages reach it: each kind of job asks for the role that it needs."""

from __future__ import annotations

import pytest

from core.errors import NotAllowed
from core.store.members.roles import Role
from tests.ui.jobs.fakes import RecordedJobs
from tsnmf_ui import jobs
from tsnmf_ui.jobs.kinds import JOB_KINDS

FOR_READERS = {jobs.EVALUATE, jobs.MAP, jobs.PREDICT, jobs.REPORT}


@pytest.fixture
def recorded():
    """What a reader of project 1 reached of the runner."""

    def require(project: int, needed: Role) -> None:
        if project == 1 and needed > Role.READER:
            raise NotAllowed("no")

    with jobs.serving(RecordedJobs(), require) as recorded:
        yield recorded


@pytest.mark.parametrize("kind", JOB_KINDS)
def test_a_reader_starts_and_stops_what_changes_nothing(recorded, kind):
    page, refused = jobs.service(), []
    for act in (page.request, page.cancel, lambda *about: page.announce(*about, None)):
        try:
            act(kind, 1)
        except NotAllowed:
            refused.append(kind)
    done = recorded.requested + recorded.cancelled + recorded.announced
    assert (len(done), len(refused)) == ((3, 0) if kind in FOR_READERS else (0, 3))


def test_what_belongs_to_no_project_is_asked_for_as_such(recorded):
    jobs.service().request(jobs.download_kind("reuters"))
    assert recorded.requested == [(jobs.download_kind("reuters"), jobs.NO_PROJECT, None)]


def test_stages_of_a_fit_are_asked_for_by_the_same_rules(recorded):
    for act in (jobs.fit_afresh, jobs.cancel_fit):
        with pytest.raises(NotAllowed):
            act(jobs.service(), 1)
    assert jobs.fit_state(jobs.service(), 1).phase == "idle"
    assert recorded.requested == recorded.cancelled == []
