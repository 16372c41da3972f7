"""A list on the Label page, given to a person to label: a search result or a selection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.errors import StudioError
from core.store import AssignTexts, Event, Store
from tsnmf_ui.label.document_lists import DocumentList, FoundList
from tsnmf_ui.label.place import Signature
from tsnmf_ui.theme import texts


def assign_list(
    store: Store, project: int, listing: DocumentList, request: Mapping[str, Any], by: Signature
) -> tuple[Event, str]:
    """Assign every text of a list; the event, and the line that reports it."""
    person = request.get("person")
    if not isinstance(person, str) or not person.strip():
        raise StudioError("Name a person.")
    if not isinstance(listing, FoundList):
        raise StudioError("Search for texts first, or choose a topic or a selection.")
    event = store.record(
        project,
        AssignTexts(person, tuple(int(position) for position in listing.found.positions)),
        author=by.author,
        client=by.client,
        sequence=by.sequence,
    )
    many = texts.count(len(event.payload["positions"]), "text")
    return event, f"Assigned {many} to {event.payload['person']}. You can undo this."
