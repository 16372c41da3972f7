"""``tsnmf-studio score`` and ``compare``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from core.errors import NotFound
from core.evaluation.comparison import Comparison
from core.evaluation.score_format import format_score, is_shown, score_with_interval
from core.evaluation.scoring import SCORE_INFO
from core.spec import ModelSpec
from core.workspace import Workspace
from core.workspace.reports import scores_of
from core.workspace.scores import evaluate
from tsnmf_ui.cli.output import Output


def score(chosen: argparse.Namespace) -> int:
    """Score the last full fit unless it is scored, and print every score with its interval."""
    output = Output(chosen)
    with Workspace.open(home=chosen.home) as workspace:
        project = workspace.project(chosen.project)
        board = workspace.scores(project.id)
        if board is None:
            raise NotFound(f"“{project.name}” has no fit yet; refit it first.")
        if not board.counted:
            tell = output.progress("testing on labels held out")
            evaluate.evaluate(workspace.store, project.id, {}, tell)
            board = workspace.scores(project.id)
    found = scores_of(board)
    output.note(found.basis if found.judged else found.missing)
    values = {name: list(each[:3]) for name, each in found.values.items()}
    lines = _lines(found.values)
    output.result(lines, {"project": project.name, "scores": values, "basis": found.basis})
    return 0


def _lines(scores: Mapping[str, Any]) -> Iterator[str]:
    for name, each in scores.items():
        if name in SCORE_INFO and is_shown(name, each[0]):
            yield f"{SCORE_INFO[name].title}: {score_with_interval(name, each)}"


def compare(chosen: argparse.Namespace) -> int:
    """Fit the models, keep the comparison with the project, print a table."""
    output = Output(chosen)
    with Workspace.open(home=chosen.home) as workspace:
        project = workspace.project(chosen.project)
        n_topics = chosen.topics or workspace.spec(project.id).n_topics
        specs = {name: ModelSpec(name, n_topics) for name in dict.fromkeys(chosen.models)}
        specs |= {
            name: replace(project.settings.spec, n_topics=n_topics)
            for name in specs
            if name == project.settings.spec.model
        }
        fitting = output.progress("fitting")
        found = workspace.compare(
            project.id,
            specs,
            seeds=tuple(chosen.seed or (0,)),
            report=lambda progress: fitting(progress.share),
        )
    output.result(_table(found), found.to_dict())
    return 0


def _table(found: Comparison) -> Iterator[str]:
    """A row per score, a column per model: the mean over the seeds."""
    means = found.table().groupby(["score", "candidate"], sort=False)["value"].mean().unstack()
    titles = [entry.title for entry in found.entries]
    known = [name for name in means.index if name in SCORE_INFO]
    width = max([len(SCORE_INFO[name].title) for name in known], default=0)
    yield " ".join([" " * width, *(f"{title:>16}" for title in titles)])
    for name in known:
        cells = [means.loc[name].get(title) for title in titles]
        shown = ["" if _is_gap(value) else format_score(name, value) for value in cells]
        yield " ".join([SCORE_INFO[name].title.ljust(width), *(f"{cell:>16}" for cell in shown)])


def _is_gap(value: float | None) -> bool:
    return value is None or value != value
