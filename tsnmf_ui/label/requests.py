"""What browsers ask for, turned into events; the store checks them and says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from core import store as stores
from core.errors import StudioError
from core.workspace.adoption import ShownFreeTopic

Body = Mapping[str, Any]
INCOMPLETE_REQUEST = "This request is not complete."
NUMBER_LIMIT = 2**31  # what a database holds


def event_of(request: Body) -> stores.NewEvent:
    """The event that a request asks for."""
    try:
        return _MAKERS[request["kind"]](request)
    except (KeyError, TypeError):
        raise StudioError(INCOMPLETE_REQUEST) from None


def label_of(request: Body, position: int) -> stores.Label:
    """The label a request describes, for one document or for each of many."""
    try:
        return stores.Label(
            position=position,
            permitted=tuple(request.get("permitted", ())),
            forbidden=tuple(request.get("forbidden", ())),
            confidence=request.get("confidence", "sure"),
            nothing_fits=request.get("nothing_fits", False),
            note=request.get("note", ""),
        )
    except TypeError:
        raise StudioError(INCOMPLETE_REQUEST) from None


def seen_of(request: Body) -> int | None:
    """The label its author looked at; a label that says nothing of it replaces any other."""
    return _number(request, "seen")


def since_of(request: Body) -> int | None:
    """How far back an undo goes."""
    return _number(request, "since")


def to_of(request: Body) -> int | None:
    """The document that the pane already shows when it goes on."""
    return _number(request, "to")


def free_topic_key_of(request: Body) -> str | None:
    """The key of the free topic that a new topic is made from, as the pane was told it."""
    free = request.get("free_topic")
    key = free.get("key") if isinstance(free, Mapping) else None
    return key if isinstance(key, str) else None


def _free_topic(request: Body) -> Any:
    """The run and the column alone; the key only helps to find the topic again."""
    free = request.get("free_topic")
    if not isinstance(free, Mapping):
        return free
    return {name: value for name, value in free.items() if name != "key"}


def topic_of(request: Body) -> int:
    """The topic a request is about."""
    return _required(request, "topic")


def position_of(request: Body) -> int:
    """The text a request is about."""
    return _required(request, "position")


def highlight_of(request: Body) -> int:
    """The event of the highlight a request is about."""
    return _required(request, "highlight")


def free_topic_of(request: Body) -> ShownFreeTopic:
    """The free topic a request is about, as the pane was shown it."""
    free, key = request.get("free_topic"), free_topic_key_of(request)
    if not isinstance(free, Mapping) or key is None:
        raise StudioError(INCOMPLETE_REQUEST)
    return ShownFreeTopic(_required(free, "run"), _required(free, "topic"), key)


def _required(request: Body, name: str) -> int:
    value = _number(request, name)
    if value is None:
        raise StudioError(INCOMPLETE_REQUEST)
    return value


def _number(request: Body, name: str) -> int | None:
    value = request.get(name)
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < NUMBER_LIMIT:
        return value
    raise StudioError(INCOMPLETE_REQUEST)


_MAKERS: dict[str, Callable[[Body], stores.NewEvent]] = {
    "label": lambda request: label_of(request, request["position"]),
    "skip": lambda request: stores.Skip(request["position"]),
    "highlight": lambda request: stores.Highlight(
        request["position"], request["why"], request["start"], request["end"], request["quote"]
    ),
    "drop_highlight": lambda request: stores.DropHighlight(
        request["position"], request["highlight"]
    ),
    "create_topic": lambda request: stores.CreateTopic(request["name"], _free_topic(request)),
    "rename_topic": lambda request: stores.RenameTopic(request["topic"], request["name"]),
    "delete_topic": lambda request: stores.DeleteTopic(request["topic"]),
    "save_search": lambda request: stores.SaveSearch(request["name"], request["search"]),
    "edit_codebook": lambda request: stores.EditCodebook(
        request["topic"],
        request.get("definition", ""),
        request.get("include", ""),
        request.get("exclude", ""),
        tuple(request.get("examples", ())),
    ),
}
