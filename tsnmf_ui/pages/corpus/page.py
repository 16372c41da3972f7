"""Corpus: drop a file, check how it was read and how its words are counted, create a project."""

from __future__ import annotations

from pathlib import Path

from tsnmf_ui.pages.corpus import new_project, open_project
from tsnmf_ui.server import state
from tsnmf_ui.theme import style

CSS = Path(__file__).parent / "style.css"


def page() -> None:
    """Show the open project's corpus, or read a new one."""
    style.add_style_sheet(CSS)
    project = state.project()
    if project is None:
        new_project.render()
    else:
        open_project.render(project)
