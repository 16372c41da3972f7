"""What browsers ask for, turned into acts; the store checks them and says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from core import store as stores
from core.errors import StudioError

Body = Mapping[str, Any]
INCOMPLETE = "This act is not complete."


def act_of(act: Body) -> stores.Act:
    """The act a request asks for."""
    try:
        return _MAKERS[act["kind"]](act)
    except (KeyError, TypeError):
        raise StudioError(INCOMPLETE) from None


def label_of(act: Body, position: int) -> stores.Label:
    """The label a request describes, for one document or for each of many."""
    try:
        return stores.Label(
            position=position,
            permitted=tuple(act.get("permitted", ())),
            forbidden=tuple(act.get("forbidden", ())),
            confidence=act.get("confidence", "sure"),
            nothing_fits=act.get("nothing_fits", False),
            note=act.get("note", ""),
        )
    except TypeError:
        raise StudioError(INCOMPLETE) from None


def seen_of(act: Body) -> int | None:
    """The label its author looked at; a label that says nothing of it replaces any other."""
    return _number(act, "seen")


def since_of(act: Body) -> int | None:
    """How far back an undo goes."""
    return _number(act, "since")


def to_of(act: Body) -> int | None:
    """The document that the pane already shows when it goes on."""
    return _number(act, "to")


def _number(act: Body, name: str) -> int | None:
    value = act.get(name)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    raise StudioError(INCOMPLETE)


_MAKERS: dict[str, Callable[[Body], stores.Act]] = {
    "label": lambda act: label_of(act, act["position"]),
    "skip": lambda act: stores.Skip(act["position"]),
    "create_topic": lambda act: stores.CreateTopic(act["name"], act.get("found")),
    "rename_topic": lambda act: stores.RenameTopic(act["topic"], act["name"]),
    "delete_topic": lambda act: stores.DeleteTopic(act["topic"]),
    "edit_codebook": lambda act: stores.EditCodebook(
        act["topic"],
        act.get("definition", ""),
        act.get("include", ""),
        act.get("exclude", ""),
        tuple(act.get("examples", ())),
    ),
}
