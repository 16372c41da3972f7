"""A label to its preview, on real texts, without a screen: how long the fitting process takes.

    TSNMF_BENCH_DATA=folder python -m tests.bench.bench_preview [--home FOLDER] [--profile]

Two projects: 215,459 abstracts under 60 labels (those of ``bench_large``), and the 65,000 abstracts
of ``acl_anthology.jsonl.gz`` under all their venues, 439 labels; 3,000 texts of each are labelled,
and each is fitted once. Then one label at a time and ``Workspace.refit(preview=True)``, as after a
label in the app. ``--home`` keeps the projects for the next time, ``--profile`` says where the last
preview spends its time.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from core import Corpus
from core.store import CreateTopic, Label, Project, ProjectSettings, Store
from core.workspace import Workspace
from core.workspace.refits.warm_up import warm
from tests.bench.bench_large import N_LABELLED, report, resampled
from tests.bench.corpora import sampled

PREVIEWS = 5
EVERY_VENUE, ALL_TEXTS = 10_000, 1_000_000  # more than there are
CORPORA = {
    "215,459 texts, 60 labels": partial(resampled, 215_459),
    "65,000 texts, 439 labels": partial(sampled, "acl_anthology", ALL_TEXTS, EVERY_VENUE),
}


@contextmanager
def home_of(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def labels_of(corpus: Corpus, first: int, last: int, topics: dict[str, int]) -> list[Label]:
    rows = enumerate(corpus.labels[first:last], first)
    return [Label(at, tuple(topics[name] for name in names)) for at, names in rows]


def project_of(store: Store, name: str, corpus: Corpus) -> tuple[Project, dict[str, int]]:
    """A project of the corpus that is fitted once, and its topics by name."""
    known = {project.name: project for project in store.projects()}
    if name not in known:
        project = store.create_project(name, corpus, ProjectSettings(n_free=3), author="bench")
        for label in corpus.label_names:
            store.record(project.id, CreateTopic(label), author="bench")
        topics = {topic.name: topic.id for topic in store.topics(project.id)}
        told = labels_of(corpus, 0, N_LABELLED, topics)
        store.record_batch(project.id, "Labels", told, author="bench")
        report(f"{name}: full fit", lambda: Workspace(store).refit(name))
        known[name] = project
    topics = {topic.name: topic.id for topic in store.topics(known[name].id)}
    return known[name], topics


def previews(store: Store, name: str, corpus: Corpus, *, profiled: bool) -> None:
    project, topics = project_of(store, name, corpus)
    workspace = Workspace(store)
    again = partial(workspace.refit, name, preview=True, wait=False)
    first = len(store.annotations(project.id))
    for more in range(PREVIEWS):
        label = labels_of(corpus, first + more, first + more + 1, topics)[0]
        store.record(project.id, label, author="bench")
        if profiled and more == PREVIEWS - 1:
            profile = cProfile.Profile()
            profile.runcall(again)
            pstats.Stats(profile).sort_stats("cumulative").print_stats(70)
        else:
            run = report(f"{name}: preview", again)
            assert run.preview


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=Path)
    parser.add_argument("--profile", action="store_true")
    told = parser.parse_args()
    warm()
    print("| step | seconds | of the processor | GiB held before | most meanwhile |")
    print("|---|---|---|---|---|")
    with home_of(told.home) as home, Store.open(home=home) as store:
        for name, corpus in CORPORA.items():
            previews(store, name, corpus(), profiled=told.profile)


if __name__ == "__main__":
    main()
