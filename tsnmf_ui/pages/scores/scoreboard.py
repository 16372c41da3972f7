"""What the Scores page reads: evaluations that are already counted, never the factors themselves.

So the page opens at once however large the corpus is; the counting is done in the background.
"""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from core.evaluation.score_format import score_with_interval
from core.store import Project
from core.workspace.scores import ScoreHistory, score_history
from tsnmf_ui import jobs
from tsnmf_ui.server import state
from tsnmf_ui.theme import style

MAX_PAST_FORECASTS = 8  # earlier forecasts that are drawn


def load(project: Project) -> ScoreHistory | None:
    """The scores there are, or None before the first fit."""
    return score_history(state.store(), project)


def colours(board: ScoreHistory, names: Iterable[str]) -> list[str]:
    """The colours of topics by their names; that of a free topic for any other name."""
    topics = state.store().topics(board.project.id)
    known = {topic.name: style.topic_colour(topic.colour) for topic in topics}
    return [known.get(name, style.FREE_COLOUR) for name in names]


def ask_for_scores(board: ScoreHistory | None) -> None:
    """Have the present fit scored, unless it is, or is about to be."""
    if board is None or board.counted:
        return
    if jobs.service().state(jobs.EVALUATE, board.project.id).phase in (
        "idle",
        "done",
    ):
        jobs.service().request(jobs.EVALUATE, board.project.id)


def by_labels(board: ScoreHistory, name: str) -> pd.DataFrame:
    """A score of every evaluated fit that has it, in order of time."""
    like = "" if board.point is None else board.point.comparison_key
    rows = [
        (
            point.labelled,
            *point.scores[name][:3],
            state.local_time(point.finished),
            point.model,
            point.comparison_key == like,
            score_with_interval(name, point.scores[name]),
        )
        for point in board.history
        if name in point.scores
    ]
    columns = ["labelled", "value", "low", "high", "finished", "model", "like", "range"]
    table = pd.DataFrame(rows, columns=columns)
    return table.astype({"low": float, "high": float, "like": bool})
