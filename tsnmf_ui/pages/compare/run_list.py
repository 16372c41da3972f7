"""Earlier runs of a project, newest first, each of which can be made current."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from core.store import Run
from tsnmf_ui.pages.compare.form import run_title
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts


def choose_run(listed: Sequence[Run]) -> Run | None:
    """Every run that can be brought back, newest first; the one whose button was pressed."""
    chosen, may_change = None, state.may_change(listed[0].project)
    with st.container(key="panel-runs"):
        st.html(
            '<h2 class="ts-heading">Runs, newest first</h2><div class="ts-quiet">Making '
            "a run current restores its topics and settings; labels stay as they are.</div>"
        )
        for place, run in enumerate(listed):
            with st.container(key=f"score-row-{run.id}"):
                wide, narrow = st.columns([0.86, 0.14], gap="small", vertical_alignment="center")
                wide.html(_run(run))
                with narrow:
                    if place == 0:
                        st.html('<div class="ts-in-use">current</div>')
                    elif may_change and st.button(_make_current(run), key=f"compare.run.{run.id}"):
                        chosen = run
    return chosen


def _run(run: Run) -> str:
    score = run.outcome.scores.mean_jaccard
    cells = [
        state.local_time(run.finished),
        "" if score is None else f"{score:.2f} weighted Jaccard",
        texts.seconds(run.seconds),
    ]
    divs = "".join(f"<div>{escape(cell)}</div>" for cell in cells)
    kind = "chosen by hand" if not run.automatic else "automatic"
    return (
        f'<div class="ts-scores" style="--n:{len(cells)}"><div>{escape(run_title(run))}'
        f"<small>{kind}</small></div>{divs}</div>"
    )


def _make_current(run: Run) -> str:
    return texts.distinct_label("Make current", f"run {run.id}")
