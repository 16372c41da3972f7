"""Vectors of a large corpus: after the first fit, in the background, and a fit again."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from core.errors import TextError
from core.workspace.caches import vectors
from core.workspace.caches.matrices import matrix_of
from tests.core.workspace import small
from tests.model_folders import install_packages, model_folder
from tests.ui.jobs.fakes import only
from tests.wordllama import require_wordllama
from tsnmf_ui.jobs import ENCODE, FIT, JobRunner, encode_when_needed
from tsnmf_ui.jobs.executors import BACKGROUND_PROCESS
from tsnmf_ui.jobs.kinds import JOB_KINDS


@pytest.fixture
def project(store, tmp_path, monkeypatch):
    install_packages(monkeypatch)
    vectors.forget_vectors()
    made = small.project(store)
    chosen = replace(made.settings, meaning=str(model_folder(tmp_path)))
    return store.update_settings(made.id, chosen)


@pytest.fixture
def worker(harness):
    return harness.executors[BACKGROUND_PROCESS]


def test_what_a_fit_did_without_is_made_and_fitted_again(harness, runner, worker, store, project):
    encode_when_needed(runner, store, project.id)
    assert [job.kind for job in worker.jobs] == [ENCODE]
    encode_when_needed(runner, store, project.id)
    vectors.encode(store, project)
    worker.futures[0].set_result(True)
    assert (FIT, project.id) in harness.timers
    encode_when_needed(runner, store, project.id)
    assert len(worker.jobs) == 1


def test_an_encoder_that_failed_is_not_asked_again_until_another_is_chosen(
    runner, worker, store, project
):
    encode_when_needed(runner, store, project.id)
    worker.futures[0].set_exception(TextError("The model is broken."))
    assert runner.state(ENCODE, project.id).error == "The model is broken."
    encode_when_needed(runner, store, project.id)
    assert len(worker.jobs) == 1
    store.update_settings(project.id, replace(project.settings, meaning="/another/folder"))
    encode_when_needed(runner, store, project.id)
    assert len(worker.jobs) == 2


def test_where_meaning_is_off_nothing_is_made(runner, worker, store, project):
    store.update_settings(project.id, replace(project.settings, meaning="off"))
    encode_when_needed(runner, store, project.id)
    assert not worker.jobs


def test_the_real_process_reads_what_texts_mean(store):
    require_wordllama()
    vectors.forget_vectors()
    project = small.project(store, meaning="auto")
    kinds = {ENCODE: replace(JOB_KINDS[ENCODE], next_kind=None)}  # this process alone
    runner = JobRunner(partial(only, store, BACKGROUND_PROCESS), kinds=kinds)
    try:
        runner.request(ENCODE, project.id)
        ended = runner.wait(ENCODE, project.id, 120)
        assert (ended.phase, ended.error) == ("done", None)
        assert matrix_of(store, project).vectors is not None
    finally:
        runner.close()
