"""Documents as the pane shows them: text in pieces, coloured words, shares, what was said."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from core import summaries
from core.corpus import Document
from core.queue import QueueItem
from core.store import Annotation, Project, Run, Store
from core.text import Analyzer, TextSettings
from core.topics import Topics
from tsnmf_ui.snapshot import Fitted

SHOWN = 60_000  # characters of a document sent to the browser
COLOURED = 20_000  # characters looked at for words that drive topics
SNIPPET = 110  # characters of a document in the list
HEADS = 4_000  # snippets kept in memory

Piece = tuple[str, str | None, float]  # text, topic it speaks for, how strongly


class Cards:
    """Draws documents up for the pane."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._heads: OrderedDict[tuple[int, int], tuple[str, str]] = OrderedDict()

    def card(self, fitted: Fitted, position: int, item: QueueItem | None) -> dict[str, Any]:
        """One document with everything that helps to judge it."""
        document = self._store.document(fitted.project.id, position)
        annotation = fitted.snapshot.annotations.get(position)
        references = references_of(fitted.run, fitted.topics)
        return {
            "position": position,
            "id": document.id,
            "date": _day(document),
            "side": [[name, value] for name, value in document.side.items() if value],
            "kind": item.kind if item else "",
            "reason": item.reason if item else "",
            "pieces": pieces_of(document.text, fitted, position, references),
            "cut": max(0, len(document.text) - SHOWN),
            "shares": _shares(fitted.topics, position, references),
            "label": None if annotation is None else _said(annotation),
            "skipped": position in fitted.snapshot.skipped,
        }

    def rows(self, project: Project, items: Sequence[QueueItem]) -> list[dict[str, Any]]:
        """The list of what comes next."""
        heads = self._heads_of(project.id, [item.position for item in items])
        return [
            {
                "position": item.position,
                "id": heads[item.position][0],
                "snippet": heads[item.position][1],
                "kind": item.kind,
                "reason": item.reason,
            }
            for item in items
        ]

    def _heads_of(self, project: int, positions: Sequence[int]) -> dict[int, tuple[str, str]]:
        """Ids and beginnings of documents; the list changes little from act to act."""
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


def references_of(run: Run | None, topics: Topics | None) -> list[str]:
    """The columns of a fit by what they stand for: ``t7`` a named topic, ``f9`` a found one."""
    if run is None or topics is None:
        return []
    n_named = len(run.topic_ids)
    return [f"t{topic}" for topic in run.topic_ids] + [f"f{i}" for i in range(n_named, len(topics))]


def pieces_of(text: str, fitted: Fitted, position: int, references: Sequence[str]) -> list[Piece]:
    """The text cut at the words that drive its topics; joined again they are the text."""
    if fitted.topics is None:
        return [(text[:SHOWN], None, 0.0)]
    spans = _analyzer(fitted.project.settings.text).spans(text[:COLOURED])
    marks = summaries.highlights(spans, fitted.topics, position)
    return list(_cut(text[:SHOWN], sorted(marks), references))


def _cut(
    text: str, marks: Iterable[tuple[int, int, int, float]], references: Sequence[str]
) -> Iterable[Piece]:
    cursor = 0
    for start, end, topic, strength in marks:
        if start < cursor:  # a phrase and its words overlap: the first one stands
            continue
        if start > cursor:
            yield text[cursor:start], None, 0.0
        yield text[start:end], references[topic], round(strength, 2)
        cursor = end
    if cursor < len(text):
        yield text[cursor:], None, 0.0


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
        "time": annotation.time.isoformat(),
    }


def _day(document: Document) -> str | None:
    day = document.date
    return None if day is None else f"{day.day} {day:%B %Y}"


def _beginning(text: str) -> str:
    line = " ".join(text[: 3 * SNIPPET].split())
    return line if len(line) <= SNIPPET else line[: line.rfind(" ", 0, SNIPPET) or SNIPPET] + "…"
