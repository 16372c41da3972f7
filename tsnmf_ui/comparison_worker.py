"""What a comparison's own process does. Knows the engine and the store, no screen.

It is started for one comparison and ends with it. It gives way to the process that refits after a
label: lower priority, and half of the cores.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from threadpoolctl import threadpool_limits

from core import kernels
from core.comparison import Candidate, Judge, Material, Variant, compare_models, study_rates
from core.comparison.clock import Report, Standing
from core.comparison.rates import sampled
from core.errors import StudioError
from core.fitting import COUNTING, ModelSpec
from core.kernels.parts import limit_threads
from core.matrix import DocumentTermMatrix
from core.store import Project, Store, Topic, comparisons
from core.supervision import Supervision
from core.topics import Topics
from tsnmf_ui import worker
from tsnmf_ui.follow_up import Steps

GIVE_WAY = 10  # how much nicer than the rest of the app
SAMPLE = 10_000  # documents that supervision-rate curves are drawn from
REPORT = 0.25  # seconds between reports
BROKEN = "The comparison stopped unexpectedly; nothing was changed. Start it again."


@dataclass(frozen=True, kw_only=True)
class Ask:
    """A comparison to make, as plain values that reach another process."""

    project: int
    kind: str  # models, rates
    title: str
    author: str
    candidates: tuple[dict[str, Any], ...] = ()  # title, spec, run
    seeds: tuple[int, ...] = (0,)
    judge: Judge = "nothing"
    variants: tuple[dict[str, Any], ...] = ()  # title, spec, supervised
    rates: tuple[float, ...] = field(default=())
    n_sets: int = 5

    @property
    def chosen(self) -> list[Candidate]:
        return [
            Candidate(each["title"], ModelSpec.from_dict(each["spec"]), each["run"])
            for each in self.candidates
        ]

    @property
    def curves(self) -> list[Variant]:
        return [
            Variant(each["title"], ModelSpec.from_dict(each["spec"]), each["supervised"])
            for each in self.variants
        ]


def main(parent: int, home: str, ask: Ask, channel: Any) -> None:
    """Make a comparison and tell how it goes: progress, then done or failed."""
    threading.Thread(target=worker._watch_parent, args=(parent,), daemon=True).start()
    _give_way()
    try:
        with Store.open(home=home) as store:
            kernels.warm()
            channel.send(("done", make(store, ask, _reporter(channel))))
    except StudioError as error:
        channel.send(("failed", str(error)))
    except MemoryError:
        channel.send(("failed", "There is not enough memory for this; choose fewer models."))


def _give_way() -> None:
    if hasattr(os, "nice"):
        os.nice(GIVE_WAY)
    limit_threads((os.cpu_count() or 1) // 2)
    threadpool_limits(1, user_api="blas")


def _reporter(channel: Any) -> Report:
    last = 0.0

    def report(standing: Standing) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= REPORT:
            last = now
            told = (standing.share, standing.seconds_left, standing.doing)
            channel.send(("progress", *told))

    return report


def make(store: Store, ask: Ask, report: Report | None = None) -> int:
    """Make a comparison and keep it; its number."""
    begun = time.perf_counter()
    project, revision = store.project(ask.project), store.revision(ask.project)
    named = store.topics(project.id)
    specs = [each.spec for each in ask.chosen] + [each.spec for each in ask.curves]
    material = _material(store, project, named, ask, specs)
    about = {"kind": ask.kind, "title": ask.title, "revision": revision, "author": ask.author}
    found: Any
    topics: list[Topics] = []
    if ask.kind == "rates":
        few = sampled(material, SAMPLE)
        found = study_rates(
            few, variants=ask.curves, rates=ask.rates, n_sets=ask.n_sets, report=report
        )
    else:
        found, topics = compare_models(
            ask.chosen, material, seeds=ask.seeds, judge=ask.judge, report=report
        )
        about["topic_ids"] = [_ids(each, named) for each in topics]
    about["seconds"] = time.perf_counter() - begun
    return comparisons.keep(store.home, project.id, about, found.to_dict(), topics)


def _material(
    store: Store, project: Project, named: Sequence[Topic], ask: Ask, specs: Sequence[ModelSpec]
) -> Material:
    counts = any(spec.model in COUNTING for spec in specs)
    annotations = store.annotations(project.id)
    runs = [each.run for each in ask.chosen if each.run is not None]
    return Material(
        supervision=worker.supervision_of(project.n_docs, named, annotations),
        matrix=_matrix(store, project, ModelSpec("nmf")),
        counts=_matrix(store, project, ModelSpec("lda")) if counts else None,
        truth=_truth(store, project),
        fitted={number: store.run_topics(store.run(project.id, number)) for number in runs},
        steering=Steps.of(store, project.id).steering,
        side=store.corpus(project.id, texts=False).side if project.settings.levels else {},
        levels=project.settings.levels,
    )


def _matrix(store: Store, project: Project, spec: ModelSpec) -> DocumentTermMatrix:
    """The project's matrix as a model of this kind reads it."""
    return worker.matrix_of(store, replace(project, settings=replace(project.settings, spec=spec)))


def _truth(store: Store, project: Project) -> Supervision | None:
    if not project.settings.truth:
        return None
    corpus = store.corpus(project.id, texts=False)
    return Supervision.of(corpus.labels, corpus.label_names) if corpus.label_names else None


def _ids(topics: Topics, named: Sequence[Topic]) -> list[int]:
    """Ids of the first topics, those that stand for a label."""
    number = {topic.name: topic.id for topic in named}
    return [number[name] for name in topics.names[: topics.n_supervised]]
