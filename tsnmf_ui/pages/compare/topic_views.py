"""Topics of compared models: words side by side, and the texts on which the models differ."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from core.evaluation.comparison import Comparison
from core.store import Project
from core.workspace.results import documents_at
from tsnmf_ui.figures import comparison as figures
from tsnmf_ui.label import selections
from tsnmf_ui.label.selections import Selection
from tsnmf_ui.pages import results
from tsnmf_ui.pages.compare import tables
from tsnmf_ui.pages.compare.tables import ComparisonView
from tsnmf_ui.pages.widgets import results_header
from tsnmf_ui.server import state

TEXTS_LISTED = 12  # documents drawn at once
MAX_SENT_TO_LABEL = 100  # documents handed to the Label page


def words_side_by_side(shown: ComparisonView) -> None:
    """Matched topics side by side."""
    titles = [entry.title for entry in shown.found.entries]
    with st.container(key="panel-words"):
        narrow, _ = st.columns([0.36, 0.64])
        place = narrow.selectbox(
            "Topics of",
            range(len(titles)),
            format_func=lambda place: titles[place],
            key=f"compare.reference.{shown.kept.number}",
        )
        st.html(tables.side_by_side(shown, int(place)))
        st.caption(
            "Topics are paired one to one by the similarity of their texts (Kuhn–Munkres). Words "
            "in colour are not in the first column."
        )


def differences(project: Project, shown: ComparisonView) -> None:
    """How far the models agree, and the documents on which they do not."""
    found = shown.found
    titles = [entry.title for entry in found.entries]
    left, right = st.columns([0.44, 0.56], gap="small")
    with left, st.container(key="panel-agreement"):
        figure = figures.agreement(titles, _matrix(found))
        points = results_header.show_clickable(figure, key=f"compare.agreement.{shown.kept.number}")
        st.caption(
            "Topics are paired first. Diagonal: agreement of a model with itself across seeds. "
            "Click a cell for its texts."
        )
    pair = _pair(points)
    rows = _documents_of(found, pair)
    with right, st.container(key="panel-apart"):
        _list(project, shown, pair, rows)


def _matrix(found: Comparison) -> list[list[float | None]]:
    n = len(found.entries)
    values: list[list[float | None]] = [[None] * n for _ in range(n)]
    for place, entry in enumerate(found.entries):
        values[place][place] = entry.agreement
    for pair in found.pairs:
        values[pair.first][pair.second] = values[pair.second][pair.first] = pair.agreement
    return values


def _pair(points: Sequence[dict[str, object]]) -> tuple[int, int] | None:
    for point in points:
        cell = point.get("customdata")
        if isinstance(cell, list) and cell[0] != cell[1]:
            return int(cell[0]), int(cell[1])
    return None


def _documents_of(found: Comparison, pair: tuple[int, int] | None) -> list[tuple[int, float]]:
    chosen = None if pair is None else found.pair(*pair)
    return list(found.documents if chosen is None else chosen.documents)


def _list(
    project: Project,
    shown: ComparisonView,
    pair: tuple[int, int] | None,
    rows: Sequence[tuple[int, float]],
) -> None:
    rows = [each for each in rows if each[0] < project.n_docs]  # others were taken back
    titles = [shown.found.entries[place].title for place in pair or ()]
    between = " and ".join(titles) if titles else "the models"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(f'<h2 class="ts-heading">Where {escape(between)} differ most</h2>')
        offered = [position for position, _ in rows[:MAX_SENT_TO_LABEL]]
        if offered and st.button(
            f"Label {'these' if len(offered) == 1 else f'these {len(offered)}'}",
            key="compare.label",
            icon=":material/label:",
        ):
            _label(project, f"Where {between} differ", offered)
    found = documents_at(
        state.store(), project.id, [position for position, _ in rows[:TEXTS_LISTED]]
    )
    drawn = [(at, far, found[at]) for at, far in rows[:TEXTS_LISTED]]
    with st.container(height=560, border=False):
        st.html(tables.documents(shown, drawn, results.date_writer(project)))


def _label(project: Project, title: str, positions: Sequence[int]) -> None:
    chosen = Selection.of(project.id, title, positions)
    key = selections.save(state.store().home, chosen)
    state.open_page("label", **{selections.QUERY_PARAMETER: key})
