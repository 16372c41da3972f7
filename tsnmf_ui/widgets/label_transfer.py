"""Labels out of the house and back in: downloads, and an import that is tried before it is done."""

from __future__ import annotations

from functools import partial
from html import escape

import streamlit as st

from core.act_words import label_words, note_words
from core.errors import StudioError
from core.label_files import Format, LabelRow, read_labels, write_labels
from core.label_import import CHOICES, Choice, ImportPlan, import_labels, plan_import
from core.store import Project
from tsnmf_ui import jobs, state, texts

LISTED = 200  # conflicts, unknown ids and the like that are listed one by one
TURN = "history.import.turn"  # counts imports, so that the uploader starts afresh
NOTHING_LABELLED = "There is nothing to take out yet: label a text first."
ABOUT = (
    "A table with the columns “id” and “labels”, as exported here; several topics in a cell are "
    "separated by semicolons. Nothing changes before you say so."
)


def label_transfer(project: Project) -> None:
    """Export on the left, import on the right."""
    left, right = st.columns([0.36, 0.64], gap="small")
    with left, st.container(key="panel-export"):
        _export(project)
    with right, st.container(key="panel-import"):
        _import(project)


# Out


def _export(project: Project) -> None:
    st.html('<div class="ts-heading">Take labels out</div>')
    labels = state.store().annotations(project.id)
    if not labels:
        st.markdown(NOTHING_LABELLED)
        return
    st.markdown(f"{texts.count(len(labels), 'text')} with what was said about them.")
    with_texts = st.checkbox("With the texts", key="history.export.texts")
    ways: dict[Format, str] = {"csv": "As CSV, for a spreadsheet", "jsonl": "As JSON lines"}
    for format, label in ways.items():
        st.download_button(
            label,
            data=partial(exported, project.id, format, with_texts),
            file_name=f"labels-{project.id}.{format}",
            mime="text/csv" if format == "csv" else "application/x-ndjson",
            on_click="ignore",
            key=f"history.export.{format}",
            icon=":material/download:",
            width="stretch",
        )
    st.caption("Id, topics, topics not permitted, confidence, note, author and time of each label.")


def exported(project: int, format: Format, with_texts: bool) -> bytes:
    """The file that is downloaded."""
    store = state.store()
    corpus_texts = store.corpus(project).texts if with_texts else None
    return write_labels(
        store.annotations(project),
        store.topic_names(project),
        store.document_ids(project),
        corpus_texts,
        format=format,
    )


# In


def _import(project: Project) -> None:
    st.html('<div class="ts-heading">Bring labels in</div>')
    turn = state.recall(TURN, 0)
    file = st.file_uploader(
        "File of labels",
        type=["csv", "tsv", "jsonl", "json", "xlsx"],
        key=f"history.import.file.{turn}",
        help=ABOUT,
    )
    if file is None:
        st.caption(ABOUT)
        return
    try:
        rows, name = read_labels(file.getvalue(), filename=file.name)
        plan = plan_import(state.store(), project.id, rows, name)
    except StudioError as error:
        st.error(texts.literal(str(error)))
        return
    _dry_run(project, plan)


def _dry_run(project: Project, plan: ImportPlan) -> None:
    names = state.store().topic_names(project.id)
    choice: Choice = "keep"
    if plan.conflicts or plan.narrowed:
        picked = st.radio(
            "Where the file says something else",
            list(CHOICES),
            format_func=lambda each: CHOICES[each],
            key="history.import.choice",
        )
        choice = picked or choice
    st.markdown("\n".join(f"- {texts.literal(line)}" for line in summary(plan, choice)))
    _conflicts(plan, names, state.store().document_ids(project.id))
    _left_out(plan)
    n = len(plan.chosen(choice))
    st.button(
        f"Import {texts.count(n, 'label')}",
        key="history.import.do",
        type="primary",
        disabled=not n,
        on_click=_imported,
        args=(project.id, plan, choice),
    )


def summary(plan: ImportPlan, choice: Choice) -> list[str]:
    """What the import would do, in sentences."""
    new, n = plan.new_topics(choice), len(plan.chosen(choice))
    told = [f"{texts.count(n, 'label')} of {texts.count(plan.n_rows, 'row')} would come in."]
    if plan.conflicts:
        count = texts.count(len(plan.conflicts), "text")
        verb = "is" if len(plan.conflicts) == 1 else "are"
        told.append(f"{count} {verb} labelled differently here.")
    if plan.same:
        told.append(f"Said here already: {texts.count(plan.same, 'row')}.")
    if new:
        listed = ", ".join(f"“{name}”" for name in new[:8]) + (" …" if len(new) > 8 else "")
        kind = "New topic" if len(new) == 1 else f"{len(new)} new topics"
        told.append(f"{kind}: {listed}.")
    if plan.silent:
        told.append(f"Left out because nothing is said: {texts.count(plan.silent, 'row')}.")
    return told


def _conflicts(plan: ImportPlan, names: dict[int, str], ids: list[str]) -> None:
    if not plan.conflicts:
        return
    body = "".join(
        f"<tr><td>{escape(ids[each.incoming.position])}</td>"
        f"<td>{escape(note_words(each.mine, names))}</td>"
        f"<td>{escape(each.mine.author)}</td>"
        f"<td>{escape(theirs(each.incoming.row))}</td></tr>"
        for each in plan.conflicts[:LISTED]
    )
    head = "<th>Text</th><th>Here</th><th>By</th><th>In the file</th>"
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
        ("A later row speaks of the same text", plan.repeated),
    )
    for reason, rows in reasons:
        if not rows:
            continue
        with st.expander(f"{reason} ({len(rows):,})"):
            lines = "".join(f"<li>row {row:,}: {escape(id)}</li>" for row, id in rows[:LISTED])
            st.html(f'<ul class="ts-quiet">{lines}</ul>')
            _more(len(rows))


def _more(n: int) -> None:
    if n > LISTED:
        st.caption(f"and {n - LISTED:,} more")


def theirs(row: LabelRow) -> str:
    """A row of the file in words."""
    topics = dict(enumerate((*row.permitted, *row.forbidden)))
    permitted = list(topics)[: len(row.permitted)]
    payload = {
        "permitted": permitted,
        "forbidden": list(topics)[len(permitted) :],
        "confidence": row.confidence,
        "nothing_fits": row.nothing_fits,
    }
    return label_words(payload, topics)


def _imported(project: int, plan: ImportPlan, choice: Choice) -> None:
    n = len(plan.chosen(choice))
    try:
        import_labels(state.store(), project, plan, choice, author=state.author())
    except StudioError as error:
        state.tell(str(error), "error")
        return
    state.remember(TURN, state.recall(TURN, 0) + 1)
    state.tell(f"{texts.count(n, 'label')} came in. One undo takes them all back.")
    jobs.request_fit(project)
