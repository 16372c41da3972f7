"""Export labels as files, and import them with a preview."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import Literal

import streamlit as st

from core.loading.formats.table import Table
from core.loading.isolated import read_label_table
from core.store import Project
from core.store.files.label_columns import LabelColumns, guess_columns
from core.store.files.label_files import Format, LabelRow, label_rows
from core.store.files.label_import import (
    CONFLICT_CHOICES,
    Choice,
    ImportPlan,
    import_labels,
    plan_import,
)
from core.store.history.sentences import describe_annotation, describe_label
from core.workspace.caches.corpora import corpus_of
from core.workspace.labels import plan_from_column
from tsnmf_ui.pages.history.file_transfer import (
    chosen_file,
    import_button,
    imports_done,
    list_sentences,
    side_by_side,
)
from tsnmf_ui.pages.widgets.errors import try_or_show_error
from tsnmf_ui.pages.widgets.file_link import labels_link
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

LabelSource = Literal["file", "column"]  # where labels to import are, as the screen calls it
CONFLICT_TITLES: dict[LabelSource, str] = {
    "file": "Where the file differs",
    "column": "Where the column differs",
}
MAX_LISTED = 200  # conflicts, unknown ids and the like that are listed one by one
FORMAT_TITLES: dict[Format, tuple[str, str]] = {
    "csv": ("CSV, for spreadsheets", "text/csv"),
    "jsonl": ("JSON lines", "application/x-ndjson"),
}
EXPORTED = (
    "Id, topics, forbidden topics, confidence (sure: normal weight, unsure: half, expert: double), "
    "note, author and time of each label."
)
NOTHING_LABELLED = "Nothing to export yet: label a text first."
LABEL_FILE_HELP = (
    "A table with a column of ids and a column of labels; separate several topics with "
    "semicolons. You see a preview before anything changes."
)


def label_transfer(project: Project) -> None:
    side_by_side("labels", project.id, partial(_export, project), partial(_import, project))


# Out


def _export(project: Project) -> None:
    st.html('<h2 class="ts-heading">Export labels</h2>')
    labels = state.store().annotations(project.id)
    if not labels:
        st.markdown(NOTHING_LABELLED)
        return
    st.markdown(f"{texts.count(len(labels), 'labelled text')}.")
    with_texts = st.checkbox("Include the texts", key="history.labels.texts")
    for format, (title, media_type) in FORMAT_TITLES.items():
        labels_link(title, project.id, media_type=media_type, format=format, texts=with_texts)
    st.caption(EXPORTED)


# In


def _import(project: Project) -> None:
    st.html('<h2 class="ts-heading">Import labels</h2>')
    file = chosen_file("labels", "File of labels", LABEL_FILE_HELP)
    if file is None:
        _from_column(project)
    else:
        try_or_show_error(_read, project, file.getvalue(), file.name)


def _read(project: Project, data: bytes, filename: str) -> None:
    table, name = read_label_table(data, filename=filename)
    columns = _choose_columns(project, table)
    if not columns.chosen:
        st.info("Choose the column of ids and the column of labels.")
        return
    rows = label_rows(table, name, columns)
    _dry_run(project, plan_import(state.store(), project.id, rows, name), "file")


def _from_column(project: Project) -> None:
    """Labels from a column that was kept with the texts."""
    side = corpus_of(state.store(), project.id, texts=False).side
    if not side:
        return
    column = st.selectbox(
        "Or a column kept with the texts",
        list(side),
        index=None,
        key=f"history.labels.column.{imports_done('labels')}",
        placeholder="Choose a column",
        help="Its values become labels. You see a preview before anything changes.",
    )
    if column is None:
        return
    labels_from_column(project, column)


def labels_from_column(project: Project, column: str) -> None:
    """What would happen if the values of a kept column became labels, and the button for it."""
    plan = try_or_show_error(plan_from_column, state.store(), project.id, column)
    if plan is not None:
        _dry_run(project, plan, "column")


def _choose_columns(project: Project, table: Table) -> LabelColumns:
    """What each column is taken for; the guess can be changed."""
    guessed = guess_columns(table, state.store().document_ids(project.id))
    asked = (("Ids of the texts", "id", guessed.id), ("Labels", "labels", guessed.labels))
    picked = [
        column.selectbox(
            title,
            table.header,
            index=None if guess is None else table.header.index(guess),
            key=f"history.labels.{role}.{hash(table.header)}",  # another file, another guess
            placeholder="Choose a column",
        )
        for column, (title, role, guess) in zip(st.columns(2), asked, strict=True)
    ]
    return LabelColumns(*picked)


def _dry_run(project: Project, plan: ImportPlan, source: LabelSource) -> None:
    names = state.store().topic_names(project.id)
    choice: Choice = "keep"
    if plan.conflicts or plan.narrowed:
        picked = st.radio(
            CONFLICT_TITLES[source],
            list(CONFLICT_CHOICES),
            format_func=lambda each: CONFLICT_CHOICES[each],
            key="history.labels.choice",
        )
        choice = picked or choice
    list_sentences(summary(plan, choice))
    _conflicts(plan, names, state.store().document_ids(project.id), source)
    _left_out(plan)
    n = len(plan.chosen(choice))
    import_button(
        "labels",
        f"Import {texts.count(n, 'label')}",
        project.id,
        partial(import_labels, state.store(), project.id, plan, choice, author=state.author()),
        f"{texts.count(n, 'label')} imported.",
        n=n,
    )


def summary(plan: ImportPlan, choice: Choice) -> list[str]:
    """What the import would do, in sentences."""
    new, n = plan.new_topics(choice), len(plan.chosen(choice))
    lines = [f"{texts.count(n, 'label')} of {texts.count(plan.n_rows, 'row')} would be imported."]
    if plan.conflicts:
        count = texts.count(len(plan.conflicts), "text")
        verb = "is" if len(plan.conflicts) == 1 else "are"
        lines.append(f"{count} {verb} labelled differently here.")
    if plan.same:
        lines.append(f"Already labelled the same: {texts.count(plan.same, 'row')}.")
    if new:
        listed = ", ".join(f"“{name}”" for name in new[:8]) + (" …" if len(new) > 8 else "")
        kind = "New topic" if len(new) == 1 else f"{len(new)} new topics"
        lines.append(f"{kind}: {listed}.")
    if plan.silent:
        lines.append(f"Skipped because they have no label: {texts.count(plan.silent, 'row')}.")
    return lines


def _conflicts(
    plan: ImportPlan, names: dict[int, str], ids: list[str], source: LabelSource
) -> None:
    if not plan.conflicts:
        return
    body = "".join(
        f"<tr><td>{escape(ids[each.imported.position])}</td>"
        f"<td>{escape(describe_annotation(each.mine, names))}</td>"
        f"<td>{escape(each.mine.author)}</td>"
        f"<td>{escape(row_words(each.imported.row))}</td></tr>"
        for each in plan.conflicts[:MAX_LISTED]
    )
    head = f"<th>Text</th><th>Here</th><th>By</th><th>In the {source}</th>"
    with st.expander(f"Labelled differently ({len(plan.conflicts):,})", expanded=True):
        st.html(
            f'<table class="ts-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        )
        _more(len(plan.conflicts))


def _left_out(plan: ImportPlan) -> None:
    """Rows that cannot come in, each with its reason."""
    reasons = (
        ("No text has this id", plan.unknown),
        ("Several texts have this id", plan.ambiguous),
        ("A later row has the same text", plan.repeated),
    )
    for reason, rows in reasons:
        if not rows:
            continue
        with st.expander(f"{reason} ({len(rows):,})"):
            lines = "".join(f"<li>row {row:,}: {escape(id)}</li>" for row, id in rows[:MAX_LISTED])
            st.html(f'<ul class="ts-quiet">{lines}</ul>')
            _more(len(rows))


def _more(n: int) -> None:
    if n > MAX_LISTED:
        st.caption(f"and {n - MAX_LISTED:,} more")


def row_words(row: LabelRow) -> str:
    """A row of the file in words."""
    topics = dict(enumerate((*row.permitted, *row.forbidden)))
    permitted = list(topics)[: len(row.permitted)]
    payload = {
        "permitted": permitted,
        "forbidden": list(topics)[len(permitted) :],
        "confidence": row.confidence,
        "nothing_fits": row.nothing_fits,
    }
    return describe_label(payload, topics)
