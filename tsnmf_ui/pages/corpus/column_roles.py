"""What the columns kept with the texts are taken for: groups, true labels, dates or labels."""

from __future__ import annotations

from html import escape

import streamlit as st

from core.corpus import Corpus
from core.errors import StudioError
from core.search import names_of_columns
from core.store import Project
from core.workspace.column_roles import GROUP, change_role
from tsnmf_ui import jobs
from tsnmf_ui.pages.corpus import overview
from tsnmf_ui.pages.history.label_transfer import labels_from_column
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

LABELS = "labels"  # no role that stays: labels go on the log once, with a preview and one undo
ROLE_TITLES = {
    GROUP: "Group in charts",
    "truth": "True labels",
    "date": "Date",
    "kept": "Not used",
    LABELS: "Labels…",
}
ROLE_SENTENCES = {
    GROUP: "“{}” groups texts in charts and in the report.",
    "truth": "“{}” holds the true labels. The model is refitted and scored against them.",
    "date": "“{}” holds the dates: charts over time and date: follow it.",
    "kept": "“{}” is kept, and no longer a group in charts and the report.",
}
WHAT_ROLES_DO = (
    "All of them can be searched, as in {}. True labels and dates take the place of those of the "
    "file; choose “Group in charts” to go back."
)
VALUES_SHOWN = 3


def column_roles(project: Project, corpus: Corpus) -> None:
    """One line for each column, with what it is taken for."""
    overview.heading("Columns kept with the texts")
    example = texts.escape_markdown(_example(corpus))
    st.caption(WHAT_ROLES_DO.format(example))
    for column, cells in corpus.side.items():
        _column(project, column, cells)


def _example(corpus: Corpus) -> str:
    name, title = next(iter(names_of_columns(list(corpus.side)).items()))
    value = next((cell for cell in corpus.side[title] if cell), "value")
    return f"{name}:{value.split()[0]}"


def _column(project: Project, column: str, cells: tuple[str, ...]) -> None:
    now = project.settings.column_roles.get(column, GROUP)
    key = f"corpus.role.{project.id}.{column}.{now}"
    about, choice = st.columns([0.7, 0.3], vertical_alignment="center")
    about.html(f"<b>{escape(column)}</b> <span class='ts-quiet'>{escape(_values(cells))}</span>")
    chosen = choice.selectbox(
        f"What “{texts.plain_label(column)}” is",
        list(ROLE_TITLES),
        index=list(ROLE_TITLES).index(now),
        format_func=ROLE_TITLES.__getitem__,
        key=key,
        label_visibility="collapsed",
    )
    if chosen == LABELS:
        labels_from_column(project, column)
    elif chosen != now:
        _change(project, column, chosen)


def _values(cells: tuple[str, ...]) -> str:
    """“4 values: North, South, …”; the first ones that occur."""
    distinct = [cell for cell in dict.fromkeys(cells) if cell]
    shown = ", ".join(cell[:40] for cell in distinct[:VALUES_SHOWN])
    missing = sum(not cell for cell in cells)
    rest = " …" if len(distinct) > VALUES_SHOWN else ""
    without = f"; {texts.count(missing, 'text')} without one" if missing else ""
    return f"{texts.count(len(distinct), 'value')}: {shown}{rest}{without}"


def _change(project: Project, column: str, role: str) -> None:
    before = project.settings.column_in("truth")
    try:
        changed = change_role(state.store(), project, column, role)
    except StudioError as error:  # no rerun: the choice would be tried again without end
        st.error(texts.escape_markdown(f"{error} Nothing has changed."))
        return
    if changed.settings.column_in("truth") != before:
        jobs.service().request(jobs.FIT, project.id)
    state.notify(texts.escape_markdown(ROLE_SENTENCES[role].format(column)))
    st.rerun()
