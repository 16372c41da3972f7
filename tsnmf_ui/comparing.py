"""Comparisons in a process of their own: asked for, followed, cancelled, kept.

A label's refit never waits for a comparison: that has its own process, started for it and ended
with it. One comparison runs at a time; further ones wait their turn.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from core.comparison import refusals
from core.comparison.rates import rate_refusals
from core.errors import ModelError
from core.store import HistoryFilter, Project, ProjectSettings, Run, Store, comparisons
from tsnmf_ui import background, comparison_worker, jobs, worker
from tsnmf_ui.comparison_worker import BROKEN, Ask
from tsnmf_ui.worker_pool import no_main_module

Phase = Literal["idle", "waiting", "running", "done", "failed", "cancelled"]
Message = tuple[Any, ...]
TITLE = 100  # letters of a run's title on the log


@dataclass(frozen=True, slots=True)
class Progress:
    """Where the comparison of a project stands."""

    phase: Phase = "idle"
    title: str = ""
    share: float = 0.0
    seconds_left: float | None = None
    doing: str = ""
    error: str | None = None
    number: int | None = None  # of the comparison that was kept

    @property
    def busy(self) -> bool:
        return self.phase in ("waiting", "running")


class Underway(Protocol):
    """A comparison that runs and can be stopped."""

    def stop(self) -> None: ...


Launch = Callable[[Ask, Callable[[Message], None]], Underway]


class OwnProcess:
    """A process for one comparison, and a thread that listens to it."""

    def __init__(self, home: str, ask: Ask, tell: Callable[[Message], None]) -> None:
        context = multiprocessing.get_context("spawn")
        self._mine, theirs = context.Pipe(duplex=False)
        self._tell = tell
        self._process = context.Process(
            target=comparison_worker.main,
            args=(os.getpid(), home, ask, theirs),
            name="comparison",
            daemon=True,
        )
        with no_main_module():
            self._process.start()
        theirs.close()
        self._listener = threading.Thread(target=self._listen, name="comparison", daemon=True)
        self._listener.start()

    def stop(self) -> None:
        """Whatever it is doing: what it makes appears only when it is whole."""
        self._process.terminate()
        if threading.current_thread() is not self._listener:
            self._listener.join(timeout=10)

    def _listen(self) -> None:
        while True:
            try:
                message = self._mine.recv()
            except (EOFError, OSError):
                break
            self._tell(message)
        self._process.join()
        self._mine.close()
        self._tell(("ended",))


class Comparing:
    """The comparisons that run or wait, by project."""

    def __init__(self, store: Store, launch: Launch | None = None) -> None:
        self.store = store
        self._launch = launch or (lambda ask, tell: OwnProcess(str(store.home), ask, tell))
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._states: dict[int, Progress] = {}
        self._line: deque[Ask] = deque()
        self._now: tuple[Ask, Underway | None] | None = None

    def request(self, ask: Ask) -> None:
        """Start a comparison, or line it up; refused while the project has one under way."""
        with self._lock:
            if self.state(ask.project).busy:
                raise ModelError("A comparison of this project is under way; wait or cancel it.")
            self._set(ask.project, Progress("waiting", ask.title))
            self._line.append(ask)
            self._next()

    def cancel(self, project: int) -> None:
        """Stop the comparison of a project; nothing of it is kept."""
        with self._lock:
            if not self.state(project).busy:
                return
            self._set(project, replace(self.state(project), phase="cancelled"))
            self._line = deque(ask for ask in self._line if ask.project != project)
            running = self._now[1] if self._now and self._now[0].project == project else None
        if running is not None:
            running.stop()

    def state(self, project: int) -> Progress:
        with self._lock:
            return self._states.get(project, Progress())

    def wait(self, project: int, seconds: float) -> Progress:
        """Block until the project's comparison has ended, at most ``seconds``."""
        with self._changed:
            self._changed.wait_for(lambda: not self.state(project).busy, seconds)
            return self.state(project)

    def close(self) -> None:
        """End what runs; nothing that waits is started."""
        with self._lock:
            self._line.clear()
            busy = [project for project, state in self._states.items() if state.busy]
        for project in busy:
            self.cancel(project)

    def _next(self) -> None:
        if self._now is not None or not self._line:
            return
        ask = self._line.popleft()
        self._now = (ask, None)
        self._set(ask.project, replace(self.state(ask.project), phase="running"))
        try:
            self._now = (ask, self._launch(ask, lambda message: self._hear(ask, message)))
        except OSError:
            self._now = None
            self._set(ask.project, replace(self.state(ask.project), phase="failed", error=BROKEN))

    def _hear(self, ask: Ask, message: Message) -> None:
        with self._lock:
            state = self.state(ask.project)
            kind = message[0]
            if kind == "ended":
                self._end(ask, state)
            elif state.phase != "running":
                return
            elif kind == "progress":
                _, share, left, doing = message
                self._set(ask.project, replace(state, share=share, seconds_left=left, doing=doing))
            elif kind == "done":
                self._set(ask.project, replace(state, phase="done", share=1.0, number=message[1]))
            elif kind == "failed":
                self._set(ask.project, replace(state, phase="failed", error=message[1]))

    def _end(self, ask: Ask, state: Progress) -> None:
        """The process is gone; if it did not say why, it broke."""
        if state.phase == "running":
            self._set(ask.project, replace(state, phase="failed", error=BROKEN))
        self._now = None
        self._next()

    def _set(self, project: int, state: Progress) -> None:
        self._states[project] = state
        self._changed.notify_all()


def refused(store: Store, ask: Ask) -> list[str]:
    """Sentences that say why this cannot work; none if it can."""
    project = store.project(ask.project)
    truth = project.settings.truth
    if ask.kind == "rates":  # how many true labels there are is known once the corpus is read
        most = project.n_docs if truth else None
        return rate_refusals(ask.curves, ask.rates, ask.n_sets, most)
    supervision = worker.supervision_of(
        project.n_docs, store.topics(project.id), store.annotations(project.id)
    )
    gone = [
        f"{each.title} is no longer kept; fit it again."
        for each in ask.chosen
        if each.run is not None and not store.run(project.id, each.run).factors.exists()
    ]
    said = refusals(
        ask.chosen,
        supervision,
        seeds=ask.seeds,
        judge=ask.judge,
        truth=truth,
        levels=project.settings.levels,
    )
    return said + gone


def acts_since(store: Store, project: Project, revision: int) -> int:
    """Acts that a comparison does not know of; that a run was made current changes no label."""
    later = range(revision + 1, project.revision + 1)
    notes = HistoryFilter(kinds=("use_run",), within=later)
    return len(later) - store.history(project.id, notes, limit=0).total


def make_current(
    store: Store, project: Project, number: int, place: int, *, author: str, title: str
) -> Run:
    """Make a candidate of a comparison the project's model; its topics are shown at once."""
    kept = comparisons.one(store.home, project.id, number)
    topics = comparisons.topics_of(store.home, project.id, number, place)
    supervision = worker.supervision_of(
        project.n_docs, store.topics(project.id), store.annotations(project.id)
    )
    run = store.add_run(
        project.id,
        revision=_noted(store, project.id, kept.revision, author, title),
        spec=topics.spec,
        topic_ids=kept.topic_ids[place],
        topics=topics,
        scores=worker.scores_of(store, project, topics, supervision),
        seconds=topics.trace.seconds,
        settings=_settings_for(project, topics.spec.n_topics, kept.topic_ids[place], topics),
        automatic=False,
    )
    return _now_current(store, run)


def make_run_current(
    store: Store, project: Project, number: int, *, author: str, title: str
) -> Run:
    """Bring an earlier run back, with the settings it was made under."""
    earlier = store.run(project.id, number)
    topics = store.run_topics(earlier)
    run = store.add_run(
        project.id,
        revision=_noted(store, project.id, earlier.revision, author, title),
        spec=earlier.spec,
        topic_ids=earlier.topic_ids,
        topics=topics,
        scores=earlier.scores,
        seconds=earlier.seconds,
        settings=ProjectSettings.from_dict(earlier.settings),
        automatic=False,
    )
    return _now_current(store, run)


def _noted(store: Store, project: int, revision: int, author: str, title: str) -> int:
    """Note it on the log; how far the run knows the log, which then goes on by that note."""
    note = store.note_run(project, title[:TITLE], author=author)
    return note.id if revision == note.id - 1 else revision


def _settings_for(
    project: Project, n_topics: int | None, ids: tuple[int, ...], topics: Any
) -> ProjectSettings:
    """The project's settings with this model; where labels own topics, the rest are free."""
    spec = topics.spec
    if not spec.obeys:
        return replace(project.settings, spec=spec)
    n_free = max(0, (n_topics or len(topics)) - len(ids))
    return replace(project.settings, spec=replace(spec, n_topics=None), n_free=n_free)


def _now_current(store: Store, run: Run) -> Run:
    store.update_settings(run.project, ProjectSettings.from_dict(run.settings))
    jobs.announce(run.project, run.id)
    background.request("evaluate", run.project)  # as after a fit
    return run


_service: Comparing | None = None


def start(store: Store) -> Comparing:
    """Start the service of this server; no process is started before the first comparison."""
    global _service
    if _service is None:
        _service = Comparing(store)
    return _service


def stop() -> None:
    global _service
    if _service is not None:
        _service.close()
        _service = None


def request(ask: Ask) -> None:
    """Ask for a comparison; without a running server nothing happens."""
    if _service is not None:
        _service.request(ask)


def cancel(project: int) -> None:
    if _service is not None:
        _service.cancel(project)


def progress(project: int) -> Progress:
    """Where the comparison of a project stands."""
    return Progress() if _service is None else _service.state(project)
