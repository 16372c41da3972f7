"""Projects: open one, start one, try the demo; rename, copy, move, delete and take back."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Literal

import streamlit as st

from core.errors import StudioError
from core.store import Project
from core.store.projects.demo import create_demo
from tsnmf_ui import jobs
from tsnmf_ui.pages.projects.card import ago, project_card
from tsnmf_ui.pages.widgets.author import author_menu
from tsnmf_ui.pages.widgets.file_link import export_link
from tsnmf_ui.pages.widgets.upload import forget_upload, upload
from tsnmf_ui.server import state
from tsnmf_ui.theme import style, texts

CSS = Path(__file__).parent / "style.css"
Width = Literal["stretch", "content"]
Emphasis = Literal["primary", "secondary"]

CARDS_PER_ROW = 3
WHOLE_LOG_IN_FILE = (
    "The file holds all labels, also those that are hidden until a second person has labelled."
)
DEMO_WAIT_SECONDS = 3.0  # seconds the demo may take before the page is shown without topics
DELETED_PROJECT = "projects.deleted"  # the project that was deleted last in this tab
IMPORT_FIELD = "projects.file"

ASK_AN_OWNER = (
    "To see a project of others, ask one of its owners to add you as {} (History, People)."
)

WELCOME = (
    '<div class="ts-welcome"><h2>Teach a topic model by labelling a few texts</h2>'
    "<p>The demo is a city’s service desk: several hundred messages, a first round of labels, "
    "fitted and ready to explore. Or bring your own texts as a CSV, Excel or ZIP file.</p></div>"
)


def page() -> None:
    """The projects there are, or what to do when there are none."""
    style.add_style_sheet(CSS)
    projects = state.store().projects()
    _offer_undo()
    if projects:
        _head(len(projects))
        _cards(projects)
    else:
        _welcome()
    _deleted_projects()


# The two ways to begin


def _head(n: int) -> None:
    title, you, *buttons = st.columns([0.3, 0.16, 0.18, 0.18, 0.18], vertical_alignment="center")
    with you:
        author_menu()
    many = "1 project" if n == 1 else f"{n:,} projects"
    title.html(
        f'<div class="ts-title">Projects</div><div class="ts-quiet">{many}, newest first</div>'
    )
    with buttons[0]:
        _import()
    with buttons[1]:
        _demo_button("secondary")
    with buttons[2]:
        _new_button("primary")


def _welcome() -> None:
    with st.container(key="empty-state"):
        st.html(WELCOME)
        with st.container(horizontal=True, horizontal_alignment="center"):
            _demo_button("primary", width="content")
            _new_button("secondary", width="content")
            _import(width="content")
        if state.login_configured():
            st.caption(ASK_AN_OWNER.format(texts.escape_markdown(state.author())))
            author_menu()


def _new_button(kind: Emphasis, width: Width = "stretch") -> None:
    pressed = st.button(
        "New project", key="projects.new", type=kind, icon=":material/add:", width=width
    )
    if pressed:
        state.close_project()
        state.open_page("corpus")


def _demo_button(kind: Emphasis, width: Width = "stretch") -> None:
    pressed = st.button(
        "Open the demo", key="projects.demo", type=kind, icon=":material/play_arrow:", width=width
    )
    if pressed:
        with st.spinner("Reading and fitting the demo …"):
            project = _demo()
        state.open_project(project)
        state.open_page("topics")


def _demo() -> int:
    """The demo that is there already, or a new one; fitted before it is shown, if at all soon."""
    store = state.store()
    there = [each for each in store.projects() if each.settings.demo]
    project = min(there, key=lambda each: each.id) if there else create_demo(store)  # not a copy
    if project.last_run is None:
        _fit_now(project.id)
    return project.id


def _fit_now(project: int) -> None:
    """Nobody is typing labels: there is nothing to wait for before the fit."""
    runner = jobs.service()
    runner.request(jobs.FIT, project, delay=0.0)
    runner.wait(jobs.FIT, project, DEMO_WAIT_SECONDS)


def _import(width: Width = "stretch") -> None:
    with st.popover("Import", icon=":material/upload:", width=width):
        st.caption("Import a project that was exported here or on another machine.")
        file = upload(IMPORT_FIELD, "Project file", "zip")
        if file is not None:
            forget_upload(IMPORT_FIELD)
            _attempt(lambda: _imported(file))
            st.rerun()


def _imported(file: BytesIO) -> str:
    project = state.store().import_project(file)
    return f"{_quoted(project.name)} was imported with its history."


# The cards


def _cards(projects: list[Project]) -> None:
    for start in range(0, len(projects), CARDS_PER_ROW):
        row = projects[start : start + CARDS_PER_ROW]
        for column, project in zip(st.columns(CARDS_PER_ROW), row, strict=False):
            with column, st.container(key=f"project-card-{project.id}"):
                project_card(project, state.store().topics(project.id))
                _actions(project)


def _actions(project: Project) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        label = texts.distinct_label("Open", project.name)
        if st.button(label, key=f"projects.open.{project.id}", icon=":material/arrow_forward:"):
            state.open_project(project.id)
            state.open_page("topics" if project.settings.demo else "label")
        with st.popover(
            texts.distinct_label("More", project.name),
            type="tertiary",
            key=f"projects-more-{project.id}",
        ):
            _menu(project)


def _menu(project: Project) -> None:
    number = project.id
    is_owner = state.is_owner(number)
    if is_owner:
        _rename(project)
    _action("Duplicate", "content_copy", number, lambda: _duplicated(number))
    export_link("Export", number, name=f"{_file_name(project.name)}.studio.zip")
    if state.store().double_coding(number) is not None:
        st.caption(WHOLE_LOG_IN_FILE)
    if is_owner:
        _action("Delete", "delete", number, lambda: _deleted(project))


def _rename(project: Project) -> None:
    number, field = project.id, f"projects.name.{project.id}"
    st.text_input("Name", value=project.name, key=field, max_chars=120)
    _action("Rename", "edit", number, lambda: _renamed(number, str(state.get_value(field, ""))))


def _action(label: str, icon: str, number: int, action: Callable[[], str | None]) -> None:
    """A button that does one thing and says what it did, or why not."""
    st.button(
        label,
        key=f"projects.{label.lower()}.{number}",
        icon=f":material/{icon}:",
        width="stretch",
        on_click=_attempt,
        args=(action,),
    )


def _attempt(action: Callable[[], str | None]) -> None:
    try:
        message = action()
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
        return
    if message:
        state.notify(message)


def _renamed(number: int, name: str) -> str:
    return f"The project is now called {_quoted(state.store().rename_project(number, name).name)}."


def _duplicated(number: int) -> str:
    return f"{_quoted(state.store().duplicate_project(number).name)} was created."


def _file_name(name: str) -> str:
    kept = "".join(letter if letter.isalnum() else "-" for letter in name.lower())
    return "-".join(part for part in kept.split("-") if part)[:60] or "project"


# Deleting, and taking it back


def _deleted(project: Project) -> None:
    state.store().delete_project(project.id)
    state.set_value(DELETED_PROJECT, (project.id, project.name))
    if state.project_id() == project.id:
        state.close_project()


def _offer_undo() -> None:
    number, name = state.get_value(DELETED_PROJECT, (None, ""))
    if number is None:
        return
    with st.container(key="projects-notice", horizontal=True, vertical_alignment="center"):
        st.text(f"“{name}” was deleted.", width="content")
        st.button("Undo", key="projects.undo", on_click=_restore, args=(number,), type="tertiary")


def _restore(number: int) -> None:
    state.clear_values(DELETED_PROJECT)
    _attempt(lambda: f"{_quoted(state.store().restore_project(number).name)} was restored.")


def _deleted_projects() -> None:
    """Deleted projects stay until they are wanted again."""
    gone = state.store().projects(deleted=True)
    if not gone:
        return
    with st.expander(f"Deleted projects ({len(gone)})"):
        for project in gone:
            with st.container(horizontal=True, vertical_alignment="center"):
                when = ago(project.deleted) if project.deleted else ""
                st.text(f"{project.name} · deleted {when}", width="stretch")
                key = f"projects.restore.{project.id}"
                st.button("Restore", key=key, on_click=_restore, args=(project.id,))


def _quoted(name: str) -> str:
    """A name for a message that is drawn as Markdown: nothing in it may format."""
    return f"“{texts.escape_markdown(name)}”"
