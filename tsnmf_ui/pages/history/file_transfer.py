"""What goes out as a file and comes in as one after a preview: labels and the codebook alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TypeVar

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import StudioError
from tsnmf_ui import jobs
from tsnmf_ui.pages.widgets.upload import forget_upload, upload, uploads_used
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

Format = TypeVar("Format", bound=str)

FILE_TYPES = ["csv", "tsv", "jsonl", "json", "xlsx"]


def side_by_side(
    what: str, project: int, export: Callable[[], None], take_in: Callable[[], None]
) -> None:
    """Export on the left, import on the right; ``what`` is one word that names the panels."""
    left, right = st.columns([0.36, 0.64], gap="small")
    with left, st.container(key=f"panel-{what}-out"):
        export()
    if not state.may_change(project):
        return
    with right, st.container(key=f"panel-{what}-in"):
        take_in()


def download_buttons(
    what: str,
    project: int,
    formats: Mapping[Format, tuple[str, str]],
    write: Callable[[Format], bytes],
) -> None:
    """One button for each format, by its title and media type."""
    for format, (title, media_type) in formats.items():
        st.download_button(
            title,
            data=partial(write, format),
            file_name=f"{what}-{project}.{format}",
            mime=media_type,
            on_click="ignore",
            key=f"history.{what}.{format}",
            icon=":material/download:",
            width="stretch",
        )


def chosen_file(what: str, title: str, help: str) -> UploadedFile | None:
    """The file to import; what it should hold is said until there is one."""
    file = upload(_upload_key(what), title, FILE_TYPES, help)
    if file is None:
        st.caption(help)
    return file


def imports_done(what: str) -> int:
    """How many imports there were: a choice under another number starts afresh."""
    return uploads_used(_upload_key(what))


def list_sentences(sentences: Iterable[str]) -> None:
    """What an import would do."""
    st.markdown("\n".join(f"- {texts.escape_markdown(each)}" for each in sentences))


def import_button(
    what: str, title: str, project: int, record: Callable[[], object], done: str, *, n: int
) -> None:
    """Do it: nothing if ``n`` is 0; ``done`` is said afterwards, and a fit follows."""
    st.button(
        title,
        key=f"history.{what}.do",
        type="primary",
        disabled=not n,
        on_click=_import,
        args=(what, project, record, done),
    )


def _import(what: str, project: int, record: Callable[[], object], done: str) -> None:
    try:
        record()
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
        return
    forget_upload(_upload_key(what))
    state.notify(f"{texts.escape_markdown(done)} One undo reverts them all.")
    jobs.service().request(jobs.FIT, project)


def _upload_key(what: str) -> str:
    return f"history.{what}.file"
