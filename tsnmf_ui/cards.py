"""Documents as the pane shows them: text in pieces, coloured words, shares, what was said.

Offsets stay on this side: browsers count characters differently, so a text travels in pieces that
know their topic, whether they were searched for, and whether a folded card hides them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any, TypeVar

from core import summaries
from core.corpus import Document
from core.queue import QueueItem
from core.store import Annotation, Codebook, Run, Store
from core.text import Analyzer, TextSettings
from core.topics import Topics
from tsnmf_ui import finder, folding
from tsnmf_ui.snapshot import Fitted

SHOWN = 60_000  # characters of a document sent to the browser
COLOURED = 20_000  # characters looked at for words that drive topics
SNIPPET = 110  # characters of a document in the list
HEADS = 4_000  # snippets kept in memory
RECENT = 64  # cards kept in memory

EARLIER = 5  # earlier labels shown with a document
SEARCHED = 2.0  # weight of a searched word when a text is folded; the strongest topic word is 1

T = TypeVar("T")
Piece = tuple[str, str | None, float, bool, bool]
# text, topic it speaks for, how strongly, searched for, hidden when folded


class Cards:
    """Draws documents up for the pane."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._heads: OrderedDict[tuple[int, int], tuple[str, str]] = OrderedDict()
        self._documents: OrderedDict[Hashable, Document] = OrderedDict()
        self._pieces: OrderedDict[Hashable, list[Piece]] = OrderedDict()

    def card(
        self, fitted: Fitted, position: int, item: QueueItem | None, search: str = ""
    ) -> dict[str, Any]:
        """One document with everything that helps to judge it."""
        project = fitted.project.id
        document = self._document(project, position)
        references = references_of(fitted.run, fitted.topics)
        return {
            **self.said(fitted, position),
            "id": document.id,
            "date": _day(document),
            "side": [[name, value] for name, value in document.side.items() if value],
            "kind": item.kind if item else "",
            "reason": item.reason if item else "",
            "pieces": self._pieces_of(document.text, fitted, position, references, search),
            "cut": max(0, len(document.text) - SHOWN),
            "shares": _shares(fitted.topics, position, references),
            "run": 0 if fitted.run is None else fitted.run.id,  # whose shares these are
        }

    def said(self, fitted: Fitted, position: int, *, first: bool = False) -> dict[str, Any]:
        """What people have said about a document; there is nothing before its first label."""
        project, annotation = fitted.project.id, fitted.snapshot.annotations.get(position)
        return {
            "position": position,
            "label": None if annotation is None else _said(annotation),
            "note": annotation.note if annotation else self._store.note_at(project, position),
            "earlier": [] if first else self._earlier(fitted, position, annotation),
            "skipped": position in fitted.snapshot.skipped,
        }

    def _document(self, project: int, position: int) -> Document:
        """Documents never change; the one that was labelled is shown once more."""
        key = project, position
        return _remembered(self._documents, key, lambda: self._store.document(project, position))

    def _pieces_of(
        self, text: str, fitted: Fitted, position: int, references: Sequence[str], search: str
    ) -> list[Piece]:
        """Nor do runs, so a card is cut once for both of the answers that show it."""
        run = 0 if fitted.run is None else fitted.run.id
        key = fitted.project.id, position, run, tuple(references), search
        cut = partial(pieces_of, text, fitted, position, references, search)
        return _remembered(self._pieces, key, cut)

    def _earlier(
        self, fitted: Fitted, position: int, now: Annotation | None
    ) -> list[dict[str, Any]]:
        """What was said about the document before, by others or with a note: newest first."""
        if now is None:
            return []
        told = self._store.labels_at(fitted.project.id, position, before=now.event)
        return [_said(each) for each in reversed(told) if _adds(each, now)][:EARLIER]

    def entry(self, fitted: Fitted, said: Codebook) -> dict[str, Any]:
        """One topic's entry in the codebook."""
        items = [QueueItem(position, "example", "") for position in said.examples]
        return {
            "definition": said.definition,
            "include": said.include,
            "exclude": said.exclude,
            "examples": self.rows(fitted, items),
        }

    def rows(
        self, fitted: Fitted, items: Sequence[QueueItem], search: str = ""
    ) -> list[dict[str, Any]]:
        """A stretch of the list: where each text begins, or where it has the searched words."""
        project, snapshot = fitted.project.id, fitted.snapshot
        heads = self._heads_of(project, [item.position for item in items], search)
        rows = []
        for item in items:
            said = snapshot.annotations.get(item.position)
            rows.append(
                {
                    "position": item.position,
                    "id": heads[item.position][0],
                    "snippet": heads[item.position][1],
                    "kind": item.kind,
                    "reason": item.reason,
                    "labels": list(said.permitted) if said else [],
                    "nothing": bool(said and said.nothing_fits),
                    "skipped": item.position in snapshot.skipped,
                }
            )
        return rows

    def _heads_of(
        self, project: int, positions: Sequence[int], search: str
    ) -> dict[int, tuple[str, str]]:
        """Ids and beginnings of documents; the list changes little from act to act."""
        if search:
            documents = self._store.documents(project, positions)
            heads = [(each.id, _around(each.text, search)) for each in documents]
            return dict(zip(positions, heads, strict=True))
        found = {p: self._heads[project, p] for p in positions if (project, p) in self._heads}
        missing = [position for position in positions if position not in found]
        if missing:
            for position, document in zip(
                missing, self._store.documents(project, missing), strict=True
            ):
                found[position] = (document.id, _beginning(document.text))
                self._heads[project, position] = found[position]
        while len(self._heads) > HEADS:
            self._heads.popitem(last=False)
        return found


def _remembered(kept: OrderedDict[Hashable, T], key: Hashable, make: Callable[[], T]) -> T:
    """From memory, or made and kept; two threads at once make it twice and keep one."""
    found = kept.get(key)
    if found is None:
        found = kept[key] = make()
        while len(kept) > RECENT:
            kept.popitem(last=False)
    return found


def references_of(run: Run | None, topics: Topics | None) -> list[str]:
    """The columns of a fit by what they stand for: ``t7`` a named topic, ``f9`` a found one."""
    if run is None or topics is None:
        return []
    n_named = len(run.topic_ids)
    return [f"t{topic}" for topic in run.topic_ids] + [f"f{i}" for i in range(n_named, len(topics))]


def pieces_of(
    text: str, fitted: Fitted, position: int, references: Sequence[str], search: str = ""
) -> list[Piece]:
    """The text cut at words that drive its topics, at searched words and at folds.

    Joined again the pieces are the text.
    """
    shown = text[:SHOWN]
    marks: list[tuple[int, int, int, float]] = []
    if fitted.topics is not None:
        spans = _analyzer(fitted.project.settings.text).spans(text[:COLOURED])
        marks = _apart(sorted(summaries.highlights(spans, fitted.topics, position)))
    found = finder.hits(shown[:COLOURED], search)
    weights = [(start, end, strength) for start, end, _, strength in marks]
    kept = folding.passages(shown, weights + [(start, end, SEARCHED) for start, end in found])
    return _cut(shown, marks, found, kept, references)


def _apart(marks: Iterable[tuple[int, int, int, float]]) -> list[tuple[int, int, int, float]]:
    """A phrase and its words overlap: the first one stands."""
    apart: list[tuple[int, int, int, float]] = []
    for mark in marks:
        if not apart or mark[0] >= apart[-1][1]:
            apart.append(mark)
    return apart


def _cut(
    text: str,
    marks: Sequence[tuple[int, int, int, float]],
    found: Sequence[tuple[int, int]],
    kept: Sequence[tuple[int, int]],
    references: Sequence[str],
) -> list[Piece]:
    """Cut wherever anything begins or ends; each piece then is one thing throughout."""
    ends = {0, len(text)}
    for start, end in (*((mark[0], mark[1]) for mark in marks), *found, *kept):
        ends |= {start, min(end, len(text))}
    edges = sorted(ends)
    at_mark, at_hit, at_fold = _Walk(marks), _Walk(found), _Walk(kept)
    pieces: list[Piece] = []
    for start, end in pairwise(edges):
        mark, hit = at_mark.over(start), at_hit.over(start) is not None
        hidden = at_fold.over(start) is None
        if mark is None:
            pieces.append((text[start:end], None, 0.0, hit, hidden))
        else:
            named, strength = references[mark[2]], round(mark[3], 2)
            pieces.append((text[start:end], named, strength, hit, hidden))
    return pieces


class _Walk:
    """Goes along stretches that are sorted and apart."""

    def __init__(self, stretches: Sequence[Any]) -> None:
        self._left = list(reversed(stretches))

    def over(self, place: int) -> Any:
        """The stretch over a place; places must come in order."""
        while self._left and self._left[-1][1] <= place:
            self._left.pop()
        return self._left[-1] if self._left and self._left[-1][0] <= place else None


@lru_cache(maxsize=8)
def _analyzer(settings: TextSettings) -> Analyzer:
    return Analyzer(settings)


def _shares(topics: Topics | None, position: int, references: Sequence[str]) -> dict[str, float]:
    if topics is None:
        return {}
    shares = summaries.document_shares(topics, position)
    return {references[topic]: round(share, 4) for topic, share in shares}


def _said(annotation: Annotation) -> dict[str, Any]:
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


def _adds(before: Annotation, now: Annotation) -> bool:
    """Somebody else's view, or a note that the present label no longer has."""
    return before.author != now.author or bool(before.note and before.note != now.note)


def _day(document: Document) -> str | None:
    day = document.date
    return None if day is None else f"{day.day} {day:%B %Y}"


def _beginning(text: str) -> str:
    line = " ".join(text[: 3 * SNIPPET].split())
    return line if len(line) <= SNIPPET else line[: line.rfind(" ", 0, SNIPPET) or SNIPPET] + "…"


def _around(text: str, search: str) -> str:
    """A line of the text with the first searched word in it."""
    found = finder.hits(text[:COLOURED], search)
    if not found or found[0][0] < SNIPPET // 2:
        return _beginning(text)
    start = found[0][0] - SNIPPET // 3
    return "…" + _beginning(text[text.find(" ", start) :])
