"""Stability over seeds: fit again from other random starts, and say how much depends on luck."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from statistics import mean

import streamlit as st

from tsnmf_ui import background, texts
from tsnmf_ui.scoreboard import SEEDS, Board

N_SEEDS = 5
LOOK = 1.0  # seconds between looks while it runs
WHY = (
    "The same labels, another random start: what stays is in the texts and the labels, what "
    "changes is luck."
)


def draw(board: Board) -> None:
    """A button, its progress, and what came of it."""
    task = background.task_state(SEEDS, board.project.id)
    with st.container(key="panel-seeds"):
        st.html('<div class="ts-heading">Other random starts</div>')
        st.caption(WHY)
        if task.active:
            _running(board.project.id)
            return
        if task.phase == "failed" and task.error:
            st.error(texts.literal(task.error))
        if board.seeds is not None:
            st.html(_found(board))
        st.button(
            f"Try {N_SEEDS} other starts" if board.seeds is None else "Try again",
            key="scores.seeds",
            on_click=background.request,
            args=(SEEDS, board.project.id, {"seeds": N_SEEDS}),
        )


@st.fragment(run_every=LOOK)
def _running(project: int) -> None:
    task = background.task_state(SEEDS, project)
    left = "" if task.seconds_left is None else f", about {texts.seconds(task.seconds_left)} left"
    said = "Waiting for its turn" if task.phase == "waiting" else "Fitting from other starts"
    st.progress(min(max(task.share, 0.0), 1.0), text=f"{said}{left}")
    st.button(
        "Cancel", key="scores.seeds-cancel", on_click=background.cancel, args=(SEEDS, project)
    )


def _found(board: Board) -> str:
    found = board.seeds
    assert found is not None
    same, words = found["documents"], found["words"]
    parts = [
        f"<p>In {found['seeds']} fits from other starts, two fits give "
        f"<b>{texts.percent(mean(same))}</b> of the texts the same main topic "
        f"({_range(same)}), and paired topics share <b>{texts.percent(mean(words))}</b> "
        f"of their ten words ({_range(words)}).</p>",
        _luck(board, found["scores"].get("first") or []),
    ]
    when = f"with {texts.count(found['labelled'], 'label')}"
    old = "" if found["run"] == board.run.id else " The labels have changed since."
    return f'<div class="ts-seeds">{"".join(parts)}<span class="ts-quiet">{when}.{old}</span></div>'


def _range(values: Sequence[float]) -> str:
    return f"{texts.percent(min(values))} to {texts.percent(max(values))}"


def _luck(board: Board, scores: Sequence[float]) -> str:
    """Whether the present fit is a lucky or an unlucky one."""
    now = None if board.point is None else board.point.value("first")
    if not scores or now is None or board.seeds is None or board.seeds["run"] != board.run.id:
        return ""
    said = f"They are right first for {_range(scores)}, the present fit for {texts.percent(now)}"
    if now < min(scores):
        worse = "below all of them: a fit that starts afresh would do better"
        return f'<p>{escape(said)}: <span class="ts-bad">{worse}.</span></p>'
    return f"<p>{escape(said)}.</p>"
