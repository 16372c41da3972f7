"""What the results pages share: their style sheet, the line on top, the sentence when empty."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Protocol

import plotly.graph_objects as go
import streamlit as st

from core.store import Project, Run
from tsnmf_ui import figures, jobs, state, texts
from tsnmf_ui.results import Results

CSS = Path(__file__).parent.parent / "results.css"


class Fitted(Protocol):
    """What the line on top needs to know about the present fit."""

    @property
    def run(self) -> Run: ...

    @property
    def fresh(self) -> bool: ...

    @property
    def behind(self) -> int: ...


@cache
def _css() -> str:
    return CSS.read_text(encoding="utf-8")


def dress() -> None:
    """The style sheet of the results pages."""
    st.html(f"<style>{_css()}</style>")


def head(project: Project, found: Fitted | None) -> None:
    """Project, how far it is labelled, and how fresh the topics are."""
    labelled = f"{project.n_labelled:,} of {project.n_docs:,} labelled"
    st.html(
        f'<div class="ts-head"><b>{escape(project.name)}</b><span class="ts-quiet">{labelled}'
        f"</span><span class='ts-quiet'>{_freshness(project, found)}</span></div>"
    )


def _freshness(project: Project, found: Fitted | None) -> str:
    fit = jobs.fit_state(project.id)
    if fit.phase in ("waiting", "running"):
        return "a fit is running; the page follows by itself"
    if fit.phase == "failed" and fit.error:
        return f'<span class="ts-bad">{escape(fit.error)}</span>'
    if found is None:
        return ""
    done = f"fitted {state.moment(found.run.finished)} in {texts.seconds(found.run.seconds)}"
    if found.fresh:
        return done
    return f"{done}, {texts.count(found.behind, 'act')} ago"


def nothing_yet(project: Project) -> None:
    """What to do before the first fit."""
    with st.container(key="empty-state"):
        if jobs.fit_state(project.id).phase in ("waiting", "running"):
            st.markdown(texts.NO_TOPICS_YET)
            return
        st.markdown("There are no topics yet. Label a few texts, or let the model look first.")
        with st.container(horizontal=True, horizontal_alignment="center"):
            if st.button("Label texts", key="empty-label"):
                state.go("label")
            st.button(
                "Find topics now",
                key="empty-fit",
                type="primary",
                on_click=jobs.request_fit,
                args=(project.id,),
            )


def row_styles(found: Results, chosen: int) -> str:
    """Colour and share of every row in the list of topics; the chosen one is framed."""
    rules = [
        f".st-key-topic-row-{topic}{{--c:{found.colours[topic]};--share:{100 * size.share:.1f}%}}"
        for topic, size in enumerate(found.sizes)
    ]
    frame = "box-shadow:inset 0 0 0 1.5px var(--c);font-weight:650"
    rules.append(f".st-key-topic-row-{chosen} button{{{frame}}}")
    # Not a style alone: those share their places with toasts, and an old one would stay behind.
    return f"<style>{''.join(rules)}</style><i hidden></i>"


def show(figure: go.Figure, key: str) -> None:
    """A figure to look at."""
    st.plotly_chart(
        figure, key=key, theme=None, alt=figures.alt_text(figure), config={"displayModeBar": False}
    )


def show_clickable(figure: go.Figure, key: str) -> list[dict[str, Any]]:
    """A figure whose points can be chosen; what was chosen."""
    event = st.plotly_chart(
        figure,
        key=key,
        theme=None,
        alt=figures.alt_text(figure),
        config={"displayModeBar": False},
        on_select="rerun",
        selection_mode="points",
    )
    return list(event["selection"]["points"])


def choice(label: str, options: Sequence[str], key: str, *, in_address: bool = False) -> str:
    """One of a few, the first unless told otherwise; in the address bar where it names a view."""
    chosen = st.segmented_control(
        label,
        list(options),
        default=options[0] if state.recall(key) is None else None,  # an act may have set it
        required=True,
        key=key,
        label_visibility="collapsed",
        bind="query-params" if in_address else None,
    )
    return chosen or options[0]
