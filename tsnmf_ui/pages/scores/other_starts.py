"""Stability across random starts: fit again, and say how much depends on chance."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from statistics import mean

import streamlit as st

from core.workspace.scores import ScoreHistory
from tsnmf_ui import jobs
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

N_SEEDS = 5
POLL_SECONDS = 1.0  # seconds between looks while it runs
OTHER_STARTS_HELP = (
    "Fits the same labels from other random starts, to show how much depends on chance."
)


def render(board: ScoreHistory) -> None:
    """A button, its progress, and what came of it."""
    task = jobs.service().state(jobs.SEED_FITS, board.project.id)
    with st.container(key="panel-seeds"):
        st.html('<h2 class="ts-heading">Stability across random starts</h2>')
        st.caption(OTHER_STARTS_HELP)
        if task.active:
            _running(board.project.id)
            return
        if task.phase == "failed" and task.error:
            st.error(texts.escape_markdown(task.error))
        if board.seeds is not None:
            st.html(_found(board))
        if not state.may_change(board.project.id):
            return
        st.button(
            f"Try {N_SEEDS} random starts" if board.seeds is None else "Try again",
            key="scores.seeds",
            on_click=jobs.service().request,
            args=(jobs.SEED_FITS, board.project.id, {"seeds": N_SEEDS}),
        )


@st.fragment(run_every=POLL_SECONDS)
def _running(project: int) -> None:
    task = jobs.service().state(jobs.SEED_FITS, project)
    left = "" if task.seconds_left is None else f", about {texts.seconds(task.seconds_left)} left"
    doing = "Waiting" if task.phase == "waiting" else "Fitting from random starts"
    st.progress(min(max(task.share, 0.0), 1.0), text=f"{doing}{left}")
    if not state.may_change(project):
        return
    st.button(
        "Cancel",
        key="scores.seeds-cancel",
        on_click=jobs.service().cancel,
        args=(jobs.SEED_FITS, project),
    )


def _found(board: ScoreHistory) -> str:
    found = board.seeds
    assert found is not None
    same, words = found["documents"], found["words"]
    parts = [
        f"<p>Across {found['seeds']} fits from other starts, two fits give "
        f"<b>{texts.percent(mean(same))}</b> of the texts the same main topic "
        f"({_range(same)}), and paired topics share <b>{texts.percent(mean(words))}</b> "
        f"of their top ten words ({_range(words)}).</p>",
        _noise(board, found["scores"].get("first") or []),
    ]
    when = f"with {texts.count(found['labelled'], 'label')}"
    old = "" if found["run"] == board.run.id else " There has been another fit since."
    return f'<div class="ts-seeds">{"".join(parts)}<span class="ts-quiet">{when}.{old}</span></div>'


def _range(values: Sequence[float]) -> str:
    return f"{texts.percent(min(values))} to {texts.percent(max(values))}"


def _noise(board: ScoreHistory, scores: Sequence[float]) -> str:
    """Whether the present fit is a lucky or an unlucky one."""
    now = None if board.point is None else board.point.value("first")
    if not scores or now is None or board.seeds is None or board.seeds["run"] != board.run.id:
        return ""
    sentence = f"Their hit rate is {_range(scores)}, that of the current run {texts.percent(now)}"
    if now < min(scores):
        start = "below all of them. Another seed may give a better fit (Corpus)"
        return f"<p>{escape(sentence)}, {start}.</p>"
    return f"<p>{escape(sentence)}.</p>"
