"""Comparisons in a process of their own: one at a time, cancelled, kept, made current."""

from __future__ import annotations

import pytest

from core.errors import ModelError, NotFound
from core.fitting import ModelSpec
from core.store import Label, Store, comparisons
from tests.ui import small
from tests.ui.results_app import fitted
from tsnmf_ui import background, comparing, comparison_worker, worker
from tsnmf_ui.comparing import Comparing, OwnProcess
from tsnmf_ui.comparison_worker import BROKEN, Ask


def ask(project: int = 1, *models: str, **changed) -> Ask:
    candidates = tuple(
        {"title": name, "spec": ModelSpec(name, 4).to_dict(), "run": None}
        for name in models or ("tsnmf", "nmf")
    )
    given = {"judge": "truth", "seeds": (0, 1), "candidates": candidates, **changed}
    return Ask(project=project, **{"kind": "models", "title": "Both", "author": "ann", **given})


class Launched:
    """Stands in for the process: the test says what it tells."""

    def __init__(self):
        self.asked, self.tells, self.stopped = [], [], []

    def __call__(self, asked, tell):
        self.asked.append(asked)
        self.tells.append(tell)
        place = len(self.tells) - 1
        launched = self

        class Underway:
            def stop(self):
                launched.stopped.append(place)
                launched.tells[place](("ended",))

        return Underway()


@pytest.fixture
def store(tmp_path):
    with Store.open(home=tmp_path) as store:
        yield store


@pytest.fixture
def launched():
    return Launched()


@pytest.fixture
def service(store, launched):
    return Comparing(store, launched)


def test_progress_is_followed_to_the_end(service, launched):
    service.request(ask())
    launched.tells[0](("progress", 0.4, 12.0, "Plain NMF"))
    now = service.state(1)
    assert (now.phase, now.share, now.seconds_left) == ("running", 0.4, 12.0)
    launched.tells[0](("done", 7))
    launched.tells[0](("ended",))
    assert (service.state(1).phase, service.state(1).number) == ("done", 7)


def test_a_second_comparison_of_a_project_is_refused(service):
    service.request(ask())
    with pytest.raises(ModelError, match="under way"):
        service.request(ask())


def test_another_project_waits_its_turn(service, launched):
    service.request(ask(1))
    service.request(ask(2))
    assert service.state(2).phase == "waiting"
    launched.tells[0](("done", 1))
    launched.tells[0](("ended",))
    assert [each.project for each in launched.asked] == [1, 2]
    assert service.state(2).phase == "running"


def test_cancel_stops_the_process_and_lets_the_next_begin(service, launched):
    service.request(ask(1))
    service.request(ask(2))
    service.cancel(1)
    assert launched.stopped == [0]
    assert service.state(1).phase == "cancelled"
    assert service.state(2).phase == "running"


def test_one_that_waits_can_be_cancelled(service, launched):
    service.request(ask(1))
    service.request(ask(2))
    service.cancel(2)
    launched.tells[0](("ended",))
    assert len(launched.asked) == 1


@pytest.mark.parametrize(
    ("messages", "sentence"),
    [
        ([("failed", "No words are left."), ("ended",)], "No words are left."),
        ([("ended",)], BROKEN),
    ],
)
def test_a_failure_is_told_in_a_sentence(service, launched, messages, sentence):
    service.request(ask())
    for message in messages:
        launched.tells[0](message)
    assert (service.state(1).phase, service.state(1).error) == ("failed", sentence)


def test_closing_ends_what_runs(service, launched):
    service.request(ask(1))
    service.request(ask(2))
    service.close()
    assert launched.stopped == [0]
    assert len(launched.asked) == 1


def test_a_real_process_compares_and_ends(store):
    project = small.project(store)
    service = Comparing(store)
    service.request(ask(project.id, "tsnmf", "nmf", seeds=(0,)))
    running = service._now[1]
    assert isinstance(running, OwnProcess)
    assert service.wait(project.id, 120).phase == "done"
    running._listener.join(60)
    assert not running._process.is_alive()
    [kept] = comparisons.listed(store.home, project.id)
    assert kept.topic_ids[0] == (1, 2, 3)


def made(store, project, *models, **changed) -> int:
    return comparison_worker.make(store, ask(project.id, *models, **changed))


def test_counts_are_read_where_a_model_needs_them(store):
    project = small.project(store)
    quick = ModelSpec("lda", 4, 0, {"max_iter": 3}).to_dict()
    both = (*ask(1, "nmf").candidates, {"title": "lda", "spec": quick, "run": None})
    number = made(store, project, candidates=both, seeds=(0,))
    found = comparisons.found(store.home, project.id, number)
    assert [entry["title"] for entry in found["entries"]] == ["nmf", "lda"]


def test_rates_are_studied_on_the_truth(store):
    project = small.project(store)
    variant = {"title": "told", "spec": ModelSpec("tsnmf").to_dict(), "supervised": True}
    asked = ask(project.id, kind="rates", variants=(variant,), rates=(0.2, 0.5), n_sets=2)
    number = comparison_worker.make(store, asked)
    assert len(comparisons.found(store.home, project.id, number)["points"]) == 4


def test_a_candidate_becomes_the_model_of_the_project(store):
    project = fitted(store)
    number = made(store, project, "nmf", "tsnmf")
    run = comparing.make_current(store, project, number, 0, author="ann", title="A run")
    assert store.current_run(project.id).id == run.id
    assert store.project(project.id).settings.spec == ModelSpec("nmf", 4)
    assert worker.refit(store, project.id).spec.model == "nmf"  # labels refit it from here on


def test_free_topics_follow_a_model_whose_labels_own_topics(store):
    project = fitted(store)
    number = made(store, project, "nmf", "tsnmf")
    comparing.make_current(store, project, number, 1, author="ann", title="A run")
    settings = store.project(project.id).settings
    assert (settings.spec.n_topics, settings.n_free) == (None, 1)


def test_a_run_comes_back_with_its_settings_and_is_scored(store, monkeypatch):
    asked = []
    monkeypatch.setattr(background, "request", lambda *task: asked.append(task))
    project = fitted(store)
    first = store.current_run(project.id)
    comparing.make_current(
        store, project, made(store, project, "nmf", "tsnmf"), 0, author="ann", title="A run"
    )
    back = comparing.make_run_current(
        store, store.project(project.id), first.id, author="ann", title="A run"
    )
    assert back.spec == first.spec
    assert store.current_run(project.id).topic_ids == first.topic_ids
    assert store.project(project.id).settings == project.settings
    assert asked == 2 * [("evaluate", project.id)]
    assert [event.kind for event in store.events(project.id)][-2:] == ["use_run", "use_run"]


def test_a_run_made_current_knows_of_every_act_it_knew_before(store):
    project = fitted(store)
    assert store.current_run(project.id).revision == store.revision(project.id)
    number = made(store, project, "nmf", "tsnmf")
    comparing.make_current(store, project, number, 0, author="ann", title="Plain NMF")
    assert store.current_run(project.id).revision == store.revision(project.id)
    assert store.events(project.id)[-1].payload == {"title": "Plain NMF"}
    assert comparing.acts_since(store, store.project(project.id), project.revision) == 0
    store.record(project.id, Label(9, (1,)), author="ann")
    assert comparing.acts_since(store, store.project(project.id), project.revision) == 1


def test_topics_that_are_gone_cannot_become_current(store):
    project = fitted(store)
    number = made(store, project, seeds=(0,))
    for path in store.home.rglob("comparisons/**/*.npz"):
        path.unlink()
    with pytest.raises(NotFound, match="run it again"):
        comparing.make_current(store, project, number, 0, author="ann", title="A run")


def test_what_cannot_work_is_refused_before_it_starts(store):
    project = small.project(store, labelled=0)
    assert comparing.refused(store, ask(project.id, "tsnmf", "nmf")) == [
        "tsnmf learns from labels, and no text is labelled yet."
    ]
    assert comparing.refused(store, ask(project.id, "lda", "nmf")) == []


def test_without_a_server_nothing_runs():
    comparing.request(ask())
    comparing.cancel(1)
    assert comparing.progress(1).phase == "idle"
