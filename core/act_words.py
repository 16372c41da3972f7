"""Acts in words: what was done, and what was there before and after."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core.store.history import HistoryLine
from core.store.values import Annotation, Event

NO_LABEL = "no label"
NOTHING_FITS = "nothing fits"

KINDS = {
    "label": "Labels",
    "skip": "Skips",
    "create_topic": "New topics",
    "rename_topic": "Renamed topics",
    "delete_topic": "Deleted topics",
    "merge_topics": "Merged topics",
    "split_topic": "Split topics",
    "lock_topic": "Locked topics",
    "unlock_topic": "Unlocked topics",
    "add_word": "Words added",
    "remove_word": "Words removed",
    "release_word": "Words released",
    "add_stop_word": "Stop words",
    "drop_stop_word": "Stop words dropped",
    "edit_codebook": "Codebook",
    "batch": "Imports and bulk labels",
    "restore": "Restores",
    "use_run": "Models made current",
    "undo": "Undone",
    "redo": "Redone",
}

Names = Mapping[int, str]
Teller = Callable[[Mapping[str, Any], Names, str | None], str]  # of payload, names, earlier name


@dataclass(frozen=True, slots=True)
class ActWords:
    """One act, fit for a line of a table."""

    what: str
    before: str = ""
    after: str = ""


def kind_words(kind: str) -> str:
    """What to call all acts of one kind."""
    return KINDS.get(kind, kind.replace("_", " ").capitalize())


def in_words(line: HistoryLine, names: Names) -> ActWords:
    """What an act did; ``names`` are the topics' names now, deleted ones included."""
    event = line.event
    if event.kind in ("undo", "redo"):
        what = _turn(event, line.turned, names)
    else:
        what = sentence(event, names, was=line.was, first=not _says(line.before))
    if event.position is not None:
        return ActWords(what, label_words(line.before, names), label_words(line.after, names))
    if line.was != line.becomes:
        return ActWords(what, _quoted(line.was), _quoted(line.becomes))
    return ActWords(what)


def label_words(payload: Mapping[str, Any] | None, names: Names) -> str:
    """“Water, Parks; not Noise; unsure”: everything a label says but its note."""
    if payload is None or not _says(payload):
        return NO_LABEL
    parts = [", ".join(_named(topic, names) for topic in payload["permitted"])]
    parts.append(NOTHING_FITS if payload["nothing_fits"] else "")
    barred = ", ".join(_named(topic, names) for topic in payload["forbidden"])
    parts.append(f"not {barred}" if barred else "")
    parts.append(payload["confidence"] if payload["confidence"] != "sure" else "")
    return "; ".join(part for part in parts if part)


def note_words(note: Annotation, names: Names) -> str:
    """The same of a label in force."""
    return label_words(
        {
            "permitted": note.permitted,
            "forbidden": note.forbidden,
            "confidence": note.confidence,
            "nothing_fits": note.nothing_fits,
        },
        names,
    )


def sentence(event: Event, names: Names, *, was: str | None = None, first: bool = True) -> str:
    """What an act says by itself."""
    teller = _TELLERS.get(event.kind)
    if event.kind == "label":
        return _label(event.payload, first)
    if teller is not None:
        return teller(event.payload, names, was)
    topic = event.payload.get("topic")
    plain = event.kind.replace("_", " ").capitalize()
    return plain if topic is None else f"{plain}: {_named(topic, names)}"


def _label(payload: Mapping[str, Any], first: bool) -> str:
    if not _says(payload):
        return "Wrote a note" if first and payload.get("note") else "Cleared the label"
    if payload["nothing_fits"]:
        return "Said that nothing fits"
    return "Labelled" if first else "Changed the label"


def _says(payload: Mapping[str, Any] | None) -> bool:
    """An empty label clears the document: it says nothing."""
    if payload is None:
        return False
    return bool(payload["permitted"] or payload["forbidden"] or payload["nothing_fits"])


def _turn(event: Event, turned: Event | None, names: Names) -> str:
    verb = "Took back" if event.kind == "undo" else "Did again"
    if turned is None:
        return verb
    told = sentence(turned, names)
    return f"{verb}: {told[0].lower()}{told[1:]}"


def _restore(payload: Mapping[str, Any], _names: Names, _was: str | None) -> str:
    point = payload["to"]
    return f"Put everything back to act {point:,}" if point else "Put everything back to the start"


def _batch(payload: Mapping[str, Any], _names: Names, _was: str | None) -> str:
    n = payload["count"]
    return f"{payload['title']} ({n:,} {'act' if n == 1 else 'acts'})"


def _merge(payload: Mapping[str, Any], names: Names, _was: str | None) -> str:
    others = ", ".join(_quoted(_named(topic, names)) for topic in payload["topics"])
    return f"Merged {others} into {_topic(payload, names)}"


def _split(payload: Mapping[str, Any], names: Names, _was: str | None) -> str:
    children = ", ".join(_quoted(child["name"]) for child in payload["children"])
    return f"Split {_topic(payload, names)} into {children}"


def _word(before: str, between: str = "") -> Teller:
    """A sentence about one word, and about its topic where there is one."""

    def tell(payload: Mapping[str, Any], names: Names, _was: str | None) -> str:
        topic = f" {between} {_topic(payload, names)}" if between else ""
        return f"{before} {_quoted(payload['word'])}{topic}"

    return tell


def _topic(payload: Mapping[str, Any], names: Names) -> str:
    return _quoted(_named(payload["topic"], names))


_TELLERS: dict[str, Teller] = {
    "skip": lambda payload, names, was: "Skipped",
    "create_topic": lambda payload, names, was: f"Created the topic {_quoted(payload['name'])}",
    "rename_topic": lambda payload, names, was: "Renamed a topic",
    "delete_topic": lambda payload, names, was: (
        f"Deleted the topic {_quoted(was or names.get(payload['topic']))}"
    ),
    "merge_topics": _merge,
    "split_topic": _split,
    "lock_topic": lambda payload, names, was: f"Locked the words of {_topic(payload, names)}",
    "unlock_topic": lambda payload, names, was: f"Unlocked {_topic(payload, names)}",
    "add_word": _word("Added", "to"),
    "remove_word": _word("Kept", "out of"),
    "release_word": _word("Left to the model:", "in"),
    "add_stop_word": _word("Stop word:"),
    "drop_stop_word": _word("No longer a stop word:"),
    "edit_codebook": lambda payload, names, was: f"Wrote about {_topic(payload, names)}",
    "batch": _batch,
    "restore": _restore,
    "use_run": lambda payload, names, was: f"Made {_quoted(payload['title'])} the current model",
}


def _named(topic: int, names: Names) -> str:
    return names.get(topic, f"topic {topic}")


def _quoted(name: str | None) -> str:
    return f"“{name}”" if name else ""
