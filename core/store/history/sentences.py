"""Events as sentences: what was done, and the label or name before and after."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core.store.events.new_events import BLIND_LABEL
from core.store.events.report_fields import PRIVACY_CHOICES
from core.store.history.pages import HistoryLine
from core.store.values import Annotation, Event
from core.values import count, percent

NO_LABEL = "no label"
WEIGHT_WORDS = {"unsure": "half weight", "expert": "double weight"}  # of a label, by confidence
NOTHING_FITS = "nothing fits"
HIDDEN_LABEL = "hidden until two people have labelled this text"

KIND_TITLES = {
    "label": "Labels",
    "blind_label": "Labels in double coding",
    "double_coding": "Double coding",
    "assign_texts": "Assigned texts",
    "highlight": "Highlights",
    "drop_highlight": "Removed highlights",
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
    "add_stop_word": "Stop words added",
    "drop_stop_word": "Stop words removed",
    "edit_codebook": "Codebook",
    "report": "Wording of the report",
    "memo": "Memos",
    "add_texts": "Texts added",
    "save_search": "Saved searches",
    "batch": "Several changes at once",
    "restore": "Restores",
    "use_run": "Models made current",
    "undo": "Undos",
    "redo": "Redos",
}

REPORT_FIELD_TITLES = {
    "texts": "tables",  # “tables with texts”
    "small_groups": "small groups",
    "order": "order of topics",
    "hidden": "hidden topics",
    "comment": "comment on",
    "chosen": "quotes of",
}

ENTRY_TITLES = {
    "definition": "definition",
    "include": "belongs here",
    "exclude": "does not belong here",
    "examples": "examples",
}

Names = Mapping[int, str]
Sentence = Callable[
    [Mapping[str, Any], Names, str | None], str
]  # from payload, names, earlier name


@dataclass(frozen=True, slots=True)
class EventText:
    """One event as a line of a table."""

    what: str
    before: str = ""
    after: str = ""


def describe_kind(kind: str) -> str:
    """The title of a kind of events."""
    return KIND_TITLES.get(kind, kind.replace("_", " ").capitalize())


def describe_event(line: HistoryLine, names: Names) -> EventText:
    """What an event did; ``names`` are the topics' names now, deleted ones included."""
    event = line.event
    if event.kind in ("undo", "redo"):
        what = _undo_or_redo(event, line.target, names)
    else:
        what = event_sentence(
            event, names, was=line.name_before, first=not _has_content(line.before)
        )
    if event.kind == BLIND_LABEL:
        return EventText(what, after=_once_seen(event.payload, names))
    if event.position is not None:
        return EventText(
            what, describe_label(line.before, names), describe_label(line.after, names)
        )
    if line.entry_before is not None and line.entry_after is not None:
        return EventText(what, *describe_entries(line.entry_before, line.entry_after))
    if line.name_before != line.name_after:
        return EventText(what, _quoted(line.name_before), _quoted(line.name_after))
    return EventText(what)


def _once_seen(payload: Mapping[str, Any], names: Names) -> str:
    """What a label in double coding says, once two people have labelled the text."""
    return HIDDEN_LABEL if payload.get("hidden") else describe_label(payload, names)


def describe_label(payload: Mapping[str, Any] | None, names: Names) -> str:
    """“Water, Parks; not Noise; half weight”: everything a label says but its note."""
    if payload is None or not _has_content(payload):
        return NO_LABEL
    parts = [", ".join(_named(topic, names) for topic in payload["permitted"])]
    parts.append(NOTHING_FITS if payload["nothing_fits"] else "")
    forbidden = ", ".join(_named(topic, names) for topic in payload["forbidden"])
    parts.append(f"not {forbidden}" if forbidden else "")
    parts.append(WEIGHT_WORDS.get(payload["confidence"], ""))
    return "; ".join(part for part in parts if part)


def describe_entries(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, str]:
    """The parts of a codebook entry that an event changed, as they were and as they became."""
    changed = [name for name in ENTRY_TITLES if (before.get(name) or "") != (after.get(name) or "")]
    was, now = (
        "; ".join(f"{ENTRY_TITLES[name]}: {_entry_part(entry.get(name))}" for name in changed)
        for entry in (before, after)
    )
    return was, now


def _entry_part(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"{len(value)} {'text' if len(value) == 1 else 'texts'}"
    return f"“{value}”" if value else "nothing"


def describe_annotation(note: Annotation, names: Names) -> str:
    """The same for a label in force."""
    return describe_label(
        {
            "permitted": note.permitted,
            "forbidden": note.forbidden,
            "confidence": note.confidence,
            "nothing_fits": note.nothing_fits,
        },
        names,
    )


def event_sentence(
    event: Event, names: Names, *, was: str | None = None, first: bool = True
) -> str:
    """What an event did, in one sentence."""
    write = _SENTENCES.get(event.kind)
    if event.kind == "label":
        return _label(event.payload, first)
    if write is not None:
        return write(event.payload, names, was)
    topic = event.payload.get("topic")
    plain = event.kind.replace("_", " ").capitalize()
    return plain if topic is None else f"{plain}: {_named(topic, names)}"


def _label(payload: Mapping[str, Any], first: bool) -> str:
    if not _has_content(payload):
        return "Wrote a note" if first and payload.get("note") else "Cleared the label"
    if payload["nothing_fits"]:
        return "Marked as “nothing fits”"
    return "Labelled" if first else "Changed the label"


def _blind_label(payload: Mapping[str, Any]) -> str:
    """A label that nobody else has seen; what it says is left to who may know it."""
    return "Labelled in double coding" if payload["spoken"] else "Chose topics in double coding"


def _double_coding(payload: Mapping[str, Any]) -> str:
    share = payload["share"]
    return (
        f"Turned on double coding for {percent(share)} of the texts"
        if share
        else "Turned off double coding"
    )


def _highlight(payload: Mapping[str, Any], names: Names) -> str:
    if payload.get("hidden"):
        return f"Highlighted words: {HIDDEN_LABEL}"
    return f"Highlighted {_quoted(payload['quote'])} for {_quoted(_named(payload['why'], names))}"


def _assigned(payload: Mapping[str, Any]) -> str:
    many, person = count(len(payload["positions"]), "text"), payload["person"]
    return f"Assigned {many} to {person}" if person else f"Took back the assignment of {many}"


def _has_content(payload: Mapping[str, Any] | None) -> bool:
    """Whether a label is not empty; an empty one clears the document's label."""
    if payload is None:
        return False
    return bool(payload["permitted"] or payload["forbidden"] or payload["nothing_fits"])


def _undo_or_redo(event: Event, target: Event | None, names: Names) -> str:
    verb = "Undone" if event.kind == "undo" else "Redone"
    if target is None:
        return verb
    text = event_sentence(target, names)
    return f"{verb}: {text[0].lower()}{text[1:]}"


def _restore(payload: Mapping[str, Any], _names: Names, _was: str | None) -> str:
    point = payload["to"]
    return f"Restored the state after event {point:,}" if point else "Restored the beginning"


OPERATIONS_DONE = {  # the verbs that titles of operations begin with
    "Adopt": "Adopted",
    "Create": "Created",
    "Delete": "Deleted",
    "Merge": "Merged",
    "Move": "Moved",
    "Split": "Split",
}


def _batch(payload: Mapping[str, Any], _names: Names, _was: str | None) -> str:
    n = payload["count"]
    return f"{_done(payload['title'])} ({n:,} {'event' if n == 1 else 'events'})"


def _done(title: str) -> str:
    """What an operation was called when it was asked for, as something that has happened."""
    verb, space, rest = title.partition(" ")
    return f"{OPERATIONS_DONE.get(verb, verb)}{space}{rest}"


def _added(payload: Mapping[str, Any], _names: Names, _was: str | None) -> str:
    added, updated = (f"{payload[name]:,}" for name in ("added", "updated"))
    parts = [f"Added {added} {'text' if added == '1' else 'texts'}"] if payload["added"] else []
    if payload["updated"]:
        verb = "updated" if parts else "Updated"
        parts.append(f"{verb} {updated} {'text' if updated == '1' else 'texts'}")
    return f"{' and '.join(parts)} from {_quoted(payload['file'])}"


def _merge(payload: Mapping[str, Any], names: Names, _was: str | None) -> str:
    others = ", ".join(_quoted(_named(topic, names)) for topic in payload["topics"])
    return f"Merged {others} into {_topic(payload, names)}"


def _split(payload: Mapping[str, Any], names: Names, _was: str | None) -> str:
    children = ", ".join(_quoted(child["name"]) for child in payload["children"])
    return f"Split {_topic(payload, names)} into {children}"


def _report(payload: Mapping[str, Any], names: Names, _was: str | None) -> str:
    fields = payload["fields"]
    if set(fields) == {"title"} and fields["title"]:
        return f"Gave the report the title {_quoted(fields['title'])}"
    if set(fields) <= set(PRIVACY_CHOICES):
        chosen = ", ".join(
            f"{report_field_title(name, names)} {text}{' texts' * (name == 'texts')}"
            for name, text in fields.items()
        )
        return f"Set the privacy of the report: {chosen}"
    emptied = not any(fields.values())
    verb = "Cleared in the report: its" if emptied else "Wrote in the report its"
    return f"{verb} {' and '.join(report_field_title(name, names) for name in fields)}"


def _memo(payload: Mapping[str, Any], names: Names, _was: str | None) -> str:
    about = f"on {_topic(payload, names)}" if "topic" in payload else "on the project"
    if not payload["text"]:
        return f"Removed a memo {about}"
    verb = "Wrote" if payload["replaces"] is None else "Changed"
    return f"{verb} a memo {about}"


def _search(payload: Mapping[str, Any], _names: Names, _was: str | None) -> str:
    if not payload["search"]:
        return f"Removed the saved search {_quoted(payload['name'])}"
    return f"Saved the search {payload['search']} as {_quoted(payload['name'])}"


def report_field_title(name: str, names: Names) -> str:
    """“comment on Water” for the comment on one topic."""
    kind, colon, key = name.partition(":")
    if not colon:
        return REPORT_FIELD_TITLES.get(kind, kind)
    topic = _named(int(key), names) if key.isdecimal() else key
    return f"{REPORT_FIELD_TITLES[kind]} {_quoted(topic)}"


def _word(before: str, between: str = "") -> Sentence:
    """A sentence about one word, and about its topic where there is one."""

    def write(payload: Mapping[str, Any], names: Names, _was: str | None) -> str:
        topic = f" {between} {_topic(payload, names)}" if between else ""
        return f"{before} {_quoted(payload['word'])}{topic}"

    return write


def _topic(payload: Mapping[str, Any], names: Names) -> str:
    return _quoted(_named(payload["topic"], names))


_SENTENCES: dict[str, Sentence] = {
    "blind_label": lambda payload, names, was: _blind_label(payload),
    "double_coding": lambda payload, names, was: _double_coding(payload),
    "assign_texts": lambda payload, names, was: _assigned(payload),
    "highlight": lambda payload, names, was: _highlight(payload, names),
    "drop_highlight": lambda payload, names, was: "Removed a highlight",
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
    "remove_word": _word("Removed", "from"),
    "release_word": _word("Cleared the rule about", "in"),
    "add_stop_word": _word("Added the stop word"),
    "drop_stop_word": _word("Removed the stop word"),
    "edit_codebook": lambda payload, names, was: (
        f"Edited the codebook entry of {_topic(payload, names)}"
    ),
    "report": _report,
    "memo": _memo,
    "add_texts": _added,
    "save_search": _search,
    "batch": _batch,
    "restore": _restore,
    "use_run": lambda payload, names, was: f"Made {_quoted(payload['title'])} the current model",
}


def _named(topic: int, names: Names) -> str:
    return names.get(topic, f"topic {topic}")


def _quoted(name: str | None) -> str:
    return f"“{name}”" if name else ""
