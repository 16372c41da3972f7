"""Large files, sent from the disk: Streamlit's own downloads are kept in memory.

A page offers a file by an address with a ticket, which names the file and its visitor. The route
asks of a request what every other route does, and that the ticket is this visitor's, who may still
read the project. A project, or its labels, are exported when they are asked for, into a folder that
is gone once they were sent.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

from starlette.responses import FileResponse, Response, StreamingResponse

from core.errors import NotFound
from core.store import Store
from core.store.members.roles import Role
from core.workspace.labels import write_label_file
from tsnmf_ui.server import access, tokens
from tsnmf_ui.server.request_values import RequestRefused
from tsnmf_ui.server.tokens import FileTicket

FILE_ROUTE = "api/file"
FILE_GONE = "The file is no longer there. Reload the page to make it again."
OTHER_FILE = "This file was not offered to you."
NOT_KEPT = {"Cache-Control": "no-store"}
PIECE_BYTES = 1 << 20


def file_address(ticket: FileTicket) -> str:
    """Where the browser of the ticket's author gets the file, relative to any page."""
    asked = {"file": tokens.seal_ticket(ticket), "token": tokens.token(ticket.author)}
    return f"{FILE_ROUTE}?{urlencode(asked)}"


def file_response(given: str, author: str, store: Store) -> Response:
    """What a ticket of this author stands for."""
    ticket = tokens.ticket_of(given)
    if ticket is None or ticket.author != author:
        raise RequestRefused(403, OTHER_FILE)
    access.require(store, author, ticket.project, Role.READER)
    return _file(ticket, Path(store.home)) if ticket.path else _export(ticket, store)


def _file(ticket: FileTicket, home: Path) -> Response:
    path = Path(ticket.path).resolve()
    if not path.is_relative_to(home.resolve()):
        raise RequestRefused(403, OTHER_FILE)
    if not path.is_file():
        raise NotFound(FILE_GONE)
    return FileResponse(path, filename=ticket.name, media_type=ticket.media_type, headers=NOT_KEPT)


def _export(ticket: FileTicket, store: Store) -> Response:
    folder = tempfile.TemporaryDirectory(prefix="tsnmf-studio-")
    try:
        path = _exported(ticket, store, Path(folder.name) / "export")
    except BaseException:
        folder.cleanup()
        raise
    sent = FileResponse(path, filename=ticket.name, media_type=ticket.media_type, headers=NOT_KEPT)
    headers = {**NOT_KEPT, "Content-Disposition": sent.headers["content-disposition"]}
    headers["Content-Length"] = str(path.stat().st_size)
    return StreamingResponse(_pieces(path, folder), media_type=ticket.media_type, headers=headers)


def _exported(ticket: FileTicket, store: Store, path: Path) -> Path:
    if ticket.labels is None:
        return store.export_project(ticket.project, path)
    project = store.project(ticket.project).id
    return write_label_file(store, project, path, format=ticket.labels, texts=ticket.texts)


def _pieces(path: Path, folder: tempfile.TemporaryDirectory[str]) -> Iterator[bytes]:
    """The file piece by piece; the folder goes, also when the reader leaves half-way."""
    with folder, path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            yield piece
