"""A link to a large file, in the look of a button; the server sends the file from the disk."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from pathlib import Path

import streamlit as st

from core.store.files.label_files import Format
from tsnmf_ui.server import state
from tsnmf_ui.server.files import file_address
from tsnmf_ui.server.tokens import FileTicket


def file_link(label: str, project: int, path: Path, *, name: str, media_type: str) -> None:
    """Offer a finished file of a project to this visitor under a name."""
    ticket = FileTicket(author=state.author(), name=name, media_type=media_type, project=project)
    _link(label, replace(ticket, path=str(path)), "ts-file-link ts-primary")


def export_link(label: str, project: int, *, name: str) -> None:
    """Offer a whole project, which is exported when somebody asks for it."""
    mime = "application/zip"
    ticket = FileTicket(author=state.author(), name=name, media_type=mime, project=project)
    _link(label, ticket, "ts-file-link")


def labels_link(label: str, project: int, *, media_type: str, format: Format, texts: bool) -> None:
    """Offer the labels of a project, written when somebody asks for them."""
    name = f"labels-{project}.{format}"
    ticket = FileTicket(author=state.author(), name=name, media_type=media_type, project=project)
    _link(label, replace(ticket, labels=format, texts=texts), "ts-file-link")


def _link(label: str, ticket: FileTicket, look: str) -> None:
    st.html(
        f'<a class="{look}" href="{escape(file_address(ticket))}" '
        f'download="{escape(ticket.name)}">{escape(label)}</a>'
    )
