"""Lines that the labelling pane shows after a bulk label, an undo or a redo."""

from __future__ import annotations

from core.store import Event, SaveSearch
from tsnmf_ui.theme import texts


def bulk_notice(count: int, newer: int) -> str:
    """The line after a bulk label."""
    others = (
        f" Left out {texts.count(newer, 'text')} that others have labelled since." if newer else ""
    )
    return f"Labelled {texts.count(count, 'text')}. One undo reverts them all.{others}"


def batch_notice(head: Event) -> str:
    """The line after any other batch, and after one that was asked for again."""
    return f"{head.payload['title']}: done. You can undo this."


def event_notice(event: Event) -> dict[str, str]:
    """The line after an event that the screen does not show by itself."""
    if event.kind != SaveSearch.kind:
        return {}
    name = event.payload["name"]
    if not event.payload["search"]:
        return {"notice": f"The saved search “{name}” was removed. You can undo this."}
    return {"notice": f"Saved as “{name}”: a queue of what is left of it, in the menu Saved."}


def undo_notice(event: Event) -> str:
    """The line after an undo or redo; nothing where the screen shows it anyway."""
    project_status = event.payload.get("kind")
    verb = "undone" if event.kind == "undo" else "redone"
    what = {"batch": "The batch was", "restore": "The restore was"}.get(str(project_status))
    if what is None and event.position is None and project_status:
        what = f"“{str(project_status).replace('_', ' ').capitalize()}” was"
    return f"{what} {verb}." if what else ""
