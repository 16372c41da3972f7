"""The codebook as a file: out in four formats, in with a preview."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.errors import StudioError
from core.store import Project
from core.store.files.codebook_files import (
    CodebookFormat,
    CodebookPlan,
    import_codebook,
    plan_codebook,
    read_codebook,
    write_codebook,
)
from tsnmf_ui import jobs
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

FORMAT_TITLES: dict[CodebookFormat, tuple[str, str]] = {
    "csv": ("CSV, for spreadsheets", "text/csv"),
    "xlsx": ("Excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "json": ("JSON", "application/json"),
    "md": ("Markdown, to read", "text/markdown"),
}
UPLOAD_COUNT = "history.codebook.uploads"  # another number makes the uploader forget its file
CODEBOOK_FILE_HELP = (
    "A table with a column “topic” and any of “definition”, “include”, “exclude” and “examples” "
    "(ids of texts, separated by semicolons). A column that is not there changes nothing. You see "
    "a preview first."
)
NO_TOPICS = "There is no topic to write about yet."


def codebook_transfer(project: Project) -> None:
    """Out on the left, in on the right."""
    left, right = st.columns([0.36, 0.64], gap="small")
    with left, st.container(key="panel-codebook-out"):
        _export(project)
    with right, st.container(key="panel-codebook-in"):
        _import(project)


def _export(project: Project) -> None:
    st.html('<h2 class="ts-heading">Export the codebook</h2>')
    if not state.store().topics(project.id):
        st.markdown(NO_TOPICS)
        return
    for format, (title, mime) in FORMAT_TITLES.items():
        st.download_button(
            title,
            data=partial(write_codebook, state.store(), project.id, format=format),
            file_name=f"codebook-{project.id}.{format}",
            mime=mime,
            on_click="ignore",
            key=f"history.codebook.{format}",
            icon=":material/download:",
            width="stretch",
        )


def _import(project: Project) -> None:
    st.html('<h2 class="ts-heading">Import a codebook</h2>')
    file = st.file_uploader(
        "File of a codebook",
        type=["csv", "tsv", "json", "jsonl", "xlsx"],
        key=f"history.codebook.file.{state.get_value(UPLOAD_COUNT, 0)}",
        help=CODEBOOK_FILE_HELP,
    )
    if file is None:
        st.caption(CODEBOOK_FILE_HELP)
        return
    try:
        rows, name = read_codebook(file.getvalue(), filename=file.name)
        plan = plan_codebook(state.store(), project.id, rows, name)
    except StudioError as error:
        st.error(texts.escape_markdown(str(error)))
        return
    _preview(project, plan)


def _preview(project: Project, plan: CodebookPlan) -> None:
    create = False
    if plan.new:
        title = f"Create {texts.count(len(plan.new), 'new topic')}"
        create = st.checkbox(title, key="history.codebook.create")
    sentences = plan.sentences(create)
    st.markdown("\n".join(f"- {texts.escape_markdown(each)}" for each in sentences))
    for each in plan.changed:
        with st.expander(texts.escape_markdown(f"{each.name}: before and after")):
            for name in each.fields:
                _before_and_after(name, getattr(each.before, name), getattr(each.after, name))
    n = len(plan.chosen(create))
    st.button(
        f"Change {texts.count(n, 'entry', 'entries')}",
        key="history.codebook.do",
        type="primary",
        disabled=not n,
        on_click=_imported,
        args=(project.id, plan, create),
    )


def _before_and_after(name: str, before: object, after: object) -> None:
    was, now = _shown(before), _shown(after)
    title = texts.escape_markdown(name.capitalize())
    st.markdown(f"*{title}*: {texts.escape_markdown(was)} → **{texts.escape_markdown(now)}**")


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return texts.count(len(value), "text")
    return str(value) or "nothing"


def _imported(project: int, plan: CodebookPlan, create: bool) -> None:
    try:
        import_codebook(state.store(), project, plan, create=create, author=state.author())
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
        return
    state.set_value(UPLOAD_COUNT, state.get_value(UPLOAD_COUNT, 0) + 1)
    n = len(plan.chosen(create))
    state.notify(
        f"{texts.count(n, 'entry', 'entries')} of the codebook changed. One undo reverts them all."
    )
    jobs.service().request(jobs.FIT, project)
