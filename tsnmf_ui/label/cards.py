"""Documents as the pane shows them: text in pieces, coloured words, shares, labels.

A text travels in pieces (``text_pieces``) that know their topic, whether they were searched for and
whether a folded card hides them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, TypeVar

from core.corpus import Document
from core.insight import summaries
from core.queue import QueueItem
from core.search import find_matches
from core.store import Annotation, Codebook, Store
from core.store.coding.highlights import HighlightInForce
from core.topics import Topics
from core.workspace.topic_facts import shown_date
from tsnmf_ui.label.highlighting import highlight_fields, visible_highlights
from tsnmf_ui.label.snapshot import Fitted
from tsnmf_ui.label.text_pieces import (
    MAX_CHARACTERS,
    MAX_COLOURED_CHARACTERS,
    Piece,
    pieces_of,
)

SNIPPET_LENGTH = 110  # characters of a document in the list
MAX_CACHED_SNIPPETS = 4_000  # snippets kept in memory
MAX_CACHED_CARDS = 64  # cards kept in memory

MAX_EARLIER_LABELS = 5  # earlier labels shown with a document

T = TypeVar("T")


class Cards:
    """Draws documents up for the pane."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._snippets: OrderedDict[tuple[int, int], tuple[str, str]] = OrderedDict()
        self._documents: OrderedDict[Hashable, Document] = OrderedDict()
        self._pieces: OrderedDict[Hashable, list[Piece]] = OrderedDict()

    def card(
        self, fitted: Fitted, position: int, item: QueueItem | None, search: str, author: str
    ) -> dict[str, Any]:
        """One document with everything that helps to judge it."""
        project = fitted.project.id
        document = self._document(project, position)
        references = references_of(fitted.topics)
        why = visible_highlights(fitted.snapshot, position, author)
        return {
            **self.label_fields(fitted, position, author),
            "highlights": highlight_fields(why, document.text),
            "id": document.id,
            "date": shown_date(self._store, fitted.project, document) or None,
            "side": [[name, value] for name, value in document.side.items() if value],
            "kind": item.kind if item else "",
            "reason": item.reason if item else "",
            "pieces": self._pieces_of(document.text, fitted, position, references, search, why),
            "cut": max(0, len(document.text) - MAX_CHARACTERS),
            "shares": _shares(fitted.topics, position, references),
            "run": 0 if fitted.run is None else fitted.run.id,  # whose shares these are
        }

    def label_fields(
        self, fitted: Fitted, position: int, author: str, *, first: bool = False
    ) -> dict[str, Any]:
        """The label of a document and those before it; there are none before its first.

        A person sees no label but their own on a document that two people are to label.
        """
        project, snapshot = fitted.project.id, fitted.snapshot
        annotation = snapshot.own_label(position, author)
        doubled = snapshot.is_doubled(position)
        return {
            "position": position,
            "label": None if annotation is None else _label_fields(annotation),
            "note": annotation.note if annotation else self._store.note_at(project, position),
            "earlier": [] if first or doubled else self._earlier(fitted, position, annotation),
            "skipped": position in snapshot.skipped,
            "doubled": doubled,
            "spoken": doubled and snapshot.has_spoken(position, author),
        }

    def _document(self, project: int, position: int) -> Document:
        """Documents never change; the one that was labelled is shown once more."""
        key = project, position
        return _cached(self._documents, key, lambda: self._store.document(project, position))

    def _pieces_of(
        self,
        text: str,
        fitted: Fitted,
        position: int,
        references: Sequence[str],
        search: str,
        why: Sequence[HighlightInForce],
    ) -> list[Piece]:
        """Nor do runs, so a card is cut once for both of the answers that show it."""
        run = 0 if fitted.run is None else fitted.run.id
        key = fitted.project.id, position, run, tuple(references), search, tuple(why)
        cut = partial(pieces_of, text, fitted, position, references, search, why)
        return _cached(self._pieces, key, cut)

    def _earlier(
        self, fitted: Fitted, position: int, now: Annotation | None
    ) -> list[dict[str, Any]]:
        """Earlier labels of the document, by others or with a note: newest first."""
        if now is None:
            return []
        labels = self._store.labels_at(fitted.project.id, position, before=now.event)
        return [_label_fields(each) for each in reversed(labels) if _adds_information(each, now)][
            :MAX_EARLIER_LABELS
        ]

    def codebook_entry(self, fitted: Fitted, written: Codebook) -> dict[str, Any]:
        """One topic's entry in the codebook."""
        items = [QueueItem(position, "example", "") for position in written.examples]
        return {
            "definition": written.definition,
            "include": written.include,
            "exclude": written.exclude,
            "examples": self.rows(fitted, items),
        }

    def rows(
        self, fitted: Fitted, items: Sequence[QueueItem], search: str = "", author: str = ""
    ) -> list[dict[str, Any]]:
        """A stretch of the list: where each text begins, or where it has the searched words.

        With the labels that the author may see.
        """
        project, snapshot = fitted.project.id, fitted.snapshot
        snippets = self._snippets_of(project, [item.position for item in items], search)
        rows = []
        for item in items:
            annotation = snapshot.own_label(item.position, author)
            rows.append(
                {
                    "position": item.position,
                    "id": snippets[item.position][0],
                    "snippet": snippets[item.position][1],
                    "kind": item.kind,
                    "reason": item.reason,
                    "labels": list(annotation.permitted) if annotation else [],
                    "nothing": bool(annotation and annotation.nothing_fits),
                    "skipped": item.position in snapshot.skipped,
                }
            )
        return rows

    def _snippets_of(
        self, project: int, positions: Sequence[int], search: str
    ) -> dict[int, tuple[str, str]]:
        """Ids and beginnings of documents; the list changes little from event to event."""
        if search:
            documents = self._store.documents(project, positions)
            snippets = [(each.id, _around(each.text, search)) for each in documents]
            return dict(zip(positions, snippets, strict=True))
        found = {p: self._snippets[project, p] for p in positions if (project, p) in self._snippets}
        missing = [position for position in positions if position not in found]
        if missing:
            for position, document in zip(
                missing, self._store.documents(project, missing), strict=True
            ):
                found[position] = (document.id, _beginning(document.text))
                self._snippets[project, position] = found[position]
        while len(self._snippets) > MAX_CACHED_SNIPPETS:
            self._snippets.popitem(last=False)
        return found


def _cached(kept: OrderedDict[Hashable, T], key: Hashable, make: Callable[[], T]) -> T:
    """From memory, or made and kept; two threads at once make it twice and keep one."""
    found = kept.get(key)
    if found is None:
        found = kept[key] = make()
        while len(kept) > MAX_CACHED_CARDS:
            kept.popitem(last=False)
    return found


def references_of(topics: Topics | None) -> list[str]:
    """Topics as the pane knows them: ``t7`` by a label's id, ``f9`` a free one by its column."""
    keys = () if topics is None else topics.keys
    return [f"t{key}" if isinstance(key, int) else f"f{k}" for k, key in enumerate(keys)]


def _shares(topics: Topics | None, position: int, references: Sequence[str]) -> dict[str, float]:
    if topics is None:
        return {}
    shares = summaries.document_shares(topics, position)
    return {references[topic]: round(share, 4) for topic, share in shares}


def _label_fields(annotation: Annotation) -> dict[str, Any]:
    return {
        "permitted": list(annotation.permitted),
        "forbidden": list(annotation.forbidden),
        "confidence": annotation.confidence,
        "nothing_fits": annotation.nothing_fits,
        "note": annotation.note,
        "author": annotation.author,
        "event": annotation.event,
        "time": annotation.time.isoformat(),
    }


def _adds_information(before: Annotation, now: Annotation) -> bool:
    """Somebody else's view, or a note that the present label no longer has."""
    return before.author != now.author or bool(before.note and before.note != now.note)


def _beginning(text: str) -> str:
    line = " ".join(text[: 3 * SNIPPET_LENGTH].split())
    return (
        line
        if len(line) <= SNIPPET_LENGTH
        else line[: line.rfind(" ", 0, SNIPPET_LENGTH) or SNIPPET_LENGTH] + "…"
    )


def _around(text: str, search: str) -> str:
    """A line of the text with the first searched word in it."""
    found = find_matches(text[:MAX_COLOURED_CHARACTERS], search)
    if not found or found[0][0] < SNIPPET_LENGTH // 2:
        return _beginning(text)
    start = found[0][0] - SNIPPET_LENGTH // 3
    return "…" + _beginning(text[text.find(" ", start) :])
