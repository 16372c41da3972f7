"""Make the sample reports in ``assets/reports``: of the demo, and of Reuters (multi-label).

``NLTK_DATA=... python -m tests.bench.sample_reports``. Reuters' texts may not be passed on, so its
report withholds quotes, ids and texts; a fifth of them is labelled, the others test the topics.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from core.loading.collections import read_reuters
from core.report import PRIVACY_PRESETS
from core.store import CreateTopic, Label
from core.store.projects.demo import create_demo
from core.workspace import Workspace
from core.workspace.results import results_of
from tsnmf_ui.theme import style

SAMPLES = Path(__file__).resolve().parents[2] / "assets" / "reports"
DEMO_FORMATS = (".html", ".xlsx", ".pptx", ".docx", ".json")
EVERY = 5  # one text in so many is labelled


def write_demo(workspace: Workspace) -> None:
    project = create_demo(workspace.store).id
    workspace.refit(project)
    workspace.evaluate(project)
    for suffix in DEMO_FORMATS:
        workspace.write_report(
            project, SAMPLES / f"demo{suffix}", colours=colours(workspace, project)
        )


def write_reuters(workspace: Workspace) -> None:
    corpus = read_reuters(min_characters=250)
    project = workspace.create("Reuters news, 1987", corpus, given_labels="truth", n_free=3).id
    store, names = workspace.store, corpus.label_names
    topics = [CreateTopic(name) for name in names]
    store.record_batch(project, "Topics", topics, author="sample")
    number = {topic.name: topic.id for topic in store.topics(project)}
    labels = [
        Label(at, tuple(number[name] for name in corpus.labels[at]))
        for at in range(0, len(corpus), EVERY)
    ]
    store.record_batch(project, "A fifth of the labels", labels, author="sample")
    workspace.refit(project)
    workspace.evaluate(project)
    workspace.write_report(
        project,
        SAMPLES / "reuters.html",
        colours=colours(workspace, project),
        privacy=PRIVACY_PRESETS["public"],
    )


def colours(workspace: Workspace, project: int) -> list[str]:
    found = results_of(workspace.store, workspace.project(project), resting=True)
    assert found is not None
    return [style.topic_colour(number) for number in found.colour_numbers]


def main() -> None:
    SAMPLES.mkdir(parents=True, exist_ok=True)
    for write in (write_demo, write_reuters):
        with tempfile.TemporaryDirectory() as home, Workspace.open(home=home) as workspace:
            write(workspace)
    for path in SAMPLES.iterdir():
        path.chmod(0o644)


if __name__ == "__main__":
    main()
