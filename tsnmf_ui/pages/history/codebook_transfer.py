"""The codebook as a file: out in four formats, in with a preview."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.store import Project
from core.store.files.codebook_files import (
    MAX_LISTED_ENTRIES,
    CodebookFormat,
    CodebookPlan,
    import_codebook,
    plan_codebook,
    read_codebook,
    write_codebook,
)
from tsnmf_ui.pages.history.file_transfer import (
    chosen_file,
    download_buttons,
    import_button,
    list_sentences,
    side_by_side,
)
from tsnmf_ui.pages.widgets.errors import try_or_show_error
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

FORMAT_TITLES: dict[CodebookFormat, tuple[str, str]] = {
    "csv": ("CSV, for spreadsheets", "text/csv"),
    "xlsx": ("Excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "json": ("JSON", "application/json"),
    "md": ("Markdown, to read", "text/markdown"),
}
CODEBOOK_FILE_HELP = (
    "A table with a column “topic” and any of “definition”, “include”, “exclude” and “examples” "
    "(ids of texts, separated by semicolons). A column that is not there changes nothing. You see "
    "a preview first."
)
NO_TOPICS = "There is no topic to write about yet."


def codebook_transfer(project: Project) -> None:
    side_by_side("codebook", project.id, partial(_export, project), partial(_import, project))


def _export(project: Project) -> None:
    st.html('<h2 class="ts-heading">Export the codebook</h2>')
    if not state.store().topics(project.id):
        st.markdown(NO_TOPICS)
        return
    download_buttons("codebook", project.id, FORMAT_TITLES, partial(_written, project.id))


def _written(project: int, format: CodebookFormat) -> bytes:
    return write_codebook(state.store(), project, format=format)


def _import(project: Project) -> None:
    st.html('<h2 class="ts-heading">Import a codebook</h2>')
    file = chosen_file("codebook", "File of a codebook", CODEBOOK_FILE_HELP)
    if file is not None:
        try_or_show_error(_read, project, file.getvalue(), file.name)


def _read(project: Project, data: bytes, filename: str) -> None:
    rows, name = read_codebook(data, filename=filename)
    _preview(project, plan_codebook(state.store(), project.id, rows, name))


def _preview(project: Project, plan: CodebookPlan) -> None:
    create = False
    if plan.new:
        title = f"Create {texts.count(len(plan.new), 'new topic')}"
        create = st.checkbox(title, key="history.codebook.create")
    list_sentences(plan.sentences(create))
    for each in plan.changed[:MAX_LISTED_ENTRIES]:
        with st.expander(texts.escape_markdown(f"{each.name}: before and after")):
            for name in each.fields:
                _before_and_after(name, getattr(each.before, name), getattr(each.after, name))
    n = len(plan.chosen(create))
    entries = texts.count(n, "entry", "entries")
    import_button(
        "codebook",
        f"Change {entries}",
        project.id,
        partial(
            import_codebook, state.store(), project.id, plan, create=create, author=state.author()
        ),
        f"{entries} of the codebook changed.",
        n=n,
    )


def _before_and_after(name: str, before: object, after: object) -> None:
    was, now = _shown(before), _shown(after)
    title = texts.escape_markdown(name.capitalize())
    st.markdown(f"*{title}*: {texts.escape_markdown(was)} → **{texts.escape_markdown(now)}**")


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return texts.count(len(value), "text")
    return str(value) or "nothing"
