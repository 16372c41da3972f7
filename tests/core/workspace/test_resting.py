"""What rests on screen follows from texts and labels, not from the way that led there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from core.corpus import Corpus
from core.errors import Cancelled
from core.loading import read_demo
from core.store import ProjectSettings, RenameTopic, Run
from core.store.runs import evaluations
from core.topics import Topics
from core.workspace import Workspace, topic_operations
from core.workspace.caches import paths
from core.workspace.caches.matrices import forget_matrices
from core.workspace.comparisons import use_run
from core.workspace.refits import when_to_refit
from core.workspace.results import newest_fit, results_of
from tests.core.workspace import small

SAME = 1e-5  # difference of weights that is no difference


@pytest.fixture(autouse=True)
def slow_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fit counts as a long one, so that it gets a preview."""
    monkeypatch.setattr(when_to_refit, "QUICK_SECONDS", -1.0)


@pytest.fixture
def workspace(tmp_path) -> Iterator[Workspace]:
    forget_matrices()
    with Workspace.open(home=tmp_path, author="ann") as opened:
        yield opened


@pytest.fixture
def project(workspace: Workspace) -> int:
    """A fitted project."""
    made = small.project(workspace.store)
    workspace.refit(made.id)
    return made.id


# The property


def part_of_the_demo() -> Corpus:
    demo = read_demo()
    return Corpus(ids=demo.ids[:80], texts=demo.texts[:80])


@dataclass(frozen=True)
class Step:
    """One label on its way to the log, with detours that leave nothing behind."""

    position: int
    name: str
    detour: str  # none, relabelled, undone and redone, after an undone one
    then: str  # nothing, a preview, a full fit


NAMES = ("Bins", "Roads", "Lamps")
DETOURS = ("none", "relabelled", "undone and redone", "after an undone one")
wanted_labels = st.dictionaries(
    st.integers(0, 79), st.sampled_from(NAMES), min_size=len(NAMES), max_size=6
)


@st.composite
def ways(draw: st.DrawFn) -> list[Step]:
    """Labels in any order."""
    labels = draw(wanted_labels)
    steps = [
        Step(
            position,
            name,
            draw(st.sampled_from(DETOURS)),
            draw(st.sampled_from(("nothing", "a preview", "a full fit"))),
        )
        for position, name in labels.items()
    ]
    return list(draw(st.permutations(steps)))


def label(workspace: Workspace, project: int, step: Step) -> None:
    names = {each.name for each in workspace.store.topics(project)}
    if step.detour == "relabelled":
        workspace.label(project, step.position, [min(names | {step.name})])
    if step.detour == "after an undone one":
        workspace.label(project, (step.position + 1) % 80, [step.name])
        workspace.undo(project)
    workspace.label(project, step.position, [step.name])
    if step.detour == "undone and redone":
        workspace.undo(project)
        workspace.store.redo(project, author=workspace.author)
    if step.then != "nothing":
        workspace.refit(project, preview=step.then == "a preview", wait=False)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """One workspace for all examples: the words of the corpus are counted once."""
    with Workspace.open(home=tmp_path_factory.mktemp("shared"), author="ann") as opened:
        yield opened


@settings(max_examples=8, deadline=None)
@given(way=ways())
def test_the_same_labels_give_the_same_resting_topics_whatever_the_way(shared, way):
    first, second = (shared.create("Way", part_of_the_demo(), n_free=2).id for _ in range(2))
    for step in way:
        label(shared, first, step)
    for step in sorted(way, key=lambda each: each.position):
        label(shared, second, replace(step, detour="none", then="nothing"))
    one, other = (resting_topics(shared, each) for each in (first, second))
    assert set(one.names) == set(other.names)
    for name in one.names[: one.n_supervised]:
        assert_same(one, one.names.index(name), other, other.names.index(name))
    for mine, theirs in paired_free_topics(one, other):
        assert_same(one, mine, other, theirs)


def resting_topics(workspace: Workspace, project: int) -> Topics:
    run = workspace.refit(project, wait=False)
    assert not run.preview
    return workspace.store.run_topics(run)


def paired_free_topics(one: Topics, other: Topics) -> Iterator[tuple[int, int]]:
    mine, theirs = (range(each.n_supervised, len(each)) for each in (one, other))
    cosines = one.topic_term[list(mine)] @ other.topic_term[list(theirs)].T
    for row, column in zip(*linear_sum_assignment(cosines, maximize=True), strict=True):
        yield mine[row], theirs[column]


def assert_same(one: Topics, mine: int, other: Topics, theirs: int) -> None:
    assert np.allclose(one.topic_term[mine], other.topic_term[theirs], atol=SAME)
    assert np.allclose(one.doc_topic[:, mine], other.doc_topic[:, theirs], atol=SAME)


# Previews


def test_a_preview_is_replaced_by_the_full_fit(workspace, project):
    resting = workspace.store.resting_run(project)
    workspace.label(project, 9, ["Noise"])
    preview = workspace.refit(project, preview=True)
    assert preview.preview
    assert workspace.store.current_run(project) == preview
    assert workspace.results(project).run == preview
    full = workspace.refit(project)
    assert (full.preview, full.id) == (False, preview.id + 1)
    assert [run.id for run in workspace.store.runs(project)] == [full.id, resting.id]
    assert not preview.factors.exists()
    assert not list((workspace.store.home / "cache").rglob(f"{project}-{preview.id}.*"))


def test_what_was_kept_for_a_preview_goes_with_it(workspace, project):
    preview = workspace.refit(project, preview=True)
    made = [
        path_of(workspace.store, project, preview.id)
        for path_of in (paths.coherence_path, paths.topic_places_path, paths.neighbour_map_path)
    ]
    for path in made:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    use_run(workspace.store, workspace.project(project), 1, author="ann", title="Run 1")
    assert not any(path.exists() for path in made)
    assert workspace.store.current_run(project).preview is False


@pytest.mark.parametrize("seconds", [0.4, 0.41])
def test_a_quick_fit_needs_no_preview(workspace, monkeypatch, seconds):
    monkeypatch.setattr(when_to_refit, "QUICK_SECONDS", 0.4)
    project = small.project(workspace.store).id
    assert not workspace.refit(project, preview=True).preview  # there is nothing to start from
    with workspace.store._database.write() as connection:
        connection.exec_driver_sql(f"UPDATE runs SET seconds = {seconds}")
    assert workspace.refit(project, preview=True).preview == (seconds > 0.4)


def test_both_stages_compare_with_the_last_run_that_rests(workspace, project):
    workspace.record(project, RenameTopic(1, "Wet things"))
    workspace.label(project, 9, ["Noise"])
    first = workspace.refit(project, preview=True)
    workspace.label(project, 12, ["Parks"])
    second = workspace.refit(project, preview=True)
    full = workspace.refit(project)
    for run in (first, second, full):
        assert [verdict.kind for verdict in run.outcome.verdicts] == ["rename_topic"]
        assert run.outcome.change is not None
        assert run.outcome.change.moved >= 1
    assert full.outcome.change.moved >= 2  # texts 9 and 12, though a preview knew of both
    store = workspace.store
    assert topic_operations.last_verdicts(store, project) == list(full.outcome.verdicts)


def test_verdicts_of_a_preview_are_told(workspace, project):
    workspace.record(project, RenameTopic(1, "Wet things"))
    preview = workspace.refit(project, preview=True)
    told = topic_operations.last_verdicts(workspace.store, project)
    assert told == list(preview.outcome.verdicts) != []


def test_a_preview_is_neither_scored_nor_reported(workspace, project):
    resting = workspace.store.resting_run(project)
    workspace.label(project, 9, ["Noise"])
    preview = workspace.refit(project, preview=True)
    board = workspace.evaluate(project)
    assert board.run == resting
    assert board.counted
    assert [p.run for p in evaluations.history(workspace.store.home, project)] == [resting.id]
    found = results_of(workspace.store, workspace.project(project), resting=True)
    assert found.run == resting
    assert workspace.results(project).run == preview


def test_a_cancelled_full_fit_leaves_the_preview(workspace, project):
    preview = workspace.refit(project, preview=True)
    with pytest.raises(Cancelled):
        workspace.refit(project, callback=lambda progress: True)
    assert workspace.store.current_run(project) == preview
    assert workspace.refit(project).id == preview.id + 1


def test_a_run_that_is_replaced_while_it_is_read_is_found_again(workspace, project, monkeypatch):
    store, preview = workspace.store, workspace.refit(project, preview=True)
    read = store.run_topics

    def replaced_meanwhile(run: Run) -> Topics:
        if run == preview:
            workspace.refit(project)
        return read(run)

    monkeypatch.setattr(store, "run_topics", replaced_meanwhile)
    run, topics = newest_fit(store, project)
    assert run == store.current_run(project) != preview
    assert topics.keys == (1, 2, 3, "Free 1")


def test_free_topics_keep_their_places_through_both_stages(workspace):
    made = small.project(workspace.store, topics=0, labelled=0)
    store = workspace.store
    store.update_settings(made.id, ProjectSettings(n_free=3))
    before = resting_topics(workspace, made.id)
    workspace.label(made.id, 0, ["Water"])
    for preview in (True, False):
        after = store.run_topics(workspace.refit(made.id, preview=preview))
        cosines = before.topic_term @ after.topic_term[1:].T
        assert cosines.diagonal().tolist() == pytest.approx(cosines.max(axis=1).tolist())
