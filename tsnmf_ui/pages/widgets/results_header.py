"""What the results pages share: their style sheet, the line on top, the sentence when empty."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, Protocol

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.store import Project, Run
from core.workspace.results import Results
from tsnmf_ui import figures, jobs
from tsnmf_ui.pages import results
from tsnmf_ui.server import state
from tsnmf_ui.theme import style, texts

CSS = Path(__file__).parent / "results.css"
LARGEST_LISTED = 25  # cells of a map that has too many to read
LARGE_MAP_HELP = (
    "Drag over a part of the map to enlarge it, double-click to see all of it again. "
    "The largest cells can be clicked."
)
AFRESH_HELP = (
    "Fits the model to your labels from the beginning. Every change leads to that; use it after a "
    "fit was stopped, or to see that the same labels give the same topics."
)


class FitStatus(Protocol):
    """What the line on top needs to know about the present fit."""

    @property
    def run(self) -> Run: ...

    @property
    def fresh(self) -> bool: ...

    @property
    def behind(self) -> int: ...


def open_page(*style_sheets: Path) -> Project:
    """The open project, required; the style sheet of the results pages, then the page's own."""
    project = state.require_project()
    for sheet in (CSS, *style_sheets):
        style.add_style_sheet(sheet)
    return project


def head(project: Project, found: FitStatus | None) -> None:
    """Project, how far it is labelled, and how fresh the topics are."""
    labelled = f"{project.n_labelled:,} of {project.n_docs:,} labelled"
    run = "" if found is None else f' data-run="{found.run.id}"'
    name = escape(project.name)
    st.html(
        f'<div class="ts-head"{run}><b title="{name}">{name}</b><span class="ts-quiet">{labelled}'
        f"</span><span class='ts-quiet'>{_freshness(project, found)}</span></div>"
    )


def _freshness(project: Project, found: FitStatus | None) -> str:
    fit = jobs.fit_state(jobs.service(), project.id)
    shows_preview = found is not None and found.run.preview
    if fit.active and not shows_preview:
        return "fit running; this page updates when it is done"
    if fit.phase == "failed" and fit.error:
        return f'<span class="ts-bad">{escape(fit.error)}</span>'
    if found is None:
        return ""
    if shows_preview:
        return texts.PREVIEW if fit.phase != "cancelled" else texts.PREVIEW_ONLY
    done = f"fitted {state.local_time(found.run.finished)} in {texts.seconds(found.run.seconds)}"
    if found.fresh:
        return done
    return f"{done}, {texts.count(found.behind, 'event')} since"


def fit_afresh(project: Project) -> None:
    """The button that fits the labels of now from the beginning; every page follows."""
    if not state.may_change(project.id):
        return
    st.button(
        "Refit from scratch",
        key="results.afresh",
        width="stretch",
        icon=":material/refresh:",
        help=AFRESH_HELP,
        on_click=_fit_afresh,
        args=(project.id,),
    )


def _fit_afresh(project: int) -> None:
    jobs.fit_afresh(jobs.service(), project)
    state.notify("The model is being refitted from scratch.")


def nothing_yet(project: Project) -> None:
    """What to do before the first fit."""
    with st.container(key="empty-state"):
        if jobs.fit_state(jobs.service(), project.id).active:
            st.markdown(texts.NO_TOPICS_YET)
            return
        if not state.may_change(project.id):
            st.markdown("No topics yet.")
            return
        st.markdown("No topics yet. Label a few texts, or fit the model now.")
        with st.container(horizontal=True, horizontal_alignment="center"):
            if st.button("Label texts", key="empty-label"):
                state.open_page("label")
            st.button(
                "Fit now",
                key="empty-fit",
                type="primary",
                on_click=jobs.service().request,
                args=(jobs.FIT, project.id),
            )


def row_styles(found: Results, chosen: int) -> str:
    """Colour and share of every row in the list of topics; the chosen one is framed."""
    colours = results.colours(found)
    rules = [
        f".st-key-topic-row-{topic}{{--c:{colours[topic]};--share:{100 * size.share:.1f}%}}"
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
    _numbers(figure, key)


def _numbers(figure: go.Figure, key: str) -> None:
    """The numbers of a figure as a table, for whoever opens it."""
    title = figure.layout.title.text or "this chart"
    name = texts.distinct_label("Numbers as a table", title)
    box = st.expander(name, key=f"numbers.{key}", on_change="rerun")
    if box.open:
        box.dataframe(figures.numbers(figure), hide_index=True, alt=figures.alt_text(figure))


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
    _numbers(figure, key)
    return list(event["selection"]["points"])


def largest_cells(figure: go.Figure, *, of_pairs: bool = False) -> None:
    """The first cells of a map that has too many to read, as a table.

    ``of_pairs``: rows and columns are the same, so that the map holds each pair twice.
    """
    st.html('<h2 class="ts-heading">Largest cells</h2>')
    cells = figures.numbers(figure)
    if of_pairs:
        ends = zip(cells.iloc[:, 0], cells.iloc[:, 1], strict=True)
        cells = cells[~pd.Series(map(frozenset, ends)).duplicated()]
    table = cells.head(LARGEST_LISTED)
    st.dataframe(table, hide_index=True, alt=f"The {len(table)} largest cells of the map.")
    st.caption(LARGE_MAP_HELP)


def choice(label: str, options: Sequence[str], key: str, *, in_address: bool = False) -> str:
    """One of a few, the first unless told otherwise; in the address bar where it names a view."""
    chosen = st.segmented_control(
        label,
        list(options),
        default=options[0] if state.get_value(key) is None else None,  # it may be set elsewhere
        required=True,
        key=key,
        label_visibility="collapsed",
        format_func=str if in_address else texts.escape_markdown,  # columns of a file, for one
        bind="query-params" if in_address else None,
    )
    return chosen or options[0]
